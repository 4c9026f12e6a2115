#!/bin/sh
# Writes the Rust crate that is published: Bindings/rust with the C library's sources in it.
#
#     Packaging/package-crate.sh VADMON FOLDER      vadmon finds the segments that the crate's tests expect
#
# FOLDER/package is the crate's folder, FOLDER/voiceactivity-VERSION.crate the archive of it.
set -eu
vadmon=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "$0")/.."
package=$folder/package
rm -rf "$package"
mkdir -p "$package"

(cd Bindings/rust && cp -R Cargo.toml Cargo.lock README.md build.rs rustfmt.toml src tests examples "$package")
cp LICENSE "$package"
cp -R CSupport/CVoiceActivity "$package/core"
sed -n '/^FLAGS := /p' CSupport/libvoiceactivity/Makefile > "$package/core/flags"
rm -rf "$package/tests/data"
Scripts/labelled-recordings.sh "$vadmon" "$package/tests/data" speech
(cd "$package" && CARGO_TARGET_DIR="$folder/target" cargo package --quiet --allow-dirty --no-verify --offline)
rm -f "$folder"/*.crate
mv "$folder"/target/package/voiceactivity-*.crate "$folder"
