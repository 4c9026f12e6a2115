#!/bin/sh
# Compiles the C program in README.md as it stands there, with gcc and with clang, and runs it on a sample.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

! grep -n '@[A-Z]*@' README.md # a number that nobody measured

sed -n '/^```c$/,/^```$/p' README.md | sed '1d;$d' > "$work/app.c"
sox -G samples/speech.flac -t f32 -r 16000 -c 1 "$work/speech.f32"
for compiler in gcc "$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/clang"; do
  "$compiler" -O2 -std=c11 -Wall -Wextra -Werror "$work/app.c" CSupport/CVoiceActivity/*.c \
    -ICSupport/CVoiceActivity/include -lm -o "$work/app"
  "$work/app" < "$work/speech.f32" > "$work/said"
  grep -q '^onset at [0-9.]* s$' "$work/said" && grep -q '^offset at' "$work/said" || {
    echo "check-readme: the program in README.md finds no speech in samples/speech.flac" >&2
    exit 1
  }
done
echo "check-readme: the C program in README.md builds and finds $(grep -c onset "$work/said") onsets"
