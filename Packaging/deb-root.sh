# Debian roots in which packages are cross-built and tried. Packaging/cross-deb.sh and Packaging/check-deb.sh include it
# after they have set `name`, their own name, and are in the repository's root. The roots are below .build-deb: `base`,
# made by debootstrap with this machine's release and mirror, and copies of it. Needs root.

roots=$PWD/.build-deb
base=$roots/base
archives=$roots/archives

say() { echo "$name: $*"; }
fail() { say "$*" >&2; exit 1; }

[ "$(id -u)" -eq 0 ] || fail "this works in a Debian root, and must run as root"
# What is mounted below is mounted for this process alone, and gone with it.
[ -n "${mounts_are_private-}" ] || exec env mounts_are_private=yes unshare --mount "Packaging/$name.sh" "$@"

# Runs a command in the root $root.
inside() {
  chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/sbin:/usr/bin:/sbin:/bin ${http_proxy:+http_proxy="$http_proxy"} "$@"
}

apt() { inside apt-get --quiet --quiet --yes --no-install-recommends -o Dpkg::Use-Pty=0 "$@"; }

# The sources of Debian's packages that this machine uses.
apt_sources() {
  apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Identifier: Packages' 'Origin: Debian' |
    sort -u | grep . || echo "deb http://deb.debian.org/debian $release main"
}

make_base() {
  [ ! -e "$base/made" ] || return 0
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  rm -rf "$base"
  mkdir -p "$base" "$archives/partial"
  apt_sources > "$roots/sources.list"
  mirror=$(awk -v release="$release" '$3 == release { print $2; exit }' "$roots/sources.list")
  say "making a Debian $release in $base"
  proxy=
  eval "$(apt-config shell proxy Acquire::http::Proxy)"
  env ${proxy:+http_proxy="$proxy"} debootstrap --variant=minbase --include=ca-certificates \
    "$release" "$base" "${mirror:-http://deb.debian.org/debian}" \
    > "$roots/debootstrap.log" 2>&1 || { tail -n 20 "$roots/debootstrap.log" >&2; fail "debootstrap fails"; }
  cp "$roots/sources.list" "$base/etc/apt/sources.list"
  apt-config dump | grep -E '^Acquire::(Check-|[a-z]+::[Pp]roxy)' > "$base/etc/apt/apt.conf.d/90machine" || :
  # The packages stay in the folder that the roots share.
  echo 'APT::Keep-Downloaded-Packages "true";' > "$base/etc/apt/apt.conf.d/91keep"
  printf '#!/bin/sh\nexit 101\n' > "$base/usr/sbin/policy-rc.d" # starts no services
  chmod +x "$base/usr/sbin/policy-rc.d"
  touch "$base/made"
}

# Makes $root a copy of the base, NAME below .build-deb, unless there is one that is complete.
make_root() { # name
  make_base
  root=$roots/$1
  if [ ! -e "$root/made" ]; then
    rm -rf "$root"
    mkdir "$root"
    (cd "$base" && find . -mindepth 1 -maxdepth 1 ! -name made -exec cp -a -t "$root" {} +)
  fi
  [ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  mount -t proc proc "$root/proc" 2> /dev/null || say "/proc cannot be mounted; going on without it"
  mount --bind "$archives" "$root/var/cache/apt/archives"
}
