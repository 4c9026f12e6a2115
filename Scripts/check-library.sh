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

check=check-library prefix=va_
. Scripts/library-checks.sh

check_with() { # name of the compiler, C compiler, C++ compiler
  name=$1 cc=$2 cxx=$3 installed=$work/$1/installed
  make --silent install-lib CC="$cc" BUILD="$work/$name/build" CFLAGS='-O2 -g -Werror' PREFIX="$installed"
  mv "$installed" "$work/$name/moved"
  moved=$work/$name/moved
  export PKG_CONFIG_PATH="$moved/lib/pkgconfig"

  version=$(pkg-config --modversion voiceactivity)
  check_exports "$moved" voice_activity.h voiceactivity 'libc[.]so[.]6' "$version"
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
  "$cc" $strict -std=c11 $flags Tests/Library/cut.c $(pkg-config --libs voiceactivity) -lm -o "$work/cut"
  LD_LIBRARY_PATH=$moved/lib "$work/cut"
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

check_with gcc gcc g++
check_with clang "$clang" "$clang++"
"$clang" -fuse-ld=lld -O1 -g -std=gnu11 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=undefined \
  -ICSupport/CVoiceActivity/include Tests/Library/cut.c CSupport/CVoiceActivity/*.c -lm -o "$work/cut"
"$work/cut"
echo "check-library: $(wc -l < "$work/declared") functions declared and exported, shared and static, gcc and clang"
