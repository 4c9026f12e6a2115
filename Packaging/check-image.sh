#!/bin/sh
# Proves, as root, that the image of `make image` runs README's first command as a user without rights, that it is at
# most 30 MB, that nothing in it can be written but /tmp, and that making it again gives the same bytes. buildah unpacks
# it in a store of its own, which needs neither a daemon nor a network.
set -eu
cd "$(dirname "$0")/.."
. Packaging/empty-root.sh
[ "$(id -u)" -eq 0 ] || fail "the image runs as a user that only root can become; run make check-image as root"
archive=$(ls build/image/vadmon-*.oci.tar 2> /dev/null) || fail "build/image is missing; make image makes it"
sbom=${archive%.oci.tar}.spdx.json

sha256sum "$archive" "$sbom" > "$work/first"
(umask 077 && HOME=/proc/nonexistent Packaging/image.sh > "$work/log" 2>&1) || fail "making it again fails: $(cat "$work/log")"
sha256sum --check --quiet "$work/first" || fail "making it again gives other bytes"

mkdir "$work/home"
export HOME="$work/home" TMPDIR="$work/home" XDG_RUNTIME_DIR="$work/home" BUILDAH_ISOLATION=chroot
in_store() {
  buildah --root "$work/store" --runroot "$work/run" --storage-driver vfs "$@"
}
skopeo inspect --config "oci-archive:$archive" > "$work/config"
jq -e '.config | .User == "65532:65532" and .Entrypoint == ["/usr/bin/vadmon"] and .WorkingDir == "/data"' "$work/config" > /dev/null ||
  fail "the image has another user, entry point or folder: $(jq -c .config "$work/config")"
jq -r '.config.Labels | keys[]' "$work/config" > "$work/labels"
for label in title description version revision created licenses authors; do
  grep -qx "org.opencontainers.image.$label" "$work/labels" || fail "the image lacks the label $label"
done

container=$(in_store from --quiet "oci-archive:$archive")
tree=$(in_store mount "$container")
bytes=$(find "$tree" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
[ "$bytes" -le 30000000 ] || fail "the files in the image have $bytes bytes, more than 30 MB"
! find "$tree" -perm /6000 | grep . || fail "the image has programs that change the user"
! find "$tree" -not -type l -perm /022 -not -path "$tree/tmp" | grep . || fail "users may write this in the image"
! find "$tree" -not -user 0 | grep . || fail "this in the image does not belong to root"
[ "$(find "$tree" -type f -perm /111 -not -name '*.so*')" = "$tree/usr/bin/vadmon" ] || fail "the image has other programs than vadmon: $(find "$tree" -type f -perm /111 -not -name '*.so*')"
check_sbom "$sbom" "$tree" "$tree/usr/share/doc/vadmon/licences"

# From here on it is run. Not by `buildah run`, which under load once lost what a short program printed.
root=$tree
user=$(jq -r .config.User "$work/config")
cp -R samples "$root/samples"
same --version
same analyze samples
same analyze samples --format json
same analyze missing.wav
same pause samples/traces/falling-line.jsonl --summary
no_microphone devices
no_microphone live --duration 1s
no_microphone live --device hw:0
for place in out.csv /usr/bin/out.csv samples/out.csv; do
  in_root vadmon analyze samples/speech.flac --output "$place" > "$work/said" 2>&1 && fail "the image's user may write $place"
  grep -q "^vadmon: cannot write $place: .*; " "$work/said" && [ "$(wc -l < "$work/said")" -eq 1 ] ||
    fail "writing $place is refused with: $(cat "$work/said")"
done

echo "check-image: $archive, $(stat -c %s "$archive") bytes, unpacked $bytes, runs as 65532; making it again gives the same bytes"
