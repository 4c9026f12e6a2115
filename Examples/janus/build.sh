#!/bin/sh
# Builds the driver of this folder, and the client of Examples/sfu, which publishes:
#
#     Examples/janus/build.sh FOLDER
#
# FOLDER gets `driver`, `client`, and the installed libraries.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
"$here/../sfu/build.sh" "$1"
folder=$(cd "$1" && pwd)
export GOFLAGS="-mod=mod -tags=system" GOPROXY=off GOCACHE="$folder/cache"
export PKG_CONFIG_PATH="$folder/installed/lib/pkgconfig" CGO_LDFLAGS="-Wl,-rpath,$folder/installed/lib"
cd "$here"
go build -o "$folder/driver" ./driver
