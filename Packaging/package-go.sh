#!/bin/sh
# Writes the Go module that is published: Bindings/go with the C library's sources in it, as modules hold nothing but
# their own folder, and cgo compiles nothing but the package's.
#
#     Packaging/package-go.sh VADMON FOLDER      vadmon finds the segments that the module's tests expect
#
# FOLDER/module is the module. FOLDER/proxy holds it as `GOPROXY=file://FOLDER/proxy` finds it.
set -eu
vadmon=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "$0")/.."
core=CSupport/CVoiceActivity
module=$folder/module
rm -rf "$module" "$folder/proxy"
mkdir -p "$module"

cp -R Bindings/go/. LICENSE "$module"
cp $core/*.h $core/include/voice_activity.h "$module"
# cgo refuses -fno-math-errno. The results are the same; a hop takes 1 % more instructions. It has warnings of its own.
flags=$(sed -n 's/^FLAGS := //p' CSupport/libvoiceactivity/Makefile | sed 's/ -W[^ ]*//g; s/ -fPIC//; s/ -fno-math-errno//')
sed -i "/Packaging\/package-go.sh/d; s|^#cgo CFLAGS:|& $flags|" "$module/core.go"
for source in $core/*.c; do
  { printf '//go:build !system\n\n'; cat "$source"; } > "$module/$(basename "$source")"
done
Scripts/labelled-recordings.sh "$vadmon" "$module/testdata" speech

python3 - "$module" "$folder/proxy" << 'END'
import json, pathlib, re, sys, zipfile

module, proxy = map(pathlib.Path, sys.argv[1:])
number = re.search(r'va_version\(void\) \{ return "([0-9.]+)"', (module / "library.c").read_text())
if not number:
    sys.exit("package-go: library.c states no version")
path = re.search(r"^module (\S+)$", (module / "go.mod").read_text(), re.M)[1]
version = "v" + number[1]
folder = proxy / path / "@v"
folder.mkdir(parents=True)
(folder / "list").write_text(version + "\n")
(folder / f"{version}.info").write_text(json.dumps({"Version": version, "Time": "2020-01-01T00:00:00Z"}) + "\n")
(folder / f"{version}.mod").write_bytes((module / "go.mod").read_bytes())
with zipfile.ZipFile(folder / f"{version}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for file in sorted(module.rglob("*")):
        if file.is_file():  # with one date for all, so that the same sources give the same bytes
            entry = zipfile.ZipInfo(f"{path}@{version}/{file.relative_to(module)}", (2020, 1, 1, 0, 0, 0))
            archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
END
