#!/bin/sh
# Proves that the C library works on AArch64: it is cross-compiled with Debian's gcc and run as NEON code under qemu's
# user emulation. It must reproduce the network's stored vectors, pass Tests/Library's program and the self-checking
# server of Examples/C, and find the same segments in samples/ as the native build. It also counts the instructions of a
# hop.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cross=aarch64-linux-gnu-gcc

say() { echo "check-arm: $*"; }
fail() { say "$*" >&2; exit 1; }

# Builds the library and the examples with one compiler, linked statically, in $work/NAME.
build() { # name, compiler, prefix of its binutils
  make --silent install-lib CC="$2" OBJCOPY="${3}objcopy" AR="${3}ar" BUILD="$work/$1/build" CFLAGS='-O2 -g -Werror' PREFIX="$work/$1" > "$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "the library does not build with $2"
  }
  PKG_CONFIG_PATH=$work/$1/lib/pkgconfig make --silent -C Examples/C CC="$2" CFLAGS='-O2 -g -static' BUILD="$work/$1/bin" \
    LIBS="$work/$1/lib/libvoiceactivity.a -lm"
}

build native gcc ""
build arm "$cross" "${cross%gcc}"
"${cross%gcc}objdump" -f "$work/arm/lib/libvoiceactivity.a" | grep -q aarch64 || fail "$cross does not build for AArch64"
"${cross%gcc}objdump" -d "$work/arm/lib/libvoiceactivity.a" | grep -q 'smlal\|smull' ||
  fail "the gates' products are not NEON's"

core=CSupport/CVoiceActivity
"$cross" -static -O2 -std=c11 -Wall -Wextra -Werror -I"$core" -I"$core/include" Tests/Library/vectors.c "$core"/*.c -lm \
  -o "$work/vectors"
qemu-aarch64 "$work/vectors" Tests/CVoiceActivityTests/Fixtures/network-vectors.txt
# An echo is taken out of the same bands bit for bit.
gcc -O2 -std=c11 -Wall -Wextra -Werror -I"$core" -I"$core/include" Tests/Library/echo_bits.c "$core"/*.c -lm -o "$work/bits"
"$work/bits" > "$work/expected"
"$cross" -static -O2 -std=c11 -Wall -Wextra -Werror -I"$core" -I"$core/include" Tests/Library/echo_bits.c "$core"/*.c -lm \
  -o "$work/bits"
qemu-aarch64 "$work/bits" > "$work/found"
diff "$work/expected" "$work/found" || fail "the echo stage computes other bits (>) on AArch64 than here (<)"
"$cross" -static -O2 -std=c11 -Wall -Wextra -Werror -I"$work/arm/include" Tests/Library/use.c \
  "$work/arm/lib/libvoiceactivity.a" -lm -o "$work/use"
qemu-aarch64 "$work/use" "$(PKG_CONFIG_PATH=$work/arm/lib/pkgconfig pkg-config --modversion voiceactivity)"

count=0
for sample in samples/*.flac samples/*.wav; do
  sox -G "$sample" -b 16 -e signed -c 1 "$work/sample.wav"
  "$work/native/bin/segments" "$work/sample.wav" > "$work/expected"
  qemu-aarch64 "$work/arm/bin/segments" "$work/sample.wav" > "$work/found"
  diff "$work/expected" "$work/found" || fail "$sample: other segments (>) on AArch64 than here (<)"
  count=$((count + 1))
done
[ "$count" -ge 6 ] || fail "there are no samples"
sox -G samples/speech.flac -b 16 -e signed -c 1 "$work/speech.wav"
qemu-aarch64 "$work/arm/bin/server" --streams 50 "$work/speech.wav" > "$work/server" || { cat "$work/server"; fail "the server's sums are wrong"; }
# Valgrind cannot count another architecture's instructions. qemu logs each one, and the second pass over a second of
# speech adds nothing but its 100 hops.
logged() { # program, passes, raw sound
  qemu-aarch64 -singlestep -d nochain,exec "$1" "$2" "$3" 2>&1 > "$work/said" | grep -c '^Trace'
}
for rate in 16000 48000 8000; do
  "$cross" -static -O2 -std=gnu11 -fno-math-errno -DRATE_HZ=$rate -I"$work/arm/include" Benchmarks/peers/cost.c \
    Benchmarks/peers/cost_ours.c "$work/arm/lib/libvoiceactivity.a" -lm -o "$work/cost"
  sox -G "$work/speech.wav" -r $rate "$work/speech.s16" trim 0 1
  one=$(logged "$work/cost" 1 "$work/speech.s16")
  two=$(logged "$work/cost" 2 "$work/speech.s16")
  say "$(((two - one) / 100)) instructions for a hop at $rate Hz"
done
say "the stored vectors, the segments of $count samples and the sums of a server are right on AArch64"
