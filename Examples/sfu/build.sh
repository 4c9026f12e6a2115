#!/bin/sh
# Builds the server and the client of this folder with Debian's packages of Pion, against the two libraries:
#
#     Examples/sfu/build.sh FOLDER
#
# FOLDER gets `server`, `client`, the installed libraries, and the folder in which Go finds this source.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1/go/src/example.com"
folder=$(cd "$1" && pwd)
make --silent -C "$root" install-lib install-videopause PREFIX="$folder/installed" > "$folder/log" 2>&1 ||
  { cat "$folder/log" >&2; exit 70; }
ln -sfn "$root/Bindings/go" "$folder/go/src/example.com/voiceactivity"
ln -sfn "$root/Examples/sfu" "$folder/go/src/example.com/sfu"
# Debian's Go packages are not modules; imports of their major versions (/v3) need a go.mod beside the source.
export GO111MODULE=off GOPATH="$folder/go:/usr/share/gocode" GOCACHE="$folder/cache" GOFLAGS=-tags=system
export PKG_CONFIG_PATH="$folder/installed/lib/pkgconfig" CGO_LDFLAGS="-Wl,-rpath,$folder/installed/lib"
cd "$folder/go/src/example.com/sfu"
for program in server client; do go build -o "$folder/$program" "example.com/sfu/$program"; done
