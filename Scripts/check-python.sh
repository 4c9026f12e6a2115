#!/bin/sh
# Builds the Python package from its source distribution, which it leaves in build/python, as pip does for a user, and
# tests it:
#
#     Scripts/check-python.sh [VADMON]      build/program/bin/vadmon, whose segments it must find
#
# The tests run with the SIMD body that the processor has, with the portable one, and under sanitizers, and those of
# interpreters in each newer Python that is on PATH. stubtest compares the declarations with the extension, and pyright
# checks the types if node is installed. What the tests compare with comes from PyPI into .build-python.
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
rm -rf build/python
mkdir -p build/python
mv "$work"/voiceactivity-*.tar.gz build/python
sources=$(realpath build/python/*.tar.gz)
install() { # compiler, flags or none
  flags=${2:-}
  CC=$1 CFLAGS="-Wall -Wextra -Werror $flags" LDFLAGS=$flags PIP_DISABLE_PIP_VERSION_CHECK=1 "$python" -m pip --quiet \
    install --no-deps --no-build-isolation --force-reinstall "$sources" > "$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "$1 does not build it"
  }
}

# From here on the installed package is meant, and not the folder of its sources.
mkdir -p "$work/Bindings/python"
cp -r Bindings/python/tests Bindings/python/pyproject.toml Bindings/python/README.md "$work/Bindings/python"
ln -s "$PWD/samples" "$work/samples"
test_with() { # compiler, SIMD body or none, variables
  compiler=$1 body=$2
  shift 2
  say "the tests, $compiler${body:+, $body}${1:+, under sanitizers}"
  (
    cd "$work/Bindings/python"
    env ${body:+VA_CPU=$body} VADMON="$vadmon" "$@" "$python" -W error::ResourceWarning -m unittest --quiet
  )
}

clang="$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/clang"
install gcc "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
preload="$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)"
test_with gcc "" LD_PRELOAD="$preload" ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc
install "$clang"
test_with clang ""
install gcc
test_with gcc ""
test_with gcc portable

for other in python3.12 python3.13 python3.14; do
  "$other" -c "" 2> /dev/null || continue
  say "the same build in $other, and in interpreters within it"
  modules=$("$python" -c "import os, voiceactivity; print(os.path.dirname(voiceactivity.__file__))")
  mkdir -p "$work/other"
  cp -r "$modules" "$work/other"
  (cd "$work/Bindings/python" && PYTHONPATH=$work/other "$other" -m unittest --quiet tests.test_interpreters.Interpreters)
done

say "what the extension has, against its declarations"
"$python" -m mypy.stubtest voiceactivity._core > "$work/log" || {
  cat "$work/log" >&2
  fail "src/voiceactivity/_core.pyi declares something else"
}
if command -v node > /dev/null; then
  say "the types"
  (cd Bindings/python && PYRIGHT_PYTHON_IGNORE_WARNINGS=1 "$python" -m pyright --pythonpath "$python")
else
  say "node is not installed, so the types are not checked"
fi
