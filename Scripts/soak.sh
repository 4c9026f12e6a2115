#!/bin/sh
# Captures in real time for SECONDS (60), from the virtual device and from PulseAudio at once, and checks that no frame
# is lost, repeated or wrong. Do not use the machine meanwhile: the test measures the program's own losses, not those
# caused by other load.
#
#     Scripts/soak.sh [SECONDS]
#
# SWIFT_TESTING: the flags of `make test`, so that nothing is rebuilt.
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
