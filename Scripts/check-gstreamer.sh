#!/bin/sh
# Tests the GStreamer element, with the C core compiled in, and with an installed libvoiceactivity as distributions have
# it.
#
#     Scripts/check-gstreamer.sh             every test, and what is installed
#     Scripts/check-gstreamer.sh memory      gst-check's tests under valgrind, and with the sanitizers
. "$(dirname "$0")/checks.sh"

# Sets up build/gstreamer-NAME, or reads its list of files again.
set_up() { # NAME, OPTION…
  folder=build/gstreamer-$1
  shift
  [ ! -e "$folder/build.ninja" ] || set -- "$@" --reconfigure
  meson setup "$folder" plugins/gstreamer -Dwerror=true -Dtests=enabled "$@"
}

tested() { # OPTION…: of meson test
  meson test -C "$folder" --print-errorlogs "$@"
}

if [ "${1:-}" = memory ]; then
  set_up bundled -Dcore=bundled
  tested --setup valgrind
  set_up asan -Dcore=bundled -Dbuildtype=debug -Doptimization=1 -Db_sanitize=address,undefined
  tested
  exit
fi

set_up bundled -Dcore=bundled
tested
! nm --dynamic --defined-only "$folder/libgstvoiceactivity.so" | grep ' va_' || fail "the plugin exports the C core"

prefix=$PWD/build/gstreamer-installed/prefix
make --no-print-directory install-lib PREFIX="$prefix"
PKG_CONFIG_PATH=$prefix/lib/pkgconfig set_up installed -Dcore=installed --prefix="$prefix" --libdir=lib
tested --suite check

meson install -C "$folder"
export GST_PLUGIN_PATH="$prefix/lib/gstreamer-1.0" GST_PLUGIN_SYSTEM_PATH= GST_REGISTRY="$prefix/registry.bin"
rm -f "$GST_REGISTRY"
ldd "$GST_PLUGIN_PATH/libgstvoiceactivity.so" | grep -qF "libvoiceactivity.so.1 => $prefix/" ||
  fail "the installed plugin does not load $prefix/lib/libvoiceactivity.so.1"
GST_DEBUG=2 gst-inspect-1.0 --no-colors voiceactivity > "$prefix/inspect" 2> "$prefix/warnings" && [ ! -s "$prefix/warnings" ] ||
  fail "the installed plugin does not load, or not without warnings: $(cat "$prefix/warnings")"
version=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --modversion voiceactivity)
grep -Eq "^ +Version +$version\$" "$prefix/inspect" || fail "gst-inspect-1.0 does not show the library's version, $version"
