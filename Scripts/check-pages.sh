#!/bin/sh
# Compiles the code in the pages, exactly as printed, and runs it.
#
#     Scripts/check-pages.sh readme        the C in README.md and the program at the top of voice_activity.h, with gcc and
#                                          clang: the program must find the labelled phrases of a sample
#     Scripts/check-pages.sh integration   the C in docs/integration.md, under sanitizers; Tests/Library/pages.c calls it
#     Scripts/check-pages.sh swift         the Swift in README.md and docs/swift.md against the modules in MODULES
#                                          (.build/release, which make build makes)
#     Scripts/check-pages.sh go            the Go in docs/plug-into-your-sfu.md must be in the programs of Examples/
. "$(dirname "$0")/checks.sh"

check_readme() {
  ! grep -n '@[A-Z]*@' README.md docs/*.md # a placeholder without a measured number
  {
    printf '#include <inttypes.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <voice_activity.h>\n'
    printf 'static float samples[480];\nint main(void) {\n'
    blocks README.md c
    printf '}\n'
  } > "$work/app.c"
  sed -n '/^ \*     /{s///; p; /^}$/q}' $core/include/voice_activity.h > "$work/header.c"
  sox -G samples/speech.flac -t f32 -r 16000 -c 1 "$work/speech.f32"
  for compiler in gcc "$clang"; do
    for program in app header; do
      "$compiler" -O2 -std=c11 -Wall -Wextra -Werror "$work/$program.c" $core/*.c -I$core/include -lm -o "$work/$program"
    done
    "$work/app" || fail "the C in README.md fails"
    "$work/header" < "$work/speech.f32" > "$work/said"
    # Labels are lines of START END. An onset or an offset may differ from its label by 0.3 s.
    awk '{ print "onset", $1; print "offset", $2 }' samples/speech.txt | paste -d ' ' - "$work/said" |
      awk '$1 != $3 || ($5 - $2) ^ 2 > 0.3 ^ 2 { print; bad = 1 } END { exit bad || NR < 8 }' ||
      fail "the program at the head of voice_activity.h does not find the phrases of samples/speech.txt"
  done
  say "the C in README.md and voice_activity.h builds and finds $(grep -c onset "$work/said") phrases"
}

check_integration() {
  blocks docs/integration.md c '#line LINE "docs/integration.md"' > "$work/snippets.c"
  grep -q '^#line' "$work/snippets.c" || fail "docs/integration.md has no C"
  sox -G samples/speech.flac -t s16 -r 16000 -c 1 "$work/speech.s16"
  sanitized='-fuse-ld=lld -fsanitize=address,undefined -fno-sanitize-recover=undefined'
  for compiler in gcc "$clang $sanitized"; do
    $compiler -std=c11 -O1 -g -Wall -Wextra -Werror -I$core/include -I"$work" Tests/Library/pages.c $core/*.c -lm \
      -o "$work/pages"
    timeout 300 "$work/pages" < "$work/speech.s16" || fail "the C of docs/integration.md fails"
  done
  say "the $(grep -c '^#line' "$work/snippets.c") blocks of C in docs/integration.md compile and run"
}

check_swift() {
  modules=${MODULES:-.build/release}
  [ -d "$modules/Modules" ] || fail "$modules has no modules; make build makes them"
  cat > "$work/reader.swift" <<'END_OF_SWIFT'
// What the pages leave to their reader.
import VideoPause
let layers: [VideoLayer] = []
let now = Timestamp.zero
func forward(_ streams: some Any) {}
END_OF_SWIFT
  for page in README.md docs/swift.md; do
    blocks "$page" swift "#sourceLocation(file: \"$page\", line: LINE)" > "$work/main.swift"
    "$toolchain/swiftc" -typecheck -swift-version 6 -warnings-as-errors $(Scripts/module-flags.sh "$modules") \
      "$work/main.swift" "$work/reader.swift"
    say "the $(grep -c '^#sourceLocation' "$work/main.swift") blocks of Swift in $page compile"
  done
}

check_go() {
  cat Examples/sfu/server/*.go Examples/janus/driver/*.go > "$work/programs.go"
  blocks docs/plug-into-your-sfu.md go '//line LINE' | awk -v programs="$work/programs.go" '
    BEGIN { while ((getline line < programs) > 0) all = all line "\n" }
    function look() { if (block != "" && !index(all, block)) { print "check-pages: no example has the Go at line " at > "/dev/stderr"; bad = 1 } }
    /^\/\/line/ { look(); block = ""; at = $2; count++; next }
    { block = block $0 "\n" }
    END { look(); exit bad || !count }'
  say "the examples have the Go in docs/plug-into-your-sfu.md"
}

run_parts "readme integration swift go" "$@"
