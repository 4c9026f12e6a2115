#!/bin/sh
# Checks the page of `vadmon analyze --report`: its decisions against vadmon's, for many settings; the page itself in
# headless Chromium, opened from the disk; the size of two hours. Writes screenshots to build/report.
#
# VADMON    the program (build/program/bin/vadmon)
set -eu
cd "$(dirname "$0")/.."
VADMON=${VADMON:-build/program/bin/vadmon} SHOTS=$PWD/build/report exec node --test Tests/ReportPage
