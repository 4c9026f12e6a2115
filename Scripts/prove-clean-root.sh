#!/bin/sh
# Proves that Scripts/dependencies.txt is complete: creates a fresh Debian 12 with git, make and Swift's own
# prerequisites, adds this machine's Swift toolchain (read-only) and a clone of this repository's HEAD, and runs
# `make demo`, `make install` and `make test` in it. Demo and install may install only what building needs, and the
# installed vadmon must run without the toolchain at the end. Run it as root; it needs debootstrap
# (`Scripts/install-dependencies.sh clean`) and a network. The folder is kept; delete it afterwards.
#
#     Scripts/prove-clean-root.sh [options] FOLDER [TARGET…]      (targets of make; default: demo install test)
#
#     --mirror URL             the Debian mirror (default http://deb.debian.org/debian)
#     --bind PATH              a folder of this machine to mount at the same path, read-only; may be repeated
#     --git-config KEY=VALUE   for git inside the root, e.g. url.PATH.insteadOf=https://github.com/ together with
#                              --bind PATH for packages from a local mirror; may be repeated
set -eu

# Swift's own prerequisites: the packages that swift.org's image for Debian 12 installs beside the toolchain
# (github.com/swiftlang/swift-docker, 6.1/debian/12/Dockerfile), without pkg-config, which is in our own list.
swift_needs=binutils,gcc,git,libcurl4-openssl-dev,libedit-dev,libicu-dev,libncurses-dev,libpython3-dev
swift_needs=$swift_needs,libsqlite3-dev,libstdc++-12-dev,libxml2-dev,tzdata,uuid-dev

mirror=http://deb.debian.org/debian
binds=
git_config=

usage() {
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2
  exit 64
}

while [ $# -gt 0 ]; do
  case $1 in
    --mirror) mirror=${2:?}; shift 2 ;;
    --bind) binds="$binds ${2:?}"; shift 2 ;;
    --git-config) git_config="$git_config ${2:?}"; shift 2 ;;
    -*) usage ;;
    *) break ;;
  esac
done
[ $# -ge 1 ] || usage
root=$1
shift
targets=${*:-demo install test}
repository=$(cd "$(dirname "$0")/.." && pwd)

# An installed toolchain is TOOLCHAIN/usr/bin/swift.
toolchain=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")")
case $toolchain in
  /) echo "Swift is installed in /usr itself; unpack its archive elsewhere and put that on PATH." >&2; exit 69 ;;
esac

mounted=
unmount_all() {
  for place in $mounted; do umount "$place"; done
}
trap unmount_all EXIT
trap 'exit 130' INT TERM

# show PATH: mounts PATH at the same path in the root, read-only.
show() {
  mkdir -p "$root$1"
  mount --bind "$1" "$root$1"
  mounted="$root$1 $mounted"
  mount -o remount,bind,ro "$root$1"
}

inside() {
  chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb \
    PATH="$toolchain/usr/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" "$@"
}

if [ ! -e "$root/etc/debian_version" ]; then
  debootstrap --variant=minbase --include="ca-certificates,make,$swift_needs" bookworm "$root" "$mirror"
fi
mount -t proc proc "$root/proc"
mounted="$root/proc"
mount --bind /dev "$root/dev"
mounted="$root/dev $mounted"
mount --bind /dev/pts "$root/dev/pts" # the tests open pseudo-terminals
mounted="$root/dev/pts $mounted"
for path in "$toolchain" $binds; do show "$path"; done
[ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$root/etc/resolv.conf"

rm -rf "$root/root/project"
git clone --quiet --no-hardlinks "$repository" "$root/root/project"
for setting in $git_config; do inside git config --global --add "${setting%%=*}" "${setting#*=}"; done

for target in $targets; do
  printf '\n==== make %s, in the clean root ====\n' "$target"
  had=$(inside dpkg-query --show)
  inside make -C /root/project "$target" < /dev/null
  case $target in
    demo | install)
      for package in ffmpeg pulseaudio sox spin; do
        case $had in *"$package"*) continue ;; esac
        ! inside dpkg-query --status "$package" > /dev/null 2>&1 ||
          { echo "make $target installs $package, which building does not need" >&2; exit 1; }
      done ;;
  esac
done

if [ -x "$root/usr/local/bin/vadmon" ]; then
  printf '\n==== vadmon, without Swift ====\n'
  umount "$root$toolchain"
  mounted=$(printf '%s\n' $mounted | grep -Fxv "$root$toolchain") # a bound folder may have the same prefix
  ! inside swift --version > /dev/null 2>&1 || { echo "Swift is still there" >&2; exit 1; }
  inside vadmon analyze --quiet /root/project/samples/speech.flac
fi
printf '\n==== Passed in a clean Debian %s: %s ====\n' "$(cat "$root/etc/debian_version")" "$targets"
