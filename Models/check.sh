#!/bin/sh
# Checks the models of the ring with spin: every size must hold, and every seeded bug must be found, for a
# check that cannot fail proves nothing. Needs spin and a C compiler. About a minute.
#
# spin explores sequential consistency only; see the heads of the models for what that leaves open.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

compiler=${CC:-$(command -v cc || command -v clang)}

# explore MODEL DEFINE…: 0 if no error is reachable, 1 if one is; anything else stops the script.
explore() {
  model=$1
  shift
  spin -a "$@" "$here/$model" > spin.log 2>&1 || { cat spin.log; exit 2; }
  "$compiler" -O2 -w -DSAFETY -o pan pan.c || exit 2
  ./pan -m100000 > pan.log 2>&1 || { cat pan.log; exit 2; }
  if grep -Eq 'max search depth too small|out of memory|Search not completed' pan.log \
    && ! grep -q 'pan:1:' pan.log; then
    cat pan.log
    exit 2
  fi
  grep -q 'errors: 0' pan.log
}

holds() {
  if explore "$@"; then
    echo "  holds: $* ($(awk '/states, stored/ { print $1; exit }' pan.log) states)"
  else
    echo "FAILED: $*" >&2
    cat pan.log >&2
    exit 1
  fi
}

rejects() {
  if explore "$@"; then
    echo "FAILED: the seeded bug was not found: $*" >&2
    exit 1
  fi
  echo "  found: $* ($(sed -n 's/^pan:1: \(.*\) (at depth.*/\1/p' pan.log))"
}

echo "ring.pml: indices, gap marks, end of stream"
for marks in 1 2; do
  holds ring.pml -DCAPACITY=1 -DMARKS=$marks -DBLOCKS=6
  holds ring.pml -DCAPACITY=2 -DMARKS=$marks -DBLOCKS=5
  holds ring.pml -DCAPACITY=3 -DMARKS=$marks -DBLOCKS=4
done
for bug in ONE_TOO_MANY NO_MARK_CHECK MARK_AFTER_SAMPLES PUBLISH_FIRST LOSS_FORGOTTEN FLAG_LAST \
  MARKS_BEFORE_INDEX GAP_TOO_EARLY GIVE_BACK_FIRST LAST_GAP_FORGOTTEN; do
  rejects ring.pml -DCAPACITY=2 -DMARKS=1 -DBLOCKS=5 -DBUG_$bug
done

echo "wake.pml: sleepers are woken"
for room in 1 2 3; do
  for wanted in $(seq $room); do
    holds wake.pml -DROOM=$room -DITEMS=5 -DWANTED=$wanted
  done
done
for bug in NEVER_WAKE LOOK_FIRST LOOK_FIRST_READER WAKE_FIRST PATIENT_END SILENT_END; do
  rejects wake.pml -DROOM=3 -DITEMS=5 -DWANTED=3 -DBUG_$bug
done
