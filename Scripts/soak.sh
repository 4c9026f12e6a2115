#!/bin/sh
# Captures in real time for SECONDS (60), from the virtual device and from PulseAudio at once, and checks that no frame is
# lost, repeated or wrong. Leave the machine alone meanwhile: it is to show what the program loses, not what others take.
#
#     Scripts/soak.sh [SECONDS]
#
# SWIFT_TESTING: the flags of `make test`, so that nothing is built again.
set -eu
cd "$(dirname "$0")/.."

seconds=${1:-60}
case $seconds in
'' | *[!0-9]* | 0)
  echo "soak: '$seconds' is no number of seconds; give one from 1" >&2
  exit 64
  ;;
esac

set -- ${SWIFT_TESTING:--c release -Xswiftc -enable-testing}
swift build --build-tests "$@"
SOAK_SECONDS=$seconds Scripts/run-tests.py "$(swift build --show-bin-path "$@")" --filter SoakTests
