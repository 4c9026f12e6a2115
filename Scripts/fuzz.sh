#!/bin/sh
# Runs the fuzz targets of Tests/Fuzz, each for SECONDS, and stops at the first failure.
#
#     Scripts/fuzz.sh [SECONDS [TARGET…]]
#     Scripts/fuzz.sh minimise [TARGET…]
#
# A target starts from its seeds in Tests/Fuzz/seeds/TARGET and from the corpus of earlier runs in
# .build-fuzz/corpus/TARGET, which begins as Tests/Fuzz/corpora/TARGET.tar.xz. `minimise` writes that archive: the
# fewest inputs that reach what the corpus reaches. A failing input is kept in .build-fuzz/finds. To reproduce it:
# .build-fuzz/TARGET FILE
. "$(dirname "$0")/checks.sh"
seconds=${1:-60}
[ $# -eq 0 ] || shift
out=.build-fuzz
pause=CSupport/libvideopause
mkdir -p "$out/finds"

# Each Tests/Fuzz/*.swift except Support.swift is a target for vadmon and its libraries, which SwiftPM builds. SwiftPM
# names the program's own main function vadmon_main, so that it does not clash with the target's.
swift_targets() { for file in Tests/Fuzz/*.swift; do basename "$file" .swift; done | grep -vx Support; }
instrument() { # command, words
  "$@" -c release --scratch-path "$out/swift" -Xswiftc -enable-testing \
    -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=fuzzer-no-link,address
}
build_swift() { # target
  find "$bin"/*.build -name '*.o' ! -path '*-tool.build/*' -printf '"%p"\n' > "$out/objects" # names with spaces
  "$toolchain/swiftc" -O -swift-version 6 -parse-as-library -use-ld=lld -sanitize=fuzzer,address -module-name "Fuzz_$1" \
    $(Scripts/module-flags.sh "$bin") Tests/Fuzz/Support.swift "Tests/Fuzz/$1.swift" \
    "@$out/objects" -lsndfile -lFLAC -lmpg123 -lspeexdsp -lasound -lm -o "$out/$1"
}

# Each Tests/Fuzz/*.c is a target for a C library: `pause` for libvideopause, built by its makefile, and the others for
# libvoiceactivity, whose sources are compiled once.
sanitizers=address,undefined
compile() { # words
  "$clang" -O1 -g $core_flags -Werror -fno-sanitize-recover=undefined "$@"
}
build_core() {
  rm -rf "$out/core"
  mkdir "$out/core"
  for file in $core/*.c; do
    compile -fsanitize=fuzzer-no-link,$sanitizers -I$core/include -c "$file" -o "$out/core/$(basename "$file" .c).o"
  done
}
c_targets() { for file in Tests/Fuzz/*.c; do basename "$file" .c; done; }
build_c() { # target
  if [ "$1" = pause ]; then
    objects="$out/videopause/swift.o $out/videopause/platform.o"
    make --silent -f $pause/Makefile BUILD="$out/videopause" SWIFTFLAGS='-O -sanitize=fuzzer,address' $objects
    # The instrumentation keeps code that compares text, which needs the tables.
    set -- "$1" -I$pause/include $objects "$toolchain"/../lib/swift/embedded/*-linux-gnu/libswiftUnicodeDataTables.a -lm
  else
    if [ -z "$has_core" ]; then build_core; has_core=yes; fi
    set -- "$1" -I$core -I$core/include "$out"/core/*.o
  fi
  target=$1
  shift
  compile -fuse-ld=lld -fsanitize=fuzzer,$sanitizers "Tests/Fuzz/$target.c" "$@" -o "$out/$target"
}

targets=${*:-$(c_targets) $(swift_targets)}
bin= has_core=
for target in $targets; do
  if [ -e "Tests/Fuzz/$target.c" ]; then
    build_c "$target"
  else
    if [ -z "$bin" ]; then
      instrument swift build --target vadmon
      bin=$(instrument swift build --show-bin-path)
    fi
    build_swift "$target"
  fi
done

# libFuzzer reports crashes itself; Swift's own report would interfere.
export SWIFT_BACKTRACE=enable=no
export LSAN_OPTIONS=suppressions=Tests/Fuzz/leaks-of-others.txt:print_suppressions=0

# -detect_leaks: the targets make few allocations, and the check after each input is slow.
for target in $targets; do
  archive=Tests/Fuzz/corpora/$target.tar.xz
  if [ ! -d "$out/corpus/$target" ]; then
    mkdir -p "$out/corpus/$target"
    [ ! -e "$archive" ] || tar -xf "$archive" -C "$out/corpus/$target"
  fi
  log=$out/$target.log
  if [ "$seconds" = minimise ]; then
    rm -rf "$out/minimal"
    mkdir -p "$out/minimal" Tests/Fuzz/corpora
    "$out/$target" -merge=1 "$out/minimal" "$out/corpus/$target" "Tests/Fuzz/seeds/$target" > "$log" 2>&1 ||
      fail "the corpus of $target cannot be minimised; see $log"
    tar -cJf "$archive" --sort=name --mtime=2020-01-01 --owner=0 --group=0 --numeric-owner -C "$out/minimal" .
    say "$target: $(ls "$out/minimal" | wc -l) of $(ls "$out/corpus/$target" | wc -l) inputs, $(stat -c %s "$archive") bytes"
    continue
  fi
  "$out/$target" -max_total_time="$seconds" -timeout=120 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$out/finds/$target-" "$out/corpus/$target" "Tests/Fuzz/seeds/$target" > "$log" 2>&1 || {
    tail -n 60 "$log" >&2
    fail "$target has a find: $(ls -t "$out/finds/$target-"* 2> /dev/null | head -n 1)"
  }
  say "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions, edges covered:" \
    "$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1), no find"
done
