#!/bin/sh
# Writes the Rust crate to build/rust, and tests it as its users have it, unpacked by itself and with no installed library:
#
#     Scripts/check-rust.sh [VADMON]      build/program/bin/vadmon, whose segments it must find
#
# The tests run with the library built by gcc and by clang, with the portable body, and under valgrind.
set -eu
cd "$(dirname "$0")/.."
vadmon=$(realpath "${1:-build/program/bin/vadmon}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$PATH:$HOME/.cargo/bin

say() { echo "check-rust: $*"; }
fail() { say "$*" >&2; exit 1; }
[ -x "$vadmon" ] || fail "$vadmon is missing; make build makes it"
command -v cargo > /dev/null || fail "there is no cargo; rustup or Debian's cargo-web installs it"
clang="$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/clang"

Packaging/package-crate.sh "$vadmon" build/rust
crate=$(echo build/rust/*.crate)
tar -xzf "$crate" -C "$work"
export CARGO_TARGET_DIR="$PWD/build/rust/target" PKG_CONFIG=/bin/false CFLAGS=-Werror
cd "$work/$(basename "$crate" .crate)"

quietly() { "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; fail "$*"; }; }
say "$(basename "$crate"), with the one recording that is in it"
quietly cargo test --quiet --offline --locked
(cd "$OLDPWD" && Scripts/labelled-recordings.sh "$vadmon" "$work/recordings")
cp "$work"/recordings/* tests/data
say "the tests"
cargo test --quiet --offline --locked --release
say "the tests, portable body"
VA_CPU=portable cargo test --quiet --offline --locked --release --tests
say "the tests, clang"
CC=$clang quietly cargo test --quiet --offline --locked --release --tests
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
cargo bench --quiet --offline --locked
say "a compiler that is missing"
if CC=no-such-compiler cargo build --offline --locked > "$work/log" 2>&1; then fail "it builds without a compiler"; fi
grep -q "voiceactivity: no-such-compiler cannot be started" "$work/log" || { cat "$work/log" >&2; fail "it does not say that the compiler is missing"; }
say "passed"
