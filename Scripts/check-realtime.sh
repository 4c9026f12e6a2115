#!/bin/sh
# Proves that the C core's calls neither allocate, nor enter the kernel, nor block: Tests/RealTime/realtime.c.
set -eu
cd "$(dirname "$0")/.."

# Swift's own clang, because Debian 12's has no RealtimeSanitizer.
clang="$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/clang"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

build() { # name, flags…
  name=$1; shift
  "$clang" -std=c11 -O2 -Wall -Wextra -Werror "$@" -ICSupport/CVoiceActivity/include \
    Tests/RealTime/realtime.c CSupport/CVoiceActivity/*.c -lm -o "$out/$name"
}

build plain
build sanitized -g -fsanitize=realtime
for cpu in native avx2 portable; do
  VA_CPU=$cpu "$out/plain" malloc
  VA_CPU=$cpu "$out/plain" kernel
  VA_CPU=$cpu "$out/sanitized" blocking
done
