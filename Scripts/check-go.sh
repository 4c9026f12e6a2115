#!/bin/sh
# Writes the Go module to build/go, and tests it as its users have it, with no installed library:
#
#     Scripts/check-go.sh [VADMON]      build/program/bin/vadmon, whose segments it must find
#
# The tests run with the SIMD body that the processor has, with the portable one, under the race detector, built by
# clang, and for AArch64 under qemu if that is installed. A new module fetches it from build/go/proxy, and builds and runs
# what README.md shows.
set -eu
cd "$(dirname "$0")/.."
vadmon=$(realpath "${1:-build/program/bin/vadmon}")
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

say() { echo "check-go: $*"; }
fail() { say "$*" >&2; exit 1; }
[ -x "$vadmon" ] || fail "$vadmon is missing; make build makes it"
clang="$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/clang"
go=$PWD/build/go
readme=$PWD/Bindings/go/README.md
path=$(awk '$1 == "module" { print $2 }' Bindings/go/go.mod)

# As on a machine without the libraries.
export PKG_CONFIG=/bin/false GOCACHE="$go/cache" GOMODCACHE="$work/modules" GOFLAGS=-mod=mod GOPROXY=off CGO_CFLAGS="-O2 -Wall -Wextra -Werror"

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
  go test -run '^$' -fuzz "^$target\$" -fuzztime 5s . > "$work/log" 2>&1 || { cat "$work/log" >&2; fail "$target"; }
done
go test -run '^$' -bench . .

say "a new module, $published"
mkdir "$work/new"
cd "$work/new"
sed -n '/^```go$/,/^```$/p' "$readme" | sed '/^```/d' > main.go
[ -z "$(gofmt -l .)" ] || fail "gofmt would change the program in README.md"
export GOPROXY="file://$go/proxy" GONOSUMDB="$path" GOFLAGS=
go mod init example.com/new > "$work/log" 2>&1
go get "$path" >> "$work/log" 2>&1 && go build -o listen . >> "$work/log" 2>&1 || { cat "$work/log" >&2; fail "it does not build"; }
sox "$go/module/testdata/speech.wav" -t s16 - | ./listen > "$work/found"
[ "$(head -n 2 "$work/found" | tr '\n' ';')" = "onset at 0.72 s;offset at 1.44 s;" ] || fail "it prints: $(cat "$work/found")"
go test -count=1 "$path" # the module as it was fetched: read-only, with one recording
say "passed"
