#!/bin/sh
# Writes the recordings of samples/ as mono 16-bit WAV at their own rates, and beside each the segments that vadmon
# finds, as Audacity labels, for the tests of the bindings: NAME.txt has the detector's own, and NAME.cuts those that
# were joined, cut and padded. The table that all tests replay goes with them.
#
#     Scripts/labelled-recordings.sh VADMON FOLDER [NAME…]      all, or those named
set -eu
vadmon=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
shift 2
cd "$(dirname "$0")/.."
[ -x "$vadmon" ] || { echo "labelled-recordings: $vadmon is missing; make build makes it" >&2; exit 1; }

cp Tests/Contract/speaking-while-muted.txt "$folder"
for sample in samples/*.flac samples/*.wav; do
  name=$(basename "${sample%.*}")
  case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
  sox -G "$sample" -b 16 -e signed -c 1 "$folder/$name.wav"
  "$vadmon" analyze --no-config "$folder/$name.wav" --live --format audacity --min-silence 0 > "$folder/$name.txt"
  "$vadmon" analyze --no-config "$folder/$name.wav" --live --format audacity --min-silence 2s --min-speech 300ms --split 2s --pad 100ms \
    > "$folder/$name.cuts"
done
