#!/bin/sh
# Prints the compiler flags for finding the modules of a SwiftPM build, including C modules.
#
#     Scripts/module-flags.sh $(swift build -c release --show-bin-path)
set -eu
bin=$1
root=$(cd "$(dirname "$0")/.." && pwd)
printf -- '-I %s/Modules' "$bin"
for map in "$bin"/*.build/module.modulemap "$root"/CSupport/*/module.modulemap \
  "$bin"/../../checkouts/*/Sources/*/include/module.modulemap; do
  [ -f "$map" ] && printf -- ' -Xcc -fmodule-map-file=%s' "$map"
done
echo
