#!/bin/sh
# Analyses all shards on this machine, or on those of GNU parallel's --sshlogin, and puts the results together.
#
#     run.sh SHARDS RESULTS [OPTION OF PARALLEL…]
#
# Run it again, with the same words, after whatever stopped it: shards that are done are passed over. RESULTS/log has a
# line for each run of a shard: when, where, how long, exit code. A shard that fails is tried three times.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
shards=$1 results=$2
shift 2

mkdir -p "$results"
# --resume-failed: those that the log has as done are not even started; those that failed are.
# SIGTERM, then SIGKILL after 5 s: what is sent to shards when parallel itself is ended.
find "$shards" -type f -print0 | sort -z |
  parallel --null --will-cite --joblog "$results/log" --resume-failed --retries 3 --termseq TERM,5000,KILL "$@" \
    "$here/analyse-shard.sh" {} "$results"
"$here/collect.sh" "$shards" "$results"
