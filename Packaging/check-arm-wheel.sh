#!/bin/sh
# Runs the aarch64 wheel in Debian's arm64 Python under qemu, and compares what it finds in samples/ with what vadmon
# finds:
#
#     Packaging/check-arm-wheel.sh [VADMON]      build/program/bin/vadmon
#
# The Python comes from Debian into .build-wheels/arm64; the packages installed here do not change.
set -eu
cd "$(dirname "$0")/.."
vadmon=${1:-build/program/bin/vadmon}
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
  sox -G "$sample" -b 16 -e signed -c 1 "$work/$(basename "${sample%.*}").wav"
done
python3 -m zipfile -e build/wheels/*-manylinux*_aarch64.whl "$work/there"
qemu-aarch64 -L "$root" -E PYTHONHOME="$root/usr" -E PYTHONPATH="$work/there" "$root/usr/bin/python3.11" \
  Bindings/python/tests/what_it_finds.py "$work"/*.wav > "$work/there.json"
Packaging/release/what_vadmon_finds.py "$vadmon" "$work"/*.wav > "$work/vadmon.json"
Packaging/release/compare_findings.py "The aarch64 wheel under qemu" "$work/vadmon.json" "$work/there.json"
