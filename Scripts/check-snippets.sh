#!/bin/sh
# Compiles and runs the C in docs/integration.md, with gcc and with clang under sanitizers; Tests/Library/pages.c calls
# it. Compiles the Swift in README.md and docs/swift.md against the modules in .build/release (`make build`) or in the
# given folder. Looks for the Go in docs/plug-into-your-sfu.md in the programs of Examples/.
#
#     Scripts/check-snippets.sh [FOLDER]
set -eu
cd "$(dirname "$0")/.."
modules=${1:-.build/release}
checkouts=$(dirname "$(readlink -f "$modules")")/../checkouts
toolchain=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints a page's blocks of one language as one source. `directive` makes the compiler's messages refer to lines of the
# page.
blocks() { # page, language, directive with LINE in it
  awk -v fence="\`\`\`$2" -v directive="$3" \
    '/^```/ { inside = !inside && $0 == fence; if (inside) { line = directive; sub("LINE", NR + 1, line); print line }; next }
     inside { print }' "$1"
}

blocks docs/integration.md c '#line LINE "docs/integration.md"' > "$work/snippets.c"
grep -q '^#line' "$work/snippets.c" || { echo "check-snippets: docs/integration.md has no C" >&2; exit 1; }
sox -G samples/speech.flac -t s16 -r 16000 -c 1 "$work/speech.s16"
sanitized='-fuse-ld=lld -fsanitize=address,undefined -fno-sanitize-recover=undefined'
for compiler in gcc "$toolchain/clang $sanitized"; do
  $compiler -std=c11 -O1 -g -Wall -Wextra -Werror -ICSupport/CVoiceActivity/include -I"$work" \
    Tests/Library/pages.c CSupport/CVoiceActivity/*.c -lm -o "$work/pages"
  timeout 300 "$work/pages" < "$work/speech.s16" || { echo "check-snippets: the C of docs/integration.md fails" >&2; exit 1; }
done
echo "check-snippets: the $(grep -c '^#line' "$work/snippets.c") blocks of C in docs/integration.md compile and run"

[ -d "$modules/Modules" ] || { echo "check-snippets: $modules has no modules; make build makes them" >&2; exit 1; }
cat > "$work/reader.swift" <<'END_OF_SWIFT'
// What the pages leave to their reader.
import VideoPause
let layers: [VideoLayer] = []
let now = Timestamp.zero
func forward(_ streams: some Any) {}
END_OF_SWIFT
set -- -I "$modules/Modules"
for map in "$modules/CVoiceActivity.build/module.modulemap" CSupport/*/module.modulemap \
  "$checkouts"/*/Sources/*/include/module.modulemap; do
  set -- "$@" -Xcc "-fmodule-map-file=$map"
done
for page in README.md docs/swift.md; do
  blocks "$page" swift "#sourceLocation(file: \"$page\", line: LINE)" > "$work/main.swift"
  "$toolchain/swiftc" -typecheck -swift-version 6 -warnings-as-errors "$@" "$work/main.swift" "$work/reader.swift"
  echo "check-snippets: the $(grep -c '^#sourceLocation' "$work/main.swift") blocks of Swift in $page compile"
done

# The Go in docs/plug-into-your-sfu.md is copied from programs that are compiled.
cat Examples/sfu/server/*.go Examples/janus/driver/*.go > "$work/programs.go"
blocks docs/plug-into-your-sfu.md go '//line LINE' | awk -v programs="$work/programs.go" '
  BEGIN { while ((getline line < programs) > 0) all = all line "\n" }
  function look() { if (block != "" && !index(all, block)) { print "check-snippets: no example has the Go at line " at > "/dev/stderr"; bad = 1 } }
  /^\/\/line/ { look(); block = ""; at = $2; count++; next }
  { block = block $0 "\n" }
  END { look(); exit bad || !count }'
echo "check-snippets: the examples have the Go in docs/plug-into-your-sfu.md"
