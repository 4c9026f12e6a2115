#!/bin/sh
# Compiles the C programs in README.md and at the head of voice_activity.h as they stand there, with gcc and with clang, and
# runs them on a sample: both find the same. Compares README.md's table of presets with the core's.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

! grep -n '@[A-Z]*@' README.md # a number that nobody measured

sed -n '/^```c$/,/^```$/p' README.md | sed '1d;$d' > "$work/app.c"
sed -n '/^ \*     /{s///; p; /^}$/q}' CSupport/CVoiceActivity/include/voice_activity.h > "$work/header.c"
sox -G samples/speech.flac -t f32 -r 16000 -c 1 "$work/speech.f32"
for compiler in gcc "$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/clang"; do
  "$compiler" -O2 -std=c11 -Wall -Wextra -Werror "$work/app.c" CSupport/CVoiceActivity/*.c \
    -ICSupport/CVoiceActivity/include -lm -o "$work/app"
  "$work/app" < "$work/speech.f32" > "$work/said"
  "$compiler" -O2 -std=c11 -Wall -Wextra -Werror "$work/header.c" CSupport/CVoiceActivity/*.c \
    -ICSupport/CVoiceActivity/include -lm -o "$work/header"
  "$work/header" < "$work/speech.f32" | diff "$work/said" - || {
    echo "check-readme: the program at the head of voice_activity.h (>) does not find what README.md's finds (<)" >&2
    exit 1
  }
  grep -q '^onset at [0-9.]* s$' "$work/said" && grep -q '^offset at' "$work/said" || {
    echo "check-readme: the program in README.md finds no speech in samples/speech.flac" >&2
    exit 1
  }
done
cat > "$work/presets.c" <<'END'
#include <stdio.h>
#include <voice_activity.h>

static void hundredths(float threshold) { printf(".%02.0f | ", 100 * (double)threshold); }

int main(void) {
  va_config config;
  for (int preset = 0; va_config_preset(&config, 16000, (va_preset)preset) == VA_OK; preset++) {
    hundredths(config.onset_threshold), hundredths(config.offset_threshold);
    printf("%u ms | %u ms |\n", config.onset_debounce_ms, config.hangover_ms);
  }
}
END
gcc -std=c11 -Wall -Wextra -Werror "$work/presets.c" CSupport/CVoiceActivity/*.c \
  -ICSupport/CVoiceActivity/include -lm -o "$work/presets"
"$work/presets" > "$work/numbers"
sed -n 's/^| `\(conversation\|notice\|transcription\)`.* | \([^|]* | [^|]* | [^|]* | [^|]* |\)$/\2/p' README.md |
  diff - "$work/numbers" || {
  echo "check-readme: README.md's table of presets (<) is not the core's (>): CSupport/CVoiceActivity/library.c" >&2
  exit 1
}

echo "check-readme: the C programs in README.md and voice_activity.h build and find $(grep -c onset "$work/said") onsets;" \
  "the presets are the core's"
