#!/bin/sh
# Writes the CMake package that is published: Bindings/cpp with the C library's sources in it.
#
#     Packaging/package-cpp.sh VADMON FOLDER      vadmon finds the segments that the package's tests expect
#
# FOLDER/voiceactivity-cpp is the package's folder, FOLDER/voiceactivity-cpp.tar.gz the archive of it.
set -eu
vadmon=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "$0")/.."
package=$folder/voiceactivity-cpp
rm -rf "$package"
mkdir -p "$package"

(cd Bindings/cpp && cp -R CMakeLists.txt README.md voice_activity.hpp segments.cpp tests "$package")
cp LICENSE "$package"
cp -R CSupport/CVoiceActivity "$package/core"
sed -n '/^FLAGS := /p' CSupport/libvoiceactivity/Makefile > "$package/core/flags"
Scripts/labelled-recordings.sh "$vadmon" "$package/tests/data" speech
tar -czf "$package.tar.gz" --sort=name --mtime=2020-01-01 --owner=0 --group=0 --numeric-owner -C "$folder" voiceactivity-cpp
