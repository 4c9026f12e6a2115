#!/bin/sh
# Proves that programs linked with an earlier libvoiceactivity of the same SONAME continue to work: its exported
# functions and their types match the checked-in description (abidiff, x86-64), and every public field and value is
# where abi/layout.c expects it (any 64-bit machine). It then proves that both checks detect a fault: a missing symbol
# and a moved field.
#
#     Scripts/check-abi.sh            checks
#     Scripts/check-abi.sh --write    writes the description again after a function was added; review the difference
set -eu
cd "$(dirname "$0")/.."
library=CSupport/libvoiceactivity
headers=CSupport/CVoiceActivity/include
description=$library/abi/x86_64.abi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "check-abi: $*" >&2
  exit 1
}

# The description is derived from gcc's debug information, which is incomplete for optimised code.
build() { make --silent -f "$1/Makefile" lib CC=gcc CFLAGS='-O0 -g' BUILD="$work/build"; }
compare() { abidiff --headers-dir2 "$headers" --drop-private-types "$description" "$work"/build/libvoiceactivity.so.*; }
lay_out() { "$1" -std=c11 -Wall -Wextra -Werror -fsyntax-only -I"$2" "$library/abi/layout.c"; }

build $library
if [ "${1-}" = --write ]; then
  abidw --headers-dir "$headers" --drop-private-types --no-corpus-path --no-comp-dir-path --no-show-locs \
    --no-elf-needed --out-file "$description" "$work"/build/libvoiceactivity.so.*
fi
lay_out gcc "$headers" || fail "a public struct is not laid out as programs know it: $library/abi/layout.c"
if [ "$(uname -m)" = x86_64 ]; then
  compare || fail "the ABI changed; if functions were only added, write it anew: Scripts/check-abi.sh --write"
fi

cp -R CSupport "$work/broken"
sed -i '/^ *va_simd_name;/d' "$work/broken/libvoiceactivity/exports.map"
sed -i '/^  uint64_t decided_at;/{h;d};/^  uint64_t length_samples;/G' \
  "$work/broken/CVoiceActivity/include/voice_activity.h"
lay_out gcc "$work/broken/CVoiceActivity/include" 2> /dev/null && fail "a moved field was not noticed"
cp "$headers/voice_activity.h" "$work/broken/CVoiceActivity/include"
if [ "$(uname -m)" = x86_64 ]; then
  build "$work/broken/libvoiceactivity"
  compare > /dev/null && fail "a symbol that is gone was not noticed"
fi
echo "check-abi: the ABI is that of $description and $library/abi/layout.c; a moved field and a missing symbol are caught"
