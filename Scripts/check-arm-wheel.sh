#!/bin/sh
# Runs the aarch64 wheel in Debian's arm64 Python under qemu, and compares what it finds in samples/ with what the wheel of
# this machine finds: the same segments, and posteriors within the bound of voice_activity.h.
#
#     Scripts/check-arm-wheel.sh [FOLDER]      build/wheels
#
# The Python comes from Debian into .build-wheels/arm64; the packages installed here do not change.
set -eu
cd "$(dirname "$0")/.."
wheels=$(realpath "${1:-build/wheels}")
root=$PWD/.build-wheels/arm64
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ ! -x "$root/usr/bin/python3.11" ]; then
  rm -rf "$root"
  mkdir -p "$root" "$work/state/lists/partial" "$work/cache/archives/partial"
  : > "$work/status"
  arm64="-o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State=$work/state -o Dir::Cache=$work/cache
    -o Dir::State::status=$work/status -o APT::Sandbox::User=root"
  apt-get $arm64 --quiet --quiet update
  (cd "$work" && apt-get $arm64 --quiet --quiet download python3.11-minimal libpython3.11-minimal libpython3.11-stdlib \
    libc6 libexpat1 zlib1g)
  for package in "$work"/*.deb; do dpkg-deb -x "$package" "$root"; done
fi

for sample in samples/*.flac samples/*.wav; do
  sox -G "$sample" -b 16 -e signed "$work/$(basename "${sample%.*}").wav"
done
unpack() { python3 -m zipfile -e "$1" "$2"; }
unpack "$wheels"/*-manylinux*_x86_64.whl "$work/here"
unpack "$wheels"/*-manylinux*_aarch64.whl "$work/there"
PYTHONPATH=$work/here python3 Bindings/python/tests/what_it_finds.py "$work"/*.wav > "$work/here.json"
qemu-aarch64 -L "$root" -E PYTHONHOME="$root/usr" -E PYTHONPATH="$work/there" "$root/usr/bin/python3.11" \
  Bindings/python/tests/what_it_finds.py "$work"/*.wav > "$work/there.json"

python3 - "$work/here.json" "$work/there.json" << 'END'
import json, sys
here, there = (json.load(open(name)) for name in sys.argv[1:])
assert there["machine"] == "aarch64", there["machine"]
assert here["segments"] == there["segments"], "check-arm-wheel: the segments differ"
pairs = [pair for name, values in here["posteriors"].items() for pair in zip(values, there["posteriors"][name], strict=True)]
most = max(abs(one - other) for one, other in pairs)
assert most < 5e-3, f"check-arm-wheel: posteriors differ by {most}"
count = sum(map(len, here["segments"].values()))
print(f"The aarch64 wheel under qemu: the same {count} segments, posteriors within {most:.0e} over {len(pairs)} hops")
END
