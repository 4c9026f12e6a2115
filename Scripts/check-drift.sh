#!/bin/sh
# Proves that the detector works as well after a day of sound as when new, and that it has settled within half a second:
# Tests/Drift/drift.c, on the labelled recordings of samples/. It takes about a minute on an idle core.
set -eu
cd "$(dirname "$0")/.."

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Swift's own clang, which compiles the core everywhere else too.
clang="$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/clang"
"$clang" -std=c11 -O2 -Wall -Wextra -Werror -ICSupport/CVoiceActivity/include \
  Tests/Drift/*.c CSupport/CVoiceActivity/*.c -lm -o "$out/drift"

# All samples with one channel at 16 kHz; the first is the one without noise.
set -- speech speech-cafe-10db speech-fan-0db muted-talk keyboard music
for name; do
  sox -D "samples/$name.flac" -t f32 "$out/$name.f32"
  cp "samples/$name.txt" "$out/"
done

cd "$out"
failed=0
./drift day "$@" || failed=1
./drift warm "$1" || failed=1
exit $failed
