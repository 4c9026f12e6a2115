#!/bin/sh
# Tests the trait Metrics with swift-metrics' own test kit, and proves that packages without the trait do not fetch
# swift-metrics.
set -eu
cd "$(dirname "$0")/.."

folder=.build-metrics
swift package --scratch-path "$folder/without" resolve
if [ -e "$folder/without/checkouts/swift-metrics" ]; then
  echo "swift-metrics is fetched without the trait Metrics: see Package.swift" >&2
  exit 1
fi
# shellcheck disable=SC2086 -- several words
swift test --package-path Tests/Metrics --scratch-path "$folder/with" ${SWIFT_FLAGS:-}
