#!/bin/sh
# Builds recordings of every kind with independent encoders, taggers and by hand, and compares what vadmon reads of them
# with what is right by construction. Prints every difference and the counts by kind.
#
#     Scripts/check-files.sh [VADMON [OPTION…]]      build/program/bin/vadmon; the options are those of check-files.py
#
# The tagger comes from PyPI into .build-files; the encoders are Debian's.
set -eu
cd "$(dirname "$0")/.."
vadmon=$(realpath "${1:-build/program/bin/vadmon}")
[ -x "$vadmon" ] || { echo "check-files: $vadmon is missing; make build makes it" >&2; exit 1; }
[ $# -eq 0 ] || shift

Scripts/python-environment.sh Scripts/requirements-files.txt .build-files
PYTHONDONTWRITEBYTECODE=1 .build-files/python/bin/python Scripts/check-files.py "$@" "$vadmon"
