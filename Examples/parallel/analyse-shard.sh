#!/bin/sh
# Speech in the recordings that one shard names: the unit of work of run.sh and slurm.sbatch.
#
#     analyse-shard.sh SHARD RESULTS
#
# SHARD is a file of names, each with NUL behind it. RESULTS/SHARD.jsonl appears when every name has its line, and not
# before: that it is there says that the shard is done, and it is never done twice. VADMON is the program (default:
# vadmon), JOBS how many recordings it analyses at a time (default: 1).
#
# Exit codes: 0 done, bad recordings included, which are lines with their error; others as vadmon's, and 75 for results
# that are not whole. Run it again then.
set -eu

shard=$1 results=$2
result=$results/$(basename "$shard").jsonl

[ ! -e "$result" ] || exit 0
mkdir -p "$results"
part=$(mktemp "$result.XXXXXX")
trap 'rm -f "$part"' EXIT

# Behind the shell, which hears a signal at once then and passes on SIGTERM. vadmon writes what it has and ends by the
# signal, so that a part is never taken for the whole.
"${VADMON:-vadmon}" analyze --files-from "$shard" --null --format file-jsonl --accept-bad --quiet \
  --jobs "${JOBS:-1}" --output "$part" &
vadmon=$!
end() { kill "$vadmon"; wait "$vadmon" || exit "$1"; }
trap 'end 130' INT
trap 'end 143' TERM
wait "$vadmon"

names=$(tr -cd '\0' < "$shard" | wc -c)
if [ "$(wc -l < "$part")" -ne "$names" ]; then
  echo "analyse-shard.sh: the analysis of $shard was interrupted; run it again" >&2
  exit 75
fi
mv "$part" "$result"
