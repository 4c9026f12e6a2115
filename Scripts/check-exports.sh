#!/bin/sh
# Proves the formats of vadmon analyze with the parsers of the tools that they are for, and reads back what those tools
# write. Prints a table of formats, parsers and verdicts.
#
#     Scripts/check-exports.sh [VADMON]      build/program/bin/vadmon
#
# The parsers come from PyPI into .build-exports; ffmpeg is Debian's.
set -eu
cd "$(dirname "$0")/.."
vadmon=$(realpath "${1:-build/program/bin/vadmon}")
[ -x "$vadmon" ] || { echo "check-exports: $vadmon is missing; make build makes it" >&2; exit 1; }

Scripts/python-environment.sh Scripts/requirements-exports.txt .build-exports
.build-exports/python/bin/python Scripts/check-exports.py "$vadmon"
