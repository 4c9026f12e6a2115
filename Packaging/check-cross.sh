#!/bin/sh
# Runs the core as zig compiles it for the wheels of other systems, which have no Python here: the same flags, in a
# program. It must find in samples/ what vadmon finds.
#
#     Packaging/check-cross.sh FOLDER      the WAV files, and what vadmon finds in them: vadmon.json
#
# The core for musl runs natively and, for AArch64, under qemu; that for Windows under wine. Packaging/build-wheels.sh
# installs zig in .build-wheels.
set -eu
folder=$(realpath "$1")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
# Wine's server outlives its last program by some seconds, and writes into the folder.
trap 'WINEPREFIX=$work/wine /usr/lib/wine/wineserver64 -k 2> /dev/null; rm -rf "$work"' EXIT

python=.build-wheels/python/bin/python
flags="-g0 $(sed -n 's/^FLAGS := //p' CSupport/libvoiceactivity/Makefile | head -n 1)"
zig() { # target of Packaging/build-wheels.py, output
  $python -m ziglang cc $($python Packaging/build-wheels.py --zig "$1") $flags -Werror -ICSupport/CVoiceActivity/include \
    Packaging/release/what_it_finds.c Examples/C/wav.c CSupport/CVoiceActivity/*.c -lm -o "$work/$2"
}

compare() { # what, command…
  what=$1; shift
  "$@" "$folder"/*.wav > "$work/there.json" 2> "$work/log" || { cat "$work/log" >&2; exit 1; }
  Packaging/release/compare_findings.py "$what" "$folder/vadmon.json" "$work/there.json"
}
zig musl-x86_64 musl
compare "The core for musl" "$work/musl"
zig musl-aarch64 musl-aarch64
compare "The core for musl under qemu" qemu-aarch64 "$work/musl-aarch64"
zig windows-x86_64 windows.exe
compare "The core for Windows under wine" env WINEPREFIX="$work/wine" WINEDEBUG=-all /usr/lib/wine/wine64 "$work/windows.exe"
