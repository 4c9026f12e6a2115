#!/bin/sh
# Proves that the Debian packages in build/deb are in order, and that what they install works. lintian must find neither
# an error nor a warning. In a fresh Debian root, apt installs the packages from a folder: vadmon must find in samples/
# what the built one finds, the GStreamer element and the Python module must find the same segments, and the examples of
# the C libraries must build by pkg-config and run. Purging must leave nothing. The packages for AArch64, if there are
# any, are installed where they were cross-built, and run under qemu. Needs root.
#
#     Packaging/check-deb.sh [VADMON]      build/program/bin/vadmon
set -eu
cd "$(dirname "$0")/.."
name=check-deb
. Packaging/deb-root.sh
built=${1:-build/program/bin/vadmon}
native=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -x "$built" ] || fail "$built is missing; make build makes it"
[ -e "build/deb/$native.sum" ] || fail "build/deb holds no packages; make deb makes them"

same() { # what, expected, found
  [ -s "$2" ] || fail "there is nothing to compare with: $1"
  diff "$2" "$3" >&2 || fail "$1"
}

# Runs a command of the root in the folder with the samples.
use() { inside env --chdir=/root/use "$@"; }

# Puts the packages of an architecture into the root, without their debug symbols.
offer() { # architecture
  rm -rf "$root/root/packages" "$root/root/use"
  mkdir "$root/root/packages" "$root/root/use"
  find build/deb -maxdepth 1 -name "*_$1.deb" ! -name '*-dbgsym_*' -exec cp -t "$root/root/packages" {} +
  cp -R samples "$root/root/use"
}

