#!/bin/sh
# Installs the missing packages of Scripts/dependencies.txt: those of the given groups, or of build and test.
#
#     Scripts/install-dependencies.sh [build] [test]
#
# If nothing is missing, it needs neither network nor root, and changes nothing.
set -eu

list=$(dirname "$0")/dependencies.txt
groups=${*:-build test}

if ! command -v swift > /dev/null; then
  echo "Swift 6.3 or later is needed and not on PATH; see https://www.swift.org/install/linux" >&2
  exit 1
fi

for group in $groups; do
  if ! awk -v group="$group" '!/^#/ && $2 == group { found = 1 } END { exit !found }' "$list"; then
    echo "there is no group '$group' of packages in $list: write one of its second column" >&2
    exit 64
  fi
done

wanted() {
  for group in $groups; do
    awk -v group="$group" '!/^#/ && $2 == group { print $1 }' "$list"
  done
}

is_installed() {
  dpkg-query --show --showformat='${db:Status-Status}\n' "$1" 2> /dev/null | grep -qx installed
}

if ! command -v dpkg-query > /dev/null; then
  echo "This is no Debian system: please see for yourself that you have what these packages hold:" >&2
  wanted >&2
  exit 0
fi

missing=
for package in $(wanted); do
  is_installed "$package" || missing="$missing $package"
done
if [ -z "$missing" ]; then
  exit 0
fi

as_root=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo > /dev/null; then
    echo "Packages are missing and there is no sudo. As root, run: apt-get install$missing" >&2
    exit 1
  fi
  as_root="sudo"
fi

echo "Installing:$missing"
$as_root apt-get update --quiet --quiet
$as_root env DEBIAN_FRONTEND=noninteractive \
  apt-get install --yes --quiet --no-install-recommends $missing
