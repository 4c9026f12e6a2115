#!/bin/sh
# Proves, with gcc and with clang, that libvoiceactivity is what its header declares. The library must build without
# warnings, install, export exactly what voice_activity.h declares, need no library except libc, serve a C and a C++
# program through pkg-config, shared and static, wherever the installed folder is moved, and use no more stack than
# documented. The programs are in Tests/Library/.
set -eu
cd "$(dirname "$0")/.."
clang=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/clang
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "check-library: $*" >&2
  exit 1
}

same() { # what, file, file
  diff "$2" "$3" || fail "$1"
}

# Print the functions that the header declares and those that a library exports, one name a line.
declared() { sed -n 's/^VA_API .*[ *]\(va_[a-z0-9_]*\)(.*/\1/p' "$1" | sort; }
exported() { nm --defined-only --extern-only "$@" | awk 'NF == 3 && $2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort; }

check() { # name of the compiler, C compiler, C++ compiler
  name=$1 cc=$2 cxx=$3 prefix=$work/$1/installed
  make --silent install-lib CC="$cc" BUILD="$work/$name/build" CFLAGS='-O2 -g -Werror' PREFIX="$prefix"
  mv "$prefix" "$work/$name/moved"
  moved=$work/$name/moved
  export PKG_CONFIG_PATH="$moved/lib/pkgconfig"

  declared "$moved/include/voice_activity.h" > "$work/declared"
  exported --dynamic "$moved/lib/libvoiceactivity.so" > "$work/shared"
  exported "$moved/lib/libvoiceactivity.a" > "$work/static"
  same "the header declares (<) what the shared library does not export (>), or the other way round" \
    "$work/declared" "$work/shared"
  same "the header declares (<) what the static library does not export (>), or the other way round" \
    "$work/declared" "$work/static"
  objdump -p "$moved/lib/libvoiceactivity.so" > "$work/dynamic"
  awk '$1 == "NEEDED" && $2 != "libc.so.6"' "$work/dynamic" | grep . &&
    fail "the shared library built with $name needs more than libc"
  version=$(pkg-config --modversion voiceactivity)
  grep -q "SONAME *libvoiceactivity.so.${version%%.*}\$" "$work/dynamic" || fail "the SONAME is not that of $version"
  case $(pkg-config --static --libs voiceactivity) in
    *-lm*) ;;
    *) fail "pkg-config --static does not say -lm" ;;
  esac

  strict="-O2 -Wall -Wextra -Werror -pedantic"
  flags=$(pkg-config --cflags voiceactivity)
  "$cc" $strict -std=c11 $flags Tests/Library/use.c $(pkg-config --libs voiceactivity) -lm -o "$work/shared-use"
  LD_LIBRARY_PATH=$moved/lib "$work/shared-use" "$version"
  "$cc" $strict -std=c11 $flags Tests/Library/config.c $(pkg-config --libs voiceactivity) -o "$work/config"
  LD_LIBRARY_PATH=$moved/lib "$work/config"
  "$cc" $strict -std=c11 -static $flags Tests/Library/use.c $(pkg-config --static --libs voiceactivity) -o "$work/static-use"
  "$work/static-use" "$version"
  "$cxx" $strict -x c++ -std=c++17 -fsyntax-only $flags "$moved/include/voice_activity.h" ||
    fail "the header is no C++"
  "$cc" $strict -std=gnu11 -static -pthread $flags Tests/Library/stack.c $(pkg-config --static --libs voiceactivity) \
    -o "$work/stack"
  for cpu in native portable; do
    printf '%s, %s: ' "$name" "$cpu"
    VA_CPU=$cpu "$work/stack"
  done
}

check gcc gcc g++
check clang "$clang" "$clang++"
echo "check-library: $(wc -l < "$work/declared") functions declared and exported, shared and static, gcc and clang"
