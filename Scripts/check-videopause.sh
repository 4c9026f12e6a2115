#!/bin/sh
# Proves that libvideopause is what its header declares. It must install, export exactly what video_pause.h declares, need
# no library except libc and libm, keep its public structs and values (abi/layout.c), serve C and C++ programs through
# pkg-config, shared and static, wherever the installed folder is moved, run the program at the top of its header, and
# decide in 100,000 random steps exactly what the Swift module decides. The programs are in Tests/VideoPauseLibrary/.
set -eu
cd "$(dirname "$0")/.."
library=CSupport/libvideopause
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
swiftc=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/swiftc
tests=Tests/VideoPauseLibrary

check=check-videopause prefix=vp_
. Scripts/library-checks.sh

make --silent -f $library/Makefile install BUILD="$work/build" SWIFTC="$swiftc" SWIFTFLAGS='-O -warnings-as-errors' \
  CFLAGS='-O2 -Werror' PREFIX="$work/installed"
mv "$work/installed" "$work/moved"
moved=$work/moved
export PKG_CONFIG_PATH="$moved/lib/pkgconfig" LD_LIBRARY_PATH="$moved/lib"
version=$(pkg-config --modversion videopause)

check_exports "$moved" video_pause.h videopause 'lib[cm][.]so[.]6' "$version"

strict="-O2 -Wall -Wextra -Werror -pedantic"
flags=$(pkg-config --cflags videopause)
gcc $strict -std=c11 -fsyntax-only $flags $library/abi/layout.c || fail "a public struct or value changed: $library/abi/layout.c"
gcc $strict -std=c11 $flags $tests/use.c $(pkg-config --libs videopause) -o "$work/use"
"$work/use" "$version"
gcc $strict -std=c11 -static $flags $tests/use.c $(pkg-config --static --libs videopause) -o "$work/static-use"
"$work/static-use" "$version"
g++ $strict -x c++ -std=c++17 -fsyntax-only $flags "$moved/include/video_pause.h" || fail "the header is no C++"

sed -n '/^ \*     /{s///; p; /^}$/q}' "$moved/include/video_pause.h" > "$work/header.c"
gcc -std=c11 -Wall -Wextra -Werror $flags "$work/header.c" $(pkg-config --libs videopause) -o "$work/header"
printf 'participant 1: 500000 bit/s\nparticipant 2: 0 bit/s\n' > "$work/expected"
"$work/header" | diff "$work/expected" - || fail "the program at the top of video_pause.h (>) does not print what it should (<)"

# Compares the library with the module in a folder of sources.
compares() {
  "$swiftc" -O -wmo -swift-version 6 -parse-as-library -package-name voice_activity -module-name Equality -I $library \
    $(find "$1" -name '*.swift') $tests/*.swift $(pkg-config --libs videopause) -lm -o "$work/equality"
  "$work/equality"
}
steps=$(compares Sources/VideoPause) || fail "the library and the module differ: $steps"
# A module that believes a shortage one estimate later has to be found.
cp -R Sources/VideoPause "$work/planted"
sed -i 's/samples = 3$/samples = 4/' "$work/planted/Stability/Backlog.swift"
cmp -s Sources/VideoPause/Stability/Backlog.swift "$work/planted/Stability/Backlog.swift" &&
  fail "Backlog.swift has no line to plant a difference in: change it here too"
! compares "$work/planted" > /dev/null || fail "$tests does not find a planted difference"

cp "$moved"/lib/libvideopause.so.*.* "$work/stripped.so"
strip --strip-unneeded "$work/stripped.so"
echo "check-videopause: $(wc -l < "$work/declared") functions declared and exported; needs libc and libm;" \
  "$(wc -c < "$work/stripped.so") bytes without symbols; as the Swift module in $steps"
