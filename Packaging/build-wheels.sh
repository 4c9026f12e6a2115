#!/bin/sh
# Builds the wheels of Bindings/python, and tests those that this machine can run:
#
#     Packaging/build-wheels.sh [TARGET…]     (Packaging/build-wheels.py lists them)
#
# VADMON=PATH names the program whose segments it must find. zig comes from PyPI into .build-wheels (400 MB).
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

Scripts/python-environment.sh Bindings/python/requirements-wheels.txt .build-wheels
.build-wheels/python/bin/python Packaging/build-wheels.py "$@"

if [ "$(uname -m)" = x86_64 ] && [ "$#" -eq 0 ]; then
  Scripts/labelled-recordings.sh "$VADMON" "$work/wav"
  Packaging/release/what_vadmon_finds.py "$VADMON" "$work"/wav/*.wav > "$work/wav/vadmon.json"
  Packaging/check-wheels.sh "$work/wav"
  Packaging/check-cross.sh "$work/wav"
fi
wheel=$(ls build/wheels/*-manylinux*_"$(uname -m)".whl 2> /dev/null) || exit 0
Scripts/python-environment.sh Bindings/python/requirements.txt .build-python
python=$PWD/.build-python/python/bin/python
"$python" -m pip --quiet --disable-pip-version-check install --no-deps --target "$work/installed" "$wheel"
echo "The tests, on $(basename "$wheel"):"
mkdir -p "$work/Bindings/python"
cp -r Bindings/python/tests Bindings/python/README.md "$work/Bindings/python"
ln -s "$PWD/samples" "$work/samples"
cd "$work/Bindings/python" && PYTHONPATH=$work/installed "$python" -m unittest --quiet
