#!/bin/sh
# Cross-builds the packages in C of a source package, in a Debian root that Packaging/deb-root.sh makes, and copies them
# beside it; Packaging/make-deb.sh calls this. The root is kept, so that only the first build installs a cross-compiler.
#
#     Packaging/cross-deb.sh FOLDER SOURCE ARCHITECTURE      FOLDER/SOURCE.dsc
set -eu
cd "$(dirname "$0")/.."
name=cross-deb
. Packaging/deb-root.sh
folder=$(realpath "$1") source=$2 architecture=$3
profiles=cross,nocheck,pkg.voice-activity.noswift

make_root "$architecture"
[ -e "$root/made" ] || inside dpkg --add-architecture "$architecture"
apt update
[ -e "$root/made" ] || apt install dpkg-dev "crossbuild-essential-$architecture"
touch "$root/made"

rm -rf "$root/root/build"
mkdir "$root/root/build"
cp "$folder/${source%-*}".orig*.tar.xz "$folder/$source".dsc "$folder/$source".debian.tar.xz "$root/root/build"
inside sh -euc "cd /root/build && dpkg-source --extract $source.dsc source"
apt build-dep --host-architecture "$architecture" --build-profiles "$profiles" /root/build/source
inside unshare --net sh -euc "cd /root/build/source && dpkg-buildpackage --no-sign --build=any \
  --host-arch $architecture --build-profiles=$profiles"
cp "$root/root/build"/*_"$architecture".* "$folder"
