#!/bin/sh
# Cuts a list of names into shards of COUNT each: SHARDS/00000, 00001 …
#
#     find /data -name '*.flac' -print0 | make-shards.sh COUNT SHARDS
#
# SHARDS must not be there yet: other shards under the same names would not fit the results that they have.
set -eu

count=$1 shards=$2
mkdir "$shards"
split --separator='\0' --lines="$count" --suffix-length=5 --numeric-suffixes - "$shards/"