# Installs the packages in the root, and others that are used with them. Sets `packages`.
install() { # package…
  packages=$(for file in "$root"/root/packages/*.deb; do dpkg-deb --show --showformat '${Package}:${Architecture}\n' "$file"; done)
  say "installing" $packages
  apt update
  apt install $(cd "$root" && ls -d root/packages/*.deb | sed 's|^|/|') "$@" > "$work/log" 2>&1 ||
    { cat "$work/log" >&2; fail "apt does not install the packages"; }
}

# What the parts print must be the same for every architecture.
expect() {
  "$built" analyze samples > "$work/analysis"
  "$built" analyze samples/speech.flac --format audacity > "$work/joined"
  "$built" analyze samples/speech.flac --live --format audacity --min-silence 0 > "$work/segments"
  # Examples/README.md shows what pause prints.
  grep -E '^[0-9.]+ s: participant [0-9]+ is ' Examples/README.md > "$work/pause"
}

check_lintian() {
  lintian --allow-root --fail-on error,warning --display-info --pedantic build/deb/*.changes ||
    fail "lintian does not accept the packages"
}

check_vadmon() {
  use vadmon analyze samples > "$work/found"
  same "the installed vadmon (>) says something else than the built one (<)" "$work/analysis" "$work/found"
  for page in build/program/share/man/man1/*.1; do
    use man -w "$(basename "$page" .1)" > /dev/null || fail "$(basename "$page") is not installed"
  done
  for file in bash-completion/completions/vadmon fish/vendor_completions.d/vadmon.fish zsh/vendor-completions/_vadmon; do
    [ -s "$root/usr/share/$file" ] || fail "the completions in /usr/share/$file are not installed"
  done
}

# Prints the segments that the messages of gst-launch-1.0 report.
messages_to_segments() {
  sed -n 's/.* voiceactivity, type=(string)\([a-z-]*\).* stream-time=(guint64)\([0-9]*\).*/\1 \2/p' "$work/messages" |
    awk '$1 == "onset" { from = $2 / 1e9 } $1 == "offset" { printf "%.3f\t%.3f\tspeech\n", from, $2 / 1e9 }'
}

check_gstreamer() {
  use gst-inspect-1.0 voiceactivity | grep -q 'preset' || fail "gst-inspect-1.0 does not know the element"
  use gst-launch-1.0 -m filesrc location=samples/speech.flac ! flacparse ! flacdec ! tee name=both \
    both. ! queue ! wavenc ! filesink location=speech.wav both. ! queue ! voiceactivity ! fakesink > "$work/messages"
  cp "$root/root/use/speech.wav" "$work"
  messages_to_segments > "$work/found"
  same "the element does not report (>) vadmon's segments (<)" "$work/segments" "$work/found"
}

check_python() {
  use python3 -m voiceactivity samples/speech.flac > "$work/printed"
  cut -f 1,2 "$work/joined" > "$work/expected"
  cut -f 1,2 "$work/printed" > "$work/found"
  same "the Python module does not find (>) vadmon's segments (<)" "$work/expected" "$work/found"
}

check_c() {
  use cp -R /usr/share/doc/libvoiceactivity-dev/examples c
  use cp /usr/share/doc/libvideopause-dev/examples/pause.c c
  use make --silent -C c
  use c/build/segments speech.wav > "$work/found"
  same "the example segments does not find (>) vadmon's segments (<)" "$work/segments" "$work/found"
  use c/build/pause > "$work/found"
  same "the example pause does not print (>) what Examples/README.md shows (<)" "$work/pause" "$work/found"
}

check_purge() { # package…
  use dpkg --listfiles "$@" | sort -u > "$work/listed"
  while read -r file; do
    [ -d "$root$file" ] || echo "$file"
  done < "$work/listed" > "$work/files"
  [ "$(wc -l < "$work/files")" -gt 20 ] || fail "dpkg lists too few files"
  apt purge "$@" > "$work/log"
  while read -r file; do
    [ ! -e "$root$file" ] && [ ! -L "$root$file" ] || fail "$file is there after purging"
  done < "$work/files"
  ! find "$root/usr" "$root/etc" "$root/var/lib" \( -name '*voiceactivity*' -o -name '*videopause*' -o -name '*vadmon*' \) |
    grep . || fail "these are there after purging"
}

check_native() {
  rm -rf "$roots/test"
  make_root test
  offer "$native"
  install man-db gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good python3-soundfile gcc libc6-dev make \
    pkg-config
  check_vadmon
  check_gstreamer
  check_python
  check_c
  check_purge $packages
}

# Checks packages in the root in which they were cross-built. Python for another architecture cannot be installed beside
# Python, so that its interpreter is only unpacked.
check_cross() { # architecture, of GNU, of qemu
  make_root "$1"
  offer "$1"
  mv "$root"/root/packages/python3-*.deb "$root/root/use"
  install qemu-user-static "gstreamer1.0-tools:$1" "gstreamer1.0-plugins-base:$1" make
  emulated="qemu-$3-static"

  use cp -R /usr/share/doc/libvoiceactivity-dev/examples c
  use PKG_CONFIG_LIBDIR="/usr/lib/$2/pkgconfig" make --silent -C c CC="$2-gcc"
  cp "$work/speech.wav" "$root/root/use"
  use "$emulated" c/build/segments speech.wav > "$work/found"
  same "the example segments does not find (>) vadmon's segments (<) on $1" "$work/segments" "$work/found"

  # 44 bytes are the header. The scanner of plugins would be another program, which the kernel cannot run.
  tail --bytes=+45 "$work/speech.wav" > "$root/root/use/speech.s16"
  use GST_REGISTRY_FORK=no "$emulated" /usr/bin/gst-launch-1.0 -m filesrc location=speech.s16 ! \
    rawaudioparse sample-rate=16000 num-channels=1 ! voiceactivity ! fakesink > "$work/messages"
  messages_to_segments > "$work/found"
  same "the element does not report (>) vadmon's segments (<) on $1" "$work/segments" "$work/found"

  python=$(use python3 -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
  use apt-get --quiet --quiet download "$python-minimal:$1" 2> "$work/log" ||
    { cat "$work/log" >&2; fail "apt does not get Python for $1"; }
  use sh -euc 'for package in python3*.deb; do dpkg-deb --extract "$package" python; done'
  use PYTHONHOME=/usr PYTHONPATH=/root/use/python/usr/lib/python3/dist-packages "$emulated" "python/usr/bin/$python" \
    -m voiceactivity speech.wav | cut -f 1,2 > "$work/found"
  cut -f 1,2 "$work/joined" > "$work/expected"
  same "the Python module does not find (>) vadmon's segments (<) on $1" "$work/expected" "$work/found"
  check_purge $packages
}

expect
check_lintian
check_native
checked=$native
if [ "$native" != arm64 ] && [ -e build/deb/arm64.sum ]; then
  check_cross arm64 aarch64-linux-gnu aarch64
  checked="$native, and under qemu for arm64"
fi
say "lintian finds neither errors nor warnings; installed by apt, the packages work for $checked; purging leaves nothing"
