#!/bin/sh
# Makes the image of vadmon from what `make dist` packed, as build/image/vadmon-VERSION-MACHINE-linux.oci.tar, with its
# SBOM beside it. The image begins from scratch: it has no shell, no package manager and no user but a number. It has
# the packed program, libraries and licences, glibc, and what libasound reads to open a sound card. The same commit
# gives the same image.
#
# buildah keeps its store below build/image.new and needs neither a network nor a daemon. As root it also keeps a small
# cache of checksums in /var/lib/containers/cache, which no option moves.
set -eu
cd "$(dirname "$0")/.."
script=image
. Packaging/packing.sh
require buildah dpkg-query git swift
read_version
packed=build/dist/$name
[ -d "$packed" ] || fail "$packed is missing; make dist makes it"

begin build/image.new
licences=usr/share/doc/vadmon/licences

mkdir -p "$tree/usr/share" "$tree/data" "$tree/tmp"
cp -R "$packed/bin" "$packed/lib" "$tree/usr"
cp -R "$packed/share/doc" "$tree/usr/share"
sed 's|\t\(.\)|\tusr/\1|' build/dist/manifest > "$manifest"
libraries_of_glibc > "$work/libraries"
while read -r library; do take "$library" "${library#/}"; done < "$work/libraries"
dpkg-query --listfiles libasound2-data | grep '^/usr/share/alsa/' > "$work/alsa"
while read -r file; do [ ! -f "$file" ] || take "$file" "${file#/}"; done < "$work/alsa"
python3 Packaging/make-sbom.py "$version" "$commit" "$tree" "$manifest" > "$work/$name.spdx.json"
install -m 644 "$work/$name.spdx.json" "$tree/usr/share/doc/vadmon/sbom.spdx.json"
find "$tree" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
chmod 1777 "$tree/tmp"

# Its own folders, whatever HOME and the machine's configuration say.
export HOME="$work/tmp" TMPDIR="$work/tmp" XDG_RUNTIME_DIR="$work/tmp" BUILDAH_ISOLATION=chroot
in_store() {
  buildah --root "$work/store" --runroot "$work/tmp/run" --storage-driver vfs "$@"
}
container=$(in_store from --quiet scratch)
in_store copy --quiet --chown 0:0 "$container" "$tree" / > "$work/log"
in_store config --user 65532:65532 --workingdir /data --entrypoint '["/usr/bin/vadmon"]' --cmd '' --env PATH=/usr/bin \
  --created-by 'Packaging/image.sh' --author 'The voice-activity authors' \
  --label org.opencontainers.image.title=vadmon \
  --label org.opencontainers.image.description='Finds speech in recordings and live, and speech while muted' \
  --label org.opencontainers.image.version="$version" \
  --label org.opencontainers.image.revision="$commit" \
  --label org.opencontainers.image.created="$(date --utc --date="@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)" \
  --label org.opencontainers.image.licenses=Apache-2.0 \
  --label org.opencontainers.image.authors='The voice-activity authors' \
  "$container"
mkdir "$work/oci"
# A tag has no plus sign.
in_store commit --quiet --format oci --disable-compression=false --timestamp "$SOURCE_DATE_EPOCH" "$container" \
  "oci:$work/oci:vadmon:$(echo "$version" | tr + -)" > "$work/log"
archive --directory "$work/oci" blobs index.json oci-layout > "$work/$name.oci.tar" # buildah's own archives have the time at which they were made

mkdir "$work/done"
mv "$work/$name.oci.tar" "$work/$name.spdx.json" "$work/done"
rm -rf build/image
mv "$work/done" build/image
echo "image: build/image/$name.oci.tar, $(stat -c %s "build/image/$name.oci.tar") bytes, unpacked $(du -s --bytes "$tree" | cut -f 1)"
