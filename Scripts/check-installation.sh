#!/bin/sh
# Proves that vadmon installs as README.md describes, after `make`.
#
# It runs the first block of lines under "Install" with compilers that fail, into a root that contains only vadmon's
# system libraries: installing must not compile, and vadmon must run without Swift. It then proves that the manual names
# every option, that bash, zsh and fish complete, that `make uninstall` leaves what was there before, and that
# `make install-lib` does not need Swift.
. "$(dirname "$0")/checks.sh"
root=$work/root
here=$PWD/build/program/bin/vadmon

# Runs a command in the root: as root, or as root of a new user name space.
in_root() {
  if [ "$(id -u)" -eq 0 ]; then set -- chroot "$root" "$@"; else set -- unshare --map-root-user chroot "$root" "$@"; fi
  env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin "$@"
}

files() { (cd "$1" && find . -not -type d | sort); }

# Creates programs with these names that fail.
without() { # folder, names
  folder=$1
  shift
  mkdir -p "$folder"
  for name in "$@"; do
    printf '#!/bin/sh\necho "%s was run" >&2\nexit 70\n' "$name" > "$folder/$name"
    chmod +x "$folder/$name"
  done
}

# Create the root, with unrelated files in the folders that vadmon is installed to.
mkdir -p "$root/usr/local/bin" "$root/usr/local/share/man/man1"
ldd "$here" | grep -o '/[^ ]*' > "$work/libraries"
xargs -n 1 readlink -f < "$work/libraries" | xargs cp --parents -t "$root"
while read -r library; do # under the names that the loader looks for
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done < "$work/libraries"
cp -R samples "$root/samples"
touch "$root/usr/local/bin/other" "$root/usr/local/share/man/man1/vadmon-other.1"
files "$root" > "$work/before"
! grep -E 'swift|Foundation|dispatch' "$work/before" || fail "vadmon needs Swift's shared libraries"
! readelf -d "$here" | grep -E 'RPATH|RUNPATH' || fail "vadmon has a search path for libraries"

# Run README's lines.
without "$work/compilers" swift swiftc cc gcc clang c99 ld ar objcopy
printf '#!/bin/sh\nexec "$@"\n' > "$work/compilers/sudo"
chmod +x "$work/compilers/sudo"
touch "$work/now"
sed '1,/^## Install$/d' README.md | sed '0,/^```sh$/d' | sed '/^```$/,$d;s/ *#.*//' > "$work/lines"
grep -q '^sudo make install' "$work/lines" && grep -q '^vadmon ' "$work/lines" || fail "README.md does not say how to install"
while read -r line; do
  case $line in
    vadmon*) in_root $line < /dev/null > "$work/said" ;;
    *make*) quietly env DESTDIR="$root" PATH="$work/compilers:$PATH" sh -c "$line" < /dev/null ;;
    *) fail "this line under Install in README.md is not checked: $line" ;;
  esac
done < "$work/lines"
[ -z "$(find build/program build/lib build/videopause .build/release/ -newer "$work/now" -o -cnewer "$work/now")" ] || fail "installing writes into the build's folders"
"$here" analyze samples | diff - "$work/said" || fail "the installed vadmon (>) says something else than the built one (<)"
grep -q 'speech.flac' "$work/said" || fail "the installed vadmon does not find the speech in samples/"

# Every command must have a page, and every page the options in --help.
man=$root/usr/local/share/man/man1
"$here" --help | sed -n '/^SUBCOMMANDS:/,/^$/s/^  \([a-z]\{1,\}\) .*/\1/p' > "$work/commands"
grep -q analyze "$work/commands" || fail "vadmon --help does not list its commands"
[ "$(ls "$man" | grep -c '^vadmon-')" -eq $(($(wc -l < "$work/commands") + 1)) ] || # and the unrelated page
  fail "the commands and their manual pages differ; see MANUAL in Scripts/program.mk: $(cat "$work/commands")"
while read -r command; do
  page=$man/vadmon-$command.1
  [ -z "$(groff -Kutf8 -man -Tutf8 -ww -z "$page" 2>&1)" ] || fail "$(groff -Kutf8 -man -Tutf8 -ww -z "$page" 2>&1)"
  groff -Kutf8 -man -Tutf8 -P-cbou "$page" > "$work/page"
  "$here" "$command" --help | grep -oE '^  (-[a-zA-Z0-9], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' > "$work/options"
  while read -r option; do
    grep -qE "^ {7}(-., )?$option( |,|\$)" "$work/page" || fail "vadmon-$command.1 does not have $option"
  done < "$work/options"
done < "$work/commands"

Tests/Program/completions.sh "$root/usr/local"

make --silent uninstall DESTDIR="$root"
files "$root" | diff "$work/before" - || fail "uninstall leaves too much (>) or takes too much (<)"

# Install the library alone.
without "$work/swift" swift swiftc
PATH=$work/swift:$PATH make --silent install-lib BUILD="$work/lib" DESTDIR="$work/alone" > /dev/null
files "$work/alone" | grep -q libvoiceactivity.a || fail "make install-lib does not install the library"
! files "$work/alone" | grep vadmon || fail "make install-lib installs vadmon too"

say "vadmon runs without Swift, $(stat -c %s "$here") bytes; $(($(wc -l < "$work/commands") + 1)) manual pages; installing does not compile; uninstalling leaves nothing"
