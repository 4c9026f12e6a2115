#!/bin/sh
# Compiles the C in README.md and the program at the top of voice_activity.h exactly as printed, with gcc and with
# clang, and runs them: the program must find the labelled phrases of a sample.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

! grep -n '@[A-Z]*@' README.md docs/*.md # a placeholder without a measured number

{
  printf '#include <inttypes.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <voice_activity.h>\n'
  printf 'static float samples[480];\nint main(void) {\n'
  sed -n '/^```c$/,/^```$/p' README.md | sed '1d;$d'
  printf '}\n'
} > "$work/app.c"
sed -n '/^ \*     /{s///; p; /^}$/q}' CSupport/CVoiceActivity/include/voice_activity.h > "$work/header.c"
sox -G samples/speech.flac -t f32 -r 16000 -c 1 "$work/speech.f32"
for compiler in gcc "$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/clang"; do
  for program in app header; do
    "$compiler" -O2 -std=c11 -Wall -Wextra -Werror "$work/$program.c" CSupport/CVoiceActivity/*.c \
      -ICSupport/CVoiceActivity/include -lm -o "$work/$program"
  done
  "$work/app" || { echo "check-readme: the C in README.md fails" >&2; exit 1; }
  "$work/header" < "$work/speech.f32" > "$work/said"
  # Labels are lines of START END. An onset or an offset may differ from its label by 0.3 s.
  awk '{ print "onset", $1; print "offset", $2 }' samples/speech.txt | paste -d ' ' - "$work/said" |
    awk '$1 != $3 || ($5 - $2) ^ 2 > 0.3 ^ 2 { print; bad = 1 } END { exit bad || NR < 8 }' || {
    echo "check-readme: the program at the head of voice_activity.h does not find the phrases of samples/speech.txt" >&2
    exit 1
  }
done
echo "check-readme: the C in README.md and voice_activity.h builds and finds $(grep -c onset "$work/said") phrases"
