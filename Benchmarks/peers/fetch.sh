#!/bin/sh
# Fetches the peers in requirements.txt and optional.txt from PyPI into .build-peers, if they are not there yet: a
# Python environment with the peers, and WebRTC's C sources in cbits/.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/.build-peers

cmp -s "$here/requirements.txt" "$build/installed.txt" || rm -rf "$build/cbits"
"$root/Scripts/python-environment.sh" "$here/requirements.txt" "$build"
if ! cmp -s "$here/optional.txt" "$build/python/optional.txt"; then
  complete=yes
  for package in $(sed 's/#.*//' "$here/optional.txt"); do
    "$build/python/bin/pip" --quiet --retries 2 --disable-pip-version-check install --no-deps --only-binary :all: \
      "$package" 2> "$build/log" ||
      { complete=; echo "fetch: PyPI does not give $package for this machine; the comparison goes without it" >&2; }
  done
  [ -z "$complete" ] || cp "$here/optional.txt" "$build/python/optional.txt"
fi
if [ ! -d "$build/cbits" ]; then # only the source package contains WebRTC's C sources
  rm -f "$build"/webrtcvad*.tar.gz
  "$build/python/bin/pip" --quiet --retries 2 --disable-pip-version-check download --no-deps \
    --no-binary webrtcvad-wheels --dest "$build" "$(grep webrtcvad-wheels "$here/requirements.txt")" 2> "$build/log" ||
    {
      echo "fetch: PyPI does not give WebRTC's sources; is there a network? pip says: $(tail -n 1 "$build/log")" >&2
      exit 69
    }
  tar -xzf "$build"/webrtcvad*.tar.gz -C "$build" --strip-components 1
fi
