#!/bin/sh
# Proves what the C libraries promise. The programs are in Tests/Library, Tests/VideoPauseLibrary, Tests/RealTime and
# Tests/Drift.
#
#     Scripts/check-library.sh [PART…]      all but drift and arm
#
# voiceactivity   libvoiceactivity is what its header declares, with gcc and with clang: it builds without warnings,
#                 exports exactly that, needs no library except libc, serves C and C++ through pkg-config, shared and
#                 static, wherever the installed folder is moved, and uses no more stack than documented; each allocation
#                 that fails is reported, 10,000 streams do not change each other, and positions may be beyond 2^53
# videopause      so is libvideopause; in 100,000 random steps it decides what the Swift module decides; and the process
#                 ends at each allocation that fails
# abi             programs linked with an earlier libvoiceactivity of the same SONAME continue to work
# write-abi       writes the description that `abi` compares with, after a function was added; review the difference
# realtime        the core's calls, all that the header promises, neither allocate, nor enter the kernel, nor block
# drift           the detector works as well after a day of sound as when new, and has settled within half a second
# arm             the library works on AArch64, as NEON code under qemu, and finds the same segments there
. "$(dirname "$0")/checks.sh"

strict="-O2 -Wall -Wextra -Werror -pedantic"
counter=Tests/AllocationCounter
# For what has the sanitizers' malloc.
wraps="-DALLOCATION_COUNTER_WRAPS -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=posix_memalign,\
--wrap=free"

# Checks that both libraries of an installed folder export what the header declares, that the shared one needs no others
# than those that match `allowed`, and that its SONAME is that of the version. Leaves the functions in $work/declared.
check_exports() { # folder, header, name of the library, prefix of the functions, allowed, version
  sed -n "s/^[A-Z]*_API .*[ *]\\($4[a-z0-9_]*\\)(.*/\\1/p" "$1/include/$2" | sort > "$work/declared"
  for kind in so a; do
    nm --defined-only --extern-only $([ $kind = a ] || echo --dynamic) "$1/lib/lib$3.$kind" |
      awk 'NF == 3 && $2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort > "$work/exported"
    same "$2 declares (<) what lib$3.$kind does not export (>), or the other way round" "$work/declared" "$work/exported"
  done
  objdump -p "$1/lib/lib$3.so" > "$work/dynamic"
  awk -v allowed="^($5)\$" '$1 == "NEEDED" && $2 !~ allowed' "$work/dynamic" | grep . && fail "lib$3.so needs more than $5"
  grep -q "SONAME *lib$3.so.${6%%.*}\$" "$work/dynamic" || fail "the SONAME is not that of $6"
}

