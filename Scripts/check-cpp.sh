#!/bin/sh
# Writes the CMake package for C++ to build/cpp, and tests it as its users have it, with no installed library:
#
#     Scripts/check-cpp.sh [VADMON]      build/program/bin/vadmon, whose segments it must find
#
# The tests are built with gcc, with clang, as a shared library, and with AddressSanitizer and
# UndefinedBehaviorSanitizer. The program in README.md is built with FetchContent and with find_package.
set -eu
cd "$(dirname "$0")/.."
vadmon=$(realpath "${1:-build/program/bin/vadmon}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { echo "check-cpp: $*"; }
fail() { say "$*" >&2; exit 1; }
quietly() { "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; fail "$*"; }; }
[ -x "$vadmon" ] || fail "$vadmon is missing; make build makes it"
clang="$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/clang"

Packaging/package-cpp.sh "$vadmon" build/cpp
Scripts/labelled-recordings.sh "$vadmon" "$work/recordings"
cd build/cpp
speech=$PWD/voiceactivity-cpp/tests/data/speech.wav
archive=$PWD/voiceactivity-cpp.tar.gz
readme=$PWD/voiceactivity-cpp/README.md

test_with() { # name, variables of CMake
  name=$1
  shift
  say "$name"
  quietly cmake -S voiceactivity-cpp -B "$name" -DVOICEACTIVITY_TESTS=ON \
    -DVOICEACTIVITY_RECORDINGS="$PWD/voiceactivity-cpp/tests/data" "$@" # not those of a run before
  quietly cmake --build "$name" --parallel 2
  (cd "$name" && quietly ctest --output-on-failure)
  quietly cmake "$name" -DVOICEACTIVITY_RECORDINGS="$work/recordings"
  (cd "$name" && quietly ctest --output-on-failure)
}
test_with gcc -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ -DCMAKE_C_FLAGS=-Werror -DCMAKE_CXX_FLAGS=-Werror
(cd gcc && VA_CPU=portable quietly ctest --output-on-failure)
test_with clang -DCMAKE_C_COMPILER="$clang" -DCMAKE_CXX_COMPILER="$clang++" -DCMAKE_C_FLAGS=-Werror -DCMAKE_CXX_FLAGS=-Werror -DCMAKE_BUILD_TYPE=Release
test_with shared -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo
sanitized='-fsanitize=address,undefined -fno-sanitize-recover=all'
test_with sanitized -DCMAKE_C_FLAGS="$sanitized" -DCMAKE_CXX_FLAGS="$sanitized" -DCMAKE_BUILD_TYPE=Debug

listens() { # program
  sox "$speech" -t s16 - | "$1" > "$work/found"
  [ "$(head -n 2 "$work/found" | tr '\n' ';')" = "onset at 0.72 s;offset at 1.44 s;" ] || fail "$1 prints: $(cat "$work/found")"
}
project() { # name, number of the block in README.md that says how to find the package
  mkdir "$work/$1"
  {
    echo "cmake_minimum_required(VERSION 3.16)"
    echo "project(listen LANGUAGES C CXX)"
    echo "add_executable(listen main.cpp)"
    awk -v wanted="$2" '/^```$/ { inside = 0 } inside && block == wanted; /^```cmake$/ { inside = 1; block++ }' "$readme" |
      sed "s|/path/to/voiceactivity-cpp.tar.gz|$archive|"
  } > "$work/$1/CMakeLists.txt"
  sed -n '/^```cpp$/,/^```$/p' "$readme" | sed '/^```/d' > "$work/$1/main.cpp"
}
say "README.md, with FetchContent"
project fetched 1
quietly cmake -S "$work/fetched" -B "$work/fetched/build"
quietly cmake --build "$work/fetched/build" --parallel 2
listens "$work/fetched/build/listen"
for kind in gcc shared; do
  say "README.md, with find_package, $kind"
  quietly cmake --install $kind --prefix "$work/$kind-installed"
  project "found-$kind" 2
  quietly cmake -S "$work/found-$kind" -B "$work/found-$kind/build" -DCMAKE_PREFIX_PATH="$work/$kind-installed" \
    -DCMAKE_EXE_LINKER_FLAGS="-Wl,-rpath,$work/$kind-installed/lib"
  quietly cmake --build "$work/found-$kind/build"
  listens "$work/found-$kind/build/listen"
done
sed -i 's/find_package(voiceactivity [0-9.]*/find_package(voiceactivity 99.0/' "$work/found-gcc/CMakeLists.txt"
if cmake -S "$work/found-gcc" -B "$work/refused" -DCMAKE_PREFIX_PATH="$work/gcc-installed" > "$work/log" 2>&1; then
  fail "find_package takes any version"
fi
grep -q 'requested version "99.0"' "$work/log" || { cat "$work/log" >&2; fail "find_package fails for another reason"; }
say "passed"
