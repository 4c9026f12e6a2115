# What the checks share. A check includes it first, and then stands in the repository's root with
#
#     check                its own name
#     work                 a folder that goes when it ends
#     toolchain, clang     the folder of Swift's compilers, and the one that compiles the C core everywhere else too
#     core, core_flags     the folder of the C core, and the flags that it needs
set -eu
check=$(basename "$0" .sh)
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
toolchain=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")
clang=$toolchain/clang
core=CSupport/CVoiceActivity
core_flags=$(sed -n 's/^FLAGS := //p' CSupport/libvoiceactivity/Makefile)

say() { echo "$check: $*"; }
fail() { say "$*" >&2; exit 1; }
# Runs a command, and prints what it says only where it fails.
quietly() { "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; fail "this fails: $*"; }; }
same() { # what, file, file
  diff "$2" "$3" || fail "$1"
}
# Sets vadmon, the program whose segments others must find.
find_vadmon() { # path or nothing
  vadmon=$(realpath "${1:-build/program/bin/vadmon}")
  [ -x "$vadmon" ] || fail "$vadmon is missing; make build makes it"
}
# Prints the blocks of one language in a page as one source. `directive` makes a compiler's messages refer to the page.
blocks() { # page, language, directive with LINE in it, or nothing
  awk -v fence="\`\`\`$2" -v directive="${3-}" \
    '/^```/ { inside = !inside && $0 == fence; if (inside && directive) { line = directive; sub("LINE", NR + 1, line); print line }; next }
     inside' "$1"
}

# Runs the function `check_PART` for each part.
run_parts() { # all parts, then those that are wanted
  all=$1
  shift
  [ $# -gt 0 ] || fail "which part? There are: $all"
  for part; do
    case " $all " in *" $part "*) ;; *) fail "'$part' is not a part. There are: $all" ;; esac
    "check_$(echo "$part" | tr - _)"
  done
}
