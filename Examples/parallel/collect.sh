#!/bin/sh
# Puts the shards' results together, once all are there: RESULTS/all.jsonl, one line for each name of all SHARDS.
#
#     collect.sh SHARDS RESULTS
#
# Exits with 75, and says how many, while shards are missing.
set -eu

shards=$1 results=$2

wanted=$(find "$shards" -type f | wc -l)
done=$(find "$results" -name '[0-9]*.jsonl' | wc -l)
if [ "$done" -ne "$wanted" ]; then
  echo "collect.sh: $done of $wanted shards are done; run the others" >&2
  exit 75
fi
find "$results" -name '[0-9]*.jsonl' -print0 | sort -z | xargs -0 cat > "$results/all.part"
mv "$results/all.part" "$results/all.jsonl"
echo "$(wc -l < "$results/all.jsonl") recordings, $(grep -c '^{"type": "error"' "$results/all.jsonl" || true) of them bad"
