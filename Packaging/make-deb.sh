#!/bin/sh
# Builds the Debian packages that Packaging/debian describes, in build/deb, from the tracked files as they are in the
# working tree.
#
#     Packaging/make-deb.sh           all packages, for this machine's architecture
#     Packaging/make-deb.sh arm64     those in C, cross-built in a Debian root of their own; must run as root
#
# The source package contains the Swift packages that SwiftPM resolved, and is built without a network. What has been
# built from the same sources with the same compiler is not built again.
set -eu
cd "$(dirname "$0")/.."
native=$(dpkg --print-architecture)
architecture=${1:-$native}
work=build/deb

say() { echo "make-deb: $*"; }
fail() { say "$*" >&2; exit 1; }

case $PWD in
  *[[:space:]]*) fail "the path $PWD contains a space, which dpkg's compiler flags cannot express; use a folder without one" ;;
esac
case $architecture in
  "$native" | arm64) ;;
  *) fail "$architecture is neither this machine's architecture nor arm64, the one that packages are cross-built for" ;;
esac

version=$(sed -n 's/^const char \*va_version(void) { return "\([0-9.]*\)"; }$/\1/p' CSupport/CVoiceActivity/library.c)
stated=$(dpkg-parsechangelog -l Packaging/debian/changelog -S Version)
[ "${stated%-*}" = "$version" ] ||
  fail "library.c has version $version, the top entry of Packaging/debian/changelog ${stated%-*}; add an entry there"
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -l Packaging/debian/changelog -S Timestamp)
export SOURCE_DATE_EPOCH

# pack FILE [argument of tar…]: the same files make the same archive.
pack() {
  file=$1
  shift
  tar --create --xz --file "$file" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --mode=u=rwX,go=rX "$@"
}

# The names of the tracked files that have not been deleted, each ended by a null.
tracked() {
  git ls-files -z | xargs -0 sh -c 'for file; do [ ! -e "$file" ] || printf "%s\0" "$file"; done' sh
}

# Writes the source package.
make_source() {
  git rev-parse --git-dir > /dev/null || fail "git does not know this folder, and therefore not what belongs to the sources"
  [ -z "$(git status --porcelain --untracked-files=no)" ] || say "the packages contain the changes that are not committed"
  untracked=$(git ls-files --others --exclude-standard --directory)
  [ -z "$untracked" ] || say "the packages do not contain what git does not track:" $untracked

  source=$work/voice-activity-$version
  rm -rf "$source"
  mkdir -p "$source"
  tracked | tar --create --null --files-from=- | tar --extract --directory "$source"
  pack "$work/voice-activity_$version.orig.tar.xz" --directory "$work" "voice-activity-$version"

  swift package resolve > "$work/resolve.log" 2>&1 ||
    { cat "$work/resolve.log" >&2; fail "SwiftPM does not get the packages that Package.swift names"; }
  mkdir "$source/swift"
  cp "$source/Package.swift" "$work/Package.swift"
  for url in $(sed -n 's/.*\.package(url: "\([^"]*\)".*/\1/p' Package.swift); do
    name=$(basename "$url" .git)
    # Only a trait needs the others, and SwiftPM does not fetch them.
    [ -d ".build/checkouts/$name" ] || continue
    cp -R ".build/checkouts/$name" "$source/swift/$name"
    rm -rf "$source/swift/$name/.git"
    sed -i "s|\.package(url: \"$url\", [^)]*)|.package(path: \"swift/$name\")|" "$work/Package.swift"
  done
  pack "$work/voice-activity_$version.orig-swift.tar.xz" --directory "$source" swift

  cp -R "$source/Packaging/debian" "$source/debian"
  echo vendored-swift-packages.patch >> "$source/debian/patches/series"
  {
    sed 's/^ *//' << '    END'
    Description: Take the Swift packages from the folder swift
    Author: The voice-activity authors
    Forwarded: not-needed
    ---
    END
    ! diff -u --label a/Package.swift "$source/Package.swift" --label b/Package.swift "$work/Package.swift" ||
      fail "none of the packages that Package.swift names is in .build/checkouts"
  } > "$source/debian/patches/vendored-swift-packages.patch"
  rm "$work/Package.swift"
  find "$source/debian" -exec touch --date "@$SOURCE_DATE_EPOCH" {} +
  (cd "$work" && dpkg-source --build "voice-activity-$version" > source.log 2>&1) ||
    { cat "$work/source.log" >&2; fail "dpkg-source fails"; }
}

# Cut off from the network, where the kernel allows it.
build_native() {
  offline=
  if unshare --net true 2> /dev/null; then
    offline="unshare --net"
  elif unshare --map-root-user --net true 2> /dev/null; then
    offline="unshare --map-root-user --net"
  else
    say "the network cannot be cut off here; the packages are built with it"
  fi
  (cd "$work/voice-activity-$version" && $offline dpkg-buildpackage --no-sign) > "$work/$native.log" 2>&1
}

build_cross() {
  Packaging/cross-deb.sh "$work" "voice-activity_$stated" "$architecture" > "$work/$architecture.log" 2>&1
}

mkdir -p "$work"
make_source
{
  cat "$work/voice-activity_$stated.dsc"
  swift --version 2> /dev/null
} | sha256sum > "$work/sources.sum"
changes=$work/voice-activity_${stated}_$architecture.changes
if [ -e "$changes" ] && cmp -s "$work/sources.sum" "$work/$architecture.sum"; then
  say "nothing has changed since $changes was made"
  exit 0
fi

rm -f "$work/$architecture.sum" "$work"/*_"$architecture".*
kind=build_native
[ "$architecture" = "$native" ] || kind=build_cross
say "building for $architecture; the log is $work/$architecture.log"
$kind || {
  tail -n 30 "$work/$architecture.log" >&2
  fail "the packages for $architecture are not built; the whole log is $work/$architecture.log"
}
mv "$work/sources.sum" "$work/$architecture.sum"
du --apparent-size --block-size=kB "$work"/*_"$architecture".deb
