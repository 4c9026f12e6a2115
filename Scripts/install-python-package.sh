#!/bin/sh
# Installs the Python package into the environment of PYTHON, from a source distribution, so that nothing is written
# between the sources:
#
#     Scripts/install-python-package.sh PYTHON
set -eu
python=$1
cd "$(dirname "$0")/../Bindings/python"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" setup.py --quiet sdist --dist-dir "$work" 2> "$work/log" &&
  "$python" -m pip --quiet --disable-pip-version-check install --no-deps --no-build-isolation --force-reinstall \
    "$work"/voiceactivity-*.tar.gz > "$work/log" 2>&1 || {
  cat "$work/log" >&2
  exit 1
}
