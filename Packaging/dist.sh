#!/bin/sh
# Packs vadmon for machines without Swift, from build/program:
#
#     build/dist/vadmon-VERSION-MACHINE-linux.tar.xz    the program, its libraries, manual, completions and licences
#     build/dist/vadmon-VERSION-MACHINE-linux.spdx.json what is in it (SPDX 2.3); the archive contains it too
#     build/dist/SHA256SUMS
#
# The libraries beside the program are those of this Debian, byte for byte. glibc is not among them: the program needs
# one at least as new as the README in the archive states. The same commit packed twice gives the same bytes.
set -eu
cd "$(dirname "$0")/.."
script=dist
. Packaging/packing.sh
require dpkg-query git patchelf objdump swift tar xz
read_version

begin build/dist.new
licences=share/doc/vadmon/licences

install -D -m 755 "$program" "$tree/bin/vadmon"
(cd build/program && find share -type f) | while read -r file; do
  install -D -m 644 "build/program/$file" "$tree/$file"
done

# Of these two the system's come first. Its libasound finds the system's plugins, for example PulseAudio's. Its libgcc_s
# may be newer, and is then needed by what those plugins load.
other_libraries > "$work/libraries"
while read -r library; do
  case $library in
    */libasound.so.* | */libgcc_s.so.*) folder=lib/vadmon/fallback ;;
    *) folder=lib/vadmon ;;
  esac
  take "$library" "$folder/$(basename "$library")"
done < "$work/libraries"
take .build/static/libstdc++.a ""
# DT_RPATH, because unlike DT_RUNPATH it also holds for the libraries of libraries. The loader replaces $LIB.
patchelf --force-rpath --set-rpath '$ORIGIN/../lib/vadmon:/usr/$LIB:/$LIB:$ORIGIN/../lib/vadmon/fallback' "$tree/bin/vadmon"

install -D -m 644 LICENSE "$tree/$licences/vadmon/LICENSE"
glibc=$(for file in "$tree/bin/vadmon" "$tree"/lib/vadmon/*.so.*; do objdump -T "$file"; done |
  grep -o 'GLIBC_2[0-9.]*' | sort -Vu | tail -n 1 | sed 's/GLIBC_//')
cat > "$tree/README" << END
vadmon $version finds speech in recordings and live, and speech while muted. It needs Linux on $(uname -m) with glibc $glibc or later.
Run bin/vadmon from here, or install it: cp -R bin lib share /usr/local
man vadmon is the manual. Licences, and the sources of the libraries: share/doc/vadmon
END
python3 Packaging/make-sbom.py --swift-licences "$tree/$licences" "$version" "$commit" "$tree" "$manifest" > "$work/$name.spdx.json"
install -m 644 "$work/$name.spdx.json" "$tree/share/doc/vadmon/sbom.spdx.json"

archive --directory "$work" "$name" | xz -9 --threads=1 > "$work/$name.tar.xz"
(cd "$work" && sha256sum "$name.tar.xz" "$name.spdx.json" > SHA256SUMS)
rm -rf "$work/libraries" "$work/tmp" build/dist
mv "$work" build/dist
echo "dist: build/dist/$name.tar.xz, $(stat -c %s "build/dist/$name.tar.xz") bytes, needs glibc $glibc"
