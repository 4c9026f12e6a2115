#!/bin/sh
# Proves that the archive of `make dist` is whole, that packing again gives the same bytes, and that it runs where
# nothing but glibc is installed: in place, from a folder with a space, through a link, and copied to a PREFIX.
set -eu
cd "$(dirname "$0")/.."
. Packaging/empty-root.sh
root=$work/root

[ -e build/dist/SHA256SUMS ] || fail "build/dist is missing; make dist makes it"
(cd build/dist && sha256sum --check --strict --quiet SHA256SUMS) || fail "the checksums are wrong"
cp build/dist/SHA256SUMS "$work/first"
(umask 077 && HOME=/proc/nonexistent Packaging/dist.sh > "$work/log" 2>&1) || fail "packing again fails: $(cat "$work/log")"
diff "$work/first" build/dist/SHA256SUMS || fail "packing again gives other bytes"

# The root has the files of glibc that the loader opens, and the recordings.
for library in $(ldd "$here" | grep -oE '/[^ ]*/(ld-linux[^ ]*|libc|libm)\.so[^ ]*'); do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
cp -R samples "$root/samples"
mkdir -p "$root/opt/a folder" "$root/usr/bin" "$root/usr/local"
tar --extract --directory "$root/opt/a folder" --file build/dist/vadmon-*.tar.xz
folder=$(cd "$root/opt/a folder" && echo vadmon-*)
tree="$root/opt/a folder/$folder"
! find "$tree" -not -type l -not -perm -o=r | grep . || fail "not everybody may read these files"
! find "$tree" -perm /022 | grep . || fail "others may write these files"

check_sbom "$tree/share/doc/vadmon/sbom.spdx.json" "$tree" "$tree/share/doc/vadmon/licences"
cmp "$tree/share/doc/vadmon/sbom.spdx.json" "build/dist/$folder.spdx.json" || fail "the archive has another SBOM than the folder"
rm -rf "$work/share"
cp -R "$tree/share" "$work/share"
rm -r "$work/share/doc"
diff -r build/program/share "$work/share" || fail "the manual or the completions differ from those of make build"

run_all() {
  same --version
  same analyze samples
  same analyze samples --format json
  same analyze missing.wav
  same analyze samples/speech.txt
  same pause samples/traces/falling-line.jsonl --summary
  no_microphone devices
  no_microphone live --duration 1s
  no_microphone live --device hw:0
}

ln -s "/opt/a folder/$folder/bin/vadmon" "$root/usr/bin/vadmon"
run_all
rm "$root/usr/bin/vadmon"
needed=$(sed -n 's/.*\(glibc [0-9.]*[0-9]\) or later.*/\1/p' "$tree/README")
grep -q "$needed or later" docs/install.md && grep -q "$needed and nothing else" CHANGELOG.md ||
  fail "docs/install.md or CHANGELOG.md states another version than the $needed that the archive needs"
line=$(sed -n 's/.*install it: //p' "$tree/README" | grep '^cp .* /usr/local$') || fail "README does not say how to install"
(cd "$tree" && ${line%/usr/local} "$root/usr/local") || fail "the line in README does not install"
rm -r "$root/opt"
run_all

# The system's libasound comes first, the other libraries are the archive's.
asound=$(ldd "$here" | grep -o '/[^ ]*/libasound.so[^ ]*')
mkdir -p "$root$(dirname "$asound")"
cp -L "$asound" "$(dirname "$asound")/libsndfile.so.1" "$root$(dirname "$asound")"
same --version
in_root "$(ldd "$here" | grep -o '/[^ ]*/ld-linux[^ ]*')" --list /usr/local/bin/vadmon > "$work/said"
grep -q "libasound.so.2 => $asound " "$work/said" && grep -q 'libsndfile.so.1 => /usr/local/' "$work/said" ||
  fail "vadmon loads other libraries than docs/install.md promises: $(cat "$work/said")"

# Without one of its libraries, the loader names it.
rm "$root"/usr/local/lib/vadmon/libFLAC.so.*
in_root vadmon --version > "$work/said" 2>&1 && fail "vadmon runs without libFLAC"
grep -q 'libFLAC.so' "$work/said" || fail "without libFLAC, vadmon says: $(cat "$work/said")"

echo "check-dist: $folder.tar.xz, $(stat -c %s "build/dist/$folder.tar.xz") bytes, runs beside glibc alone; packing again gives the same bytes"