voiceactivity_by() { # name of the compiler, C compiler, C++ compiler
  name=$1 cc=$2 cxx=$3 moved=$work/$1/moved
  make --silent install-lib CC="$cc" BUILD="$work/$name/build" CFLAGS='-O2 -g -Werror' PREFIX="$work/$name/installed"
  mv "$work/$name/installed" "$moved"
  export PKG_CONFIG_PATH="$moved/lib/pkgconfig"
  version=$(pkg-config --modversion voiceactivity)
  check_exports "$moved" voice_activity.h voiceactivity va_ 'libc[.]so[.]6' "$version"
  case $(pkg-config --static --libs voiceactivity) in
    *-lm*) ;;
    *) fail "pkg-config --static does not say -lm" ;;
  esac

  flags=$(pkg-config --cflags voiceactivity)
  for program in use config cut in_time; do
    "$cc" $strict -std=c11 $flags Tests/Library/$program.c $(pkg-config --libs voiceactivity) -lm -o "$work/$program"
    LD_LIBRARY_PATH=$moved/lib "$work/$program" "$version"
  done
  "$cc" $strict -std=c11 $flags Tests/Contract/replay.c $(pkg-config --libs voiceactivity) -o "$work/replay"
  "$cc" $strict -std=c11 $flags Tests/Library/muted.c $(pkg-config --libs voiceactivity) -o "$work/muted"
  LD_LIBRARY_PATH=$moved/lib "$work/muted" Tests/Contract/speaking-while-muted.txt
  for cpu in native portable; do
    LD_LIBRARY_PATH=$moved/lib VA_CPU=$cpu "$work/replay" Tests/Contract/talk.s16 < Tests/Contract/streams.txt > "$work/streams"
    same "the answers (>) are not those of Tests/Contract/streams.txt (<)" Tests/Contract/streams.txt "$work/streams"
  done
  "$cc" $strict -std=c11 -static $flags Tests/Library/use.c $(pkg-config --static --libs voiceactivity) -o "$work/static-use"
  "$work/static-use" "$version"
  "$cxx" $strict -x c++ -std=c++17 -fsyntax-only $flags "$moved/include/voice_activity.h" || fail "the header is no C++"
  "$cc" $strict -std=gnu11 -static -pthread $flags Tests/Library/stack.c $(pkg-config --static --libs voiceactivity) \
    -o "$work/stack"
  for cpu in native portable; do
    printf '%s, %s: ' "$name" "$cpu"
    VA_CPU=$cpu "$work/stack"
  done
}
sanitize() { # name, source or flag…
  name=$1
  shift
  "$clang" -fuse-ld=lld -O1 -g $core_flags -Werror -fsanitize=address,undefined -fno-sanitize-recover=undefined \
    -I$core -I$core/include -I$counter/include "$@" $core/*.c -lm -o "$work/$name"
}
check_voiceactivity() {
  voiceactivity_by gcc gcc g++
  voiceactivity_by clang "$clang" "$clang++"
  for program in cut muted; do
    sanitize $program Tests/Library/$program.c
    "$work/$program" Tests/Contract/speaking-while-muted.txt
  done
  sanitize memory $wraps Tests/Library/memory.c $counter/allocation_counter.c
  sanitize positions Tests/Library/positions.c
  gcc -O2 -g -Werror $core_flags -pthread -I$core/include Tests/Library/crowd.c $core/*.c -lm -o "$work/crowd"
  for program in memory positions crowd; do "$work/$program" Tests/Contract/talk.s16; done
  say "$(wc -l < "$work/declared") functions of libvoiceactivity declared and exported, shared and static, gcc and clang"
}

check_videopause() {
  library=CSupport/libvideopause tests=Tests/VideoPauseLibrary moved=$work/videopause/moved
  make --silent -f $library/Makefile install BUILD="$work/videopause/build" SWIFTC="$toolchain/swiftc" \
    SWIFTFLAGS='-O -warnings-as-errors' CFLAGS='-O2 -Werror' PREFIX="$work/videopause/installed"
  mv "$work/videopause/installed" "$moved"
  export PKG_CONFIG_PATH="$moved/lib/pkgconfig" LD_LIBRARY_PATH="$moved/lib"
  version=$(pkg-config --modversion videopause)
  check_exports "$moved" video_pause.h videopause vp_ 'lib[cm][.]so[.]6' "$version"

  flags=$(pkg-config --cflags videopause)
  gcc $strict -std=c11 -fsyntax-only $flags $library/abi/layout.c || fail "a public struct or value changed: $library/abi/layout.c"
  gcc $strict -std=c11 $flags $tests/use.c $(pkg-config --libs videopause) -o "$work/use"
  "$work/use" "$version"
  gcc $strict -std=c11 -static $flags $tests/use.c $(pkg-config --static --libs videopause) -o "$work/static-use"
  "$work/static-use" "$version"
  gcc $strict -std=gnu11 $flags -I$counter/include $tests/memory.c $counter/allocation_counter.c $(pkg-config --libs videopause) \
    -o "$work/memory"
  "$work/memory"
  g++ $strict -x c++ -std=c++17 -fsyntax-only $flags "$moved/include/video_pause.h" || fail "the header is no C++"

  sed -n '/^ \*     /{s///; p; /^}$/q}' "$moved/include/video_pause.h" > "$work/header.c"
  gcc -std=c11 -Wall -Wextra -Werror $flags "$work/header.c" $(pkg-config --libs videopause) -o "$work/header"
  printf 'participant 1: 500000 bit/s\nparticipant 2: 0 bit/s\n' > "$work/expected"
  "$work/header" | diff "$work/expected" - || fail "the program at the top of video_pause.h (>) does not print what it should (<)"

  steps=$(decides_as Sources/VideoPause) || fail "the library and the module differ: $steps"
  # A module that believes a shortage one estimate later has to be found.
  cp -R Sources/VideoPause "$work/planted"
  sed -i 's/samples = 3$/samples = 4/' "$work/planted/Stability/Backlog.swift"
  cmp -s Sources/VideoPause/Stability/Backlog.swift "$work/planted/Stability/Backlog.swift" &&
    fail "Backlog.swift has no line to plant a difference in: change it here too"
  ! decides_as "$work/planted" > /dev/null || fail "$tests does not find a planted difference"

  cp "$moved"/lib/libvideopause.so.*.* "$work/stripped.so"
  strip --strip-unneeded "$work/stripped.so"
  say "$(wc -l < "$work/declared") functions of libvideopause declared and exported; needs libc and libm;" \
    "$(wc -c < "$work/stripped.so") bytes without symbols; as the Swift module in $steps"
}
decides_as() { # folder of the module's sources
  "$toolchain/swiftc" -O -wmo -swift-version 6 -parse-as-library -package-name voice_activity -module-name Equality -I $library \
    $(find "$1" -name '*.swift') $tests/*.swift $(pkg-config --libs videopause) -lm -o "$work/equality"
  "$work/equality"
}

# Exported functions and their types match the checked-in description (abidiff, x86-64), and every public field and
# value is where layout.c expects it (any 64-bit machine).
description=CSupport/libvoiceactivity/abi/x86_64.abi layout=CSupport/libvoiceactivity/abi/layout.c
# The description is derived from gcc's debug information, which is incomplete for optimised code.
build_for_abi() { # folder of the makefile
  quietly make --silent -f "$1/Makefile" lib CC=gcc CFLAGS='-O0 -g' BUILD="$work/abi"
}
compare_abi() {
  abidiff --headers-dir2 $core/include --drop-private-types "$description" "$work"/abi/libvoiceactivity.so.*
}
lay_out() { gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only -I"$1" "$layout"; }
check_abi() {
  lay_out $core/include || fail "a public struct is not laid out as programs know it: $layout"
  cp -R CSupport "$work/broken"
  broken=$work/broken/CVoiceActivity/include
  sed -i '/^  uint64_t decided_at;/{h;d};/^  uint64_t length_samples;/G' "$broken/voice_activity.h"
  lay_out "$broken" 2> /dev/null && fail "a moved field was not noticed"
  if [ "$(uname -m)" = x86_64 ]; then
    build_for_abi CSupport/libvoiceactivity
    compare_abi || fail "the ABI changed; if functions were only added, write it anew: Scripts/check-library.sh write-abi"
    sed -i '/^ *va_simd_name;/d' "$work/broken/libvoiceactivity/exports.map"
    cp $core/include/voice_activity.h "$broken"
    build_for_abi "$work/broken/libvoiceactivity"
    compare_abi > /dev/null && fail "a symbol that is gone was not noticed"
  fi
  say "the ABI is that of $description and $layout; a moved field and a missing symbol are caught"
}
check_write_abi() {
  build_for_abi CSupport/libvoiceactivity
  abidw --headers-dir $core/include --drop-private-types --no-corpus-path --no-comp-dir-path --no-show-locs \
    --no-elf-needed --out-file "$description" "$work"/abi/libvoiceactivity.so.*
}

check_realtime() {
  for function in $(sed -n 's/^VA_API .*[ *]\(va_[a-z0-9_]*\)(.*/\1/p' $core/include/voice_activity.h); do
    case $function in *_create | *_destroy) continue ;; esac
    grep -q "\<$function(" Tests/RealTime/realtime.c || fail "Tests/RealTime/realtime.c does not call $function"
  done
  for build in plain: sanitized:-fsanitize=realtime; do
    "$clang" -std=gnu11 -O2 -g -Wall -Wextra -Werror ${build#*:} -I$core/include -I$counter/include Tests/RealTime/realtime.c \
      $counter/allocation_counter.c $core/*.c -lm -o "$work/${build%:*}"
  done
  for cpu in native avx2 portable; do
    VA_CPU=$cpu "$work/plain" malloc
    VA_CPU=$cpu "$work/plain" kernel
    VA_CPU=$cpu "$work/sanitized" blocking
  done
}

# It takes about a minute on an idle core.
check_drift() {
  "$clang" -std=c11 -O2 -Wall -Wextra -Werror -I$core/include Tests/Drift/*.c $core/*.c -lm -o "$work/drift"
  # All samples with one channel at 16 kHz; the first is the one without noise.
  set -- speech speech-cafe-10db speech-fan-0db muted-talk keyboard music
  for name; do
    sox -D "samples/$name.flac" -t f32 "$work/$name.f32"
    cp "samples/$name.txt" "$work/"
  done
  (cd "$work" && ./drift day "$@" && ./drift warm "$1")
}

# Builds the library and the examples with one compiler, linked statically, in $work/NAME.
build_static() { # name, compiler, prefix of its binutils
  quietly make --silent install-lib CC="$2" OBJCOPY="${3}objcopy" AR="${3}ar" BUILD="$work/$1/build" \
    CFLAGS='-O2 -g -Werror' PREFIX="$work/$1"
  PKG_CONFIG_PATH=$work/$1/lib/pkgconfig make --silent -C Examples/C CC="$2" CFLAGS='-O2 -g -static' BUILD="$work/$1/bin" \
    LIBS="$work/$1/lib/libvoiceactivity.a -lm"
}
# Valgrind cannot count another architecture's instructions. qemu logs each one, and the second pass over a second of
# speech adds nothing but its 100 hops.
logged() { # program, passes, raw sound
  qemu-aarch64 -singlestep -d nochain,exec "$1" "$2" "$3" 2>&1 > "$work/said" | grep -c '^Trace'
}
check_arm() {
  cross=aarch64-linux-gnu-gcc plain="-O2 -std=c11 -Wall -Wextra -Werror"
  build_static native gcc ""
  build_static arm $cross "${cross%gcc}"
  "${cross%gcc}objdump" -f "$work/arm/lib/libvoiceactivity.a" | grep -q aarch64 || fail "$cross does not build for AArch64"
  "${cross%gcc}objdump" -d "$work/arm/lib/libvoiceactivity.a" | grep -q 'smlal\|smull' || fail "the gates' products are not NEON's"

  $cross -static $plain -I$core -I$core/include Tests/Library/vectors.c $core/*.c -lm -o "$work/vectors"
  qemu-aarch64 "$work/vectors" Tests/CVoiceActivityTests/Fixtures/network-vectors.txt
  # An echo is taken out of the same bands bit for bit.
  gcc $plain -I$core -I$core/include Tests/Library/echo_bits.c $core/*.c -lm -o "$work/bits"
  "$work/bits" > "$work/expected"
  $cross -static $plain -I$core -I$core/include Tests/Library/echo_bits.c $core/*.c -lm -o "$work/bits"
  qemu-aarch64 "$work/bits" > "$work/found"
  same "the echo stage computes other bits (>) on AArch64 than here (<)" "$work/expected" "$work/found"
  $cross -static $plain -I"$work/arm/include" Tests/Library/use.c "$work/arm/lib/libvoiceactivity.a" -lm -o "$work/use"
  qemu-aarch64 "$work/use" "$(PKG_CONFIG_PATH=$work/arm/lib/pkgconfig pkg-config --modversion voiceactivity)"

  count=0
  for sample in samples/*.flac samples/*.wav; do
    sox -G "$sample" -b 16 -e signed -c 1 "$work/sample.wav"
    "$work/native/bin/segments" "$work/sample.wav" > "$work/expected"
    qemu-aarch64 "$work/arm/bin/segments" "$work/sample.wav" > "$work/found"
    same "$sample: other segments (>) on AArch64 than here (<)" "$work/expected" "$work/found"
    count=$((count + 1))
  done
  [ "$count" -ge 6 ] || fail "there are no samples"
  sox -G samples/speech.flac -b 16 -e signed -c 1 "$work/speech.wav"
  quietly qemu-aarch64 "$work/arm/bin/server" --streams 50 "$work/speech.wav"
  for rate in 16000 48000 8000; do
    $cross -static -O2 $core_flags -DRATE_HZ=$rate -I"$work/arm/include" Benchmarks/peers/cost.c \
      Benchmarks/peers/cost_ours.c "$work/arm/lib/libvoiceactivity.a" -lm -o "$work/cost"
    sox -G "$work/speech.wav" -r $rate "$work/speech.s16" trim 0 1
    one=$(logged "$work/cost" 1 "$work/speech.s16")
    two=$(logged "$work/cost" 2 "$work/speech.s16")
    say "$(((two - one) / 100)) instructions for a hop at $rate Hz"
  done
  say "the stored vectors, the segments of $count samples and the sums of a server are right on AArch64"
}

[ $# -gt 0 ] || set -- voiceactivity videopause abi realtime
run_parts "voiceactivity videopause abi write-abi realtime drift arm" "$@"
