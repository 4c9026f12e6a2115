#!/bin/sh
# Runs a command beside busy loops, as on a machine with other work, and exits with the command's exit code:
#
#     Scripts/under-load.sh COMMAND…
#
# LOOPS: the number of loops (4). They end with the command, and within a second if this script is killed.
set -eu
[ $# -gt 0 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 64; }

busy() {
  while kill -0 $$ 2> /dev/null; do # $$ is the script, in a subshell too
    turns=100000
    while [ $turns -gt 0 ]; do turns=$((turns - 1)); done
  done
}

loops=
left=${LOOPS:-4}
while [ "$left" -gt 0 ]; do
  busy &
  loops="$loops $!"
  left=$((left - 1))
done
trap 'kill $loops 2> /dev/null || true' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
"$@"
