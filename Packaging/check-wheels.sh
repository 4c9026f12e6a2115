#!/bin/sh
# Runs the wheels in Pythons of Debian that are not installed here, and compares what they find in samples/ with what
# vadmon finds: that for AArch64 in Debian 12's Python 3.11 under qemu, that for x86-64 in Debian 13's Python 3.13.
#
#     Packaging/check-wheels.sh FOLDER      the WAV files, and what vadmon finds in them: vadmon.json
#
# The Pythons are unpacked into .build-wheels. The packages installed here do not change.
set -eu
folder=$(realpath "$1")
cd "$(dirname "$0")/.."
roots=$PWD/.build-wheels
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mirror=$(apt-cache policy | sed -n 's/^ *[0-9]* \([^ ]*\/debian\) bookworm\/main .*/\1/p' | head -n 1)
keys=/usr/share/keyrings/debian-archive-keyring.gpg

# Unpacks a Python, with the libraries that it loads. apt has a state of its own, in which nothing is installed.
unpack() { # architecture, release, version, C library's package and others…
  root=$roots/$1-$3
  [ ! -x "$root/usr/bin/python$3" ] || return 0
  rm -rf "$root" "$work/apt"
  mkdir -p "$root" "$work/apt/lists/partial" "$work/apt/archives/partial"
  : > "$work/apt/status"
  echo "deb [signed-by=$keys] ${mirror:-http://deb.debian.org/debian} $2 main" > "$work/apt/sources.list"
  apt="apt-get --quiet --quiet -o APT::Architecture=$1 -o APT::Architectures::=$1 -o Dir::State=$work/apt
    -o Dir::Cache=$work/apt -o Dir::State::status=$work/apt/status -o Dir::Etc::SourceList=$work/apt/sources.list
    -o Dir::Etc::SourceParts=/dev/null -o APT::Sandbox::User=root"
  $apt update
  python=$3
  shift 3
  (cd "$work/apt" && $apt download "python$python-minimal" "libpython$python-minimal" "libpython$python-stdlib" "$@")
  for package in "$work"/apt/*.deb; do dpkg-deb -x "$package" "$root"; done
}

compare() { # what, machine of the wheel, command…
  what=$1
  python3 -m zipfile -e build/wheels/*-manylinux*_"$2".whl "$work/$2"
  shift 2
  "$@" Bindings/python/tests/what_it_finds.py "$folder"/*.wav > "$work/wheel.json"
  Packaging/release/compare_findings.py "$what" "$folder/vadmon.json" "$work/wheel.json"
}

unpack arm64 bookworm 3.11 libc6 libexpat1 zlib1g
compare "The wheel for AArch64 in Python 3.11 under qemu" aarch64 \
  qemu-aarch64 -L "$root" -E PYTHONHOME="$root/usr" -E PYTHONPATH="$work/aarch64" "$root/usr/bin/python3.11"

[ "$(dpkg --print-architecture)" = amd64 ] || exit 0
unpack amd64 trixie 3.13 libc6 libexpat1 zlib1g
libraries=$root/usr/lib/x86_64-linux-gnu
compare "The wheel for x86-64 in Python 3.13" x86_64 env PYTHONHOME="$root/usr" PYTHONPATH="$work/x86_64" \
  "$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" "$root/usr/bin/python3.13"
