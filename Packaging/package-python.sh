#!/bin/sh
# Writes the source distribution of the Python package, with a copy of the C library's sources:
#
#     Packaging/package-python.sh PYTHON FOLDER      PYTHON has setuptools
#
# FOLDER/voiceactivity-VERSION.tar.gz has the same bytes whenever and wherever it is made; those of setuptools have not.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python=$(realpath --no-symlinks "$(command -v "$1")")
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "$0")/../Bindings/python"
"$python" setup.py --quiet sdist --formats tar --dist-dir "$work" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
archive=$(basename "$work"/*.tar)
tar -xf "$work/$archive" -C "$work"
cp "$work/${archive%.tar}/core/README.md" "$work/${archive%.tar}" # its links hold there
rm -f "$folder"/voiceactivity-*.tar.gz
tar -c --sort=name --mtime=2020-01-01 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -C "$work" "${archive%.tar}" |
  gzip -9n > "$folder/$archive.gz"
