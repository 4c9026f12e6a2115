# What the checks of the C libraries share; they include it after they have set `check`,
# their own name, `prefix`, that of the functions, and `work`, a folder.

fail() {
  echo "$check: $*" >&2
  exit 1
}

same() { # what, file, file
  diff "$2" "$3" || fail "$1"
}

# Print the functions that a header declares and those that a library exports, one name a line.
declared() { sed -n "s/^[A-Z]*_API .*[ *]\\($prefix[a-z0-9_]*\\)(.*/\\1/p" "$1" | sort; }
exported() { nm --defined-only --extern-only "$@" | awk 'NF == 3 && $2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort; }

# Checks that both libraries of an installed folder export what the header declares, that the shared one needs no others
# than those that match `allowed`, and that its SONAME is that of the version. Leaves the functions in $work/declared.
check_exports() { # folder, header, name of the library, allowed, version
  declared "$1/include/$2" > "$work/declared"
  exported --dynamic "$1/lib/lib$3.so" > "$work/shared"
  exported "$1/lib/lib$3.a" > "$work/static"
  for kind in shared static; do
    same "the header declares (<) what the $kind library does not export (>), or the other way round" \
      "$work/declared" "$work/$kind"
  done
  objdump -p "$1/lib/lib$3.so" > "$work/dynamic"
  awk -v allowed="^($4)\$" '$1 == "NEEDED" && $2 !~ allowed' "$work/dynamic" | grep . && fail "the shared library needs more than $4"
  grep -q "SONAME *lib$3.so.${5%%.*}\$" "$work/dynamic" || fail "the SONAME is not that of $5"
}
