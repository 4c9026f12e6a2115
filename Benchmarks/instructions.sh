#!/bin/sh
# Prints the number of instructions for a hop of 10 ms, stage by stage, as counted by valgrind's callgrind. Unlike
# times, the counts do not depend on the load of the machine. The C core is compiled with clang, as SwiftPM does for
# release.
#
#     Benchmarks/instructions.sh [--record] [RATE_HZ[:REFERENCE_HZ[xCHANNELS]|:smoothed]…]
#
# The default is 16000 48000 16000:16000 16000:smoothed. With a second rate, the stream is analysed beside what a
# loudspeaker plays, which has that rate and so many channels; `smoothed` counts what the smoother adds. --record counts
# at all rates of figures.toml and writes them there; Scripts/generate_tables.py takes them to the pages.
#
# The number of a stage includes the functions that it calls. The AVX2 column needs a processor with AVX2.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
core=$here/../CSupport/CVoiceActivity
clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
figures=$here/figures.toml
if [ "${1:-}" = --record ]; then
  set -- $(sed -n '/^\[hop\]/,/^$/s/^"\(.*\)" = .*/\1/p' "$figures")
  sed -i "/^\[hop\]/,/^\$/s/^date = .*/date = $(date +%F)/" "$figures"
  recorded=yes
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Without -g: valgrind 3.19 cannot read this clang's DWARF 5, and the function names are enough.
"$clang" -O2 -fPIC -fno-omit-frame-pointer -fblocks -std=c11 -I "$core/include" \
  "$here/instructions.c" "$core"/*.c -lm -o "$work/instructions"

# The stages in the order of hop.c.
stages='
whole                   whole_hop
va_copy_clean           .NaN,_clipping
va_resampler_process    .resampler
va_level_of             .level
va_posterior_measure    .levels
va_power_spectrum_of    . .window,_FFT,_power
va_bands_of             . .bands
va_posterior_describe   .features
va_noise_floor_update   . .noise_floor
va_frame_of             . .frame
va_echo_measure         . .echo
va_echo_sums_of         . . .products_of_changes
va_echo_fits_of         . . .correlations
va_remove_echo_of       . . .path
va_echo_push_interleaved .reference
va_pitches_of           .pitch
va_network_steps_of     .network
va_posterior_decide      .posterior
va_hysteresis_step      .hysteresis
va_speaker_level_step   .speaker_level
va_mute_gate_step       .mute_gate
va_hop_record           .record_of_the_hop
va_smoother_process     smoother
'

# count RATE NAME: writes "function instructions-per-hop" lines to $work/NAME. The environment selects the SIMD body.
count() {
  case $1 in
    *:smoothed) collected=--toggle-collect=va_smoother_process ;;
    *) collected="--toggle-collect=va_detector_process --toggle-collect=va_echo_push_interleaved" ;;
  esac
  valgrind --tool=callgrind --callgrind-out-file="$work/profile" $collected "$work/instructions" "$1" > "$work/said" 2> "$work/log" || { cat "$work/log" >&2; exit 70; }
  read -r hops simd bytes < "$work/said"
  callgrind_annotate --inclusive=yes --threshold=100 --auto=no "$work/profile" |
    awk -v hops="$hops" '/PROGRAM TOTALS/ { gsub(",", "", $1); printf "whole %.0f\n", $1 / hops }
      {
      name = $0; sub(/.*:/, "", name); sub(/ .*/, "", name); sub(/_(avx2|portable)$/, "", name); sub(/^va_half_/, "va_", name)
      count = $1; gsub(",", "", count)
      if (name ~ /^va_/) printf "%s %.0f\n", name, count / hops
    }' > "$work/$2"
}

for rate in ${*:-16000 48000 16000:16000 16000:smoothed}; do
  VA_CPU=portable count "$rate" portable
  count "$rate" best
  if [ "${recorded:-}" ]; then
    counts=$(awk '$1 == "whole" { printf "%s, ", $2 }' "$work/best" "$work/portable")
    sed -i "s/^\"$rate\" = .*/\"$rate\" = [$counts$bytes]/" "$figures"
  fi
  printf '%s Hz, instructions per hop   portable   %8s\n' "$rate" "$simd"
  echo "$stages" | while read -r function title; do
    [ -n "$function" ] || continue
    case $rate:$function in
      *:smoothed:va_smoother_process) ;;
      *:smoothed:* | *:va_smoother_process) continue ;;
      *:*:*) ;;
      *echo*) continue ;;
    esac
    awk -v function_name="$function" -v title="$title" '
      $1 == function_name { n[FILENAME] = $2 }
      END {
        gsub("_", " ", title); gsub(/\. ?/, "  ", title)
        if (n[ARGV[1]] == "" || n[ARGV[2]] == "") {
          print "no such stage any more: " function_name > "/dev/stderr"
          exit 1
        }
        printf "%-30s %10d %10d\n", title, n[ARGV[1]], n[ARGV[2]]
      }' "$work/portable" "$work/best"
  done
  echo
done
