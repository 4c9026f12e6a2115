#!/bin/sh
# Builds the Python package from its source distribution, as pip does for a user, and tests it:
#
#     Scripts/check-python.sh [VADMON]      build/program/bin/vadmon, whose segments it must find
#
# The tests run with the SIMD body that the processor has, and with the portable one. pyright checks the types if node
# is installed. What the tests compare with comes from PyPI into .build-python.
set -eu
cd "$(dirname "$0")/.."
vadmon=$(realpath "${1:-build/program/bin/vadmon}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { echo "check-python: $*"; }
fail() { say "$*" >&2; exit 1; }
[ -x "$vadmon" ] || fail "$vadmon is missing; make build makes it"

Scripts/python-environment.sh Bindings/python/requirements.txt .build-python
python=$PWD/.build-python/python/bin/python

# The source distribution has its own copy of the C library, and needs nothing else of the repository.
(cd Bindings/python && "$python" setup.py --quiet sdist --dist-dir "$work") 2> "$work/log" || {
  cat "$work/log" >&2
  fail "there is no source distribution"
}
sources=$work/voiceactivity.tar.gz
mv "$work"/voiceactivity-*.tar.gz "$sources"
install() { # compiler
  CC=$1 CFLAGS="-Wall -Wextra -Werror" "$python" -m pip --quiet --disable-pip-version-check install --no-deps \
    --no-build-isolation --force-reinstall "$sources" > "$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "$1 does not build it"
  }
}

# From here on the installed package is meant, and not the folder of its sources.
mkdir -p "$work/Bindings/python"
cp -r Bindings/python/tests Bindings/python/pyproject.toml Bindings/python/README.md "$work/Bindings/python"
ln -s "$PWD/samples" "$work/samples"
test_with() { # compiler, SIMD body or none
  say "the tests, $1${2:+, $2}"
  (
    cd "$work/Bindings/python"
    env ${2:+VA_CPU=$2} VADMON="$vadmon" "$python" -W error::ResourceWarning -m unittest --quiet
  )
}

clang="$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/clang"
install "$clang"
test_with clang
install gcc
test_with gcc
test_with gcc portable

if command -v node > /dev/null; then
  say "the types"
  (cd Bindings/python && PYRIGHT_PYTHON_IGNORE_WARNINGS=1 "$python" -m pyright --pythonpath "$python")
else
  say "node is not installed, so the types are not checked"
fi
