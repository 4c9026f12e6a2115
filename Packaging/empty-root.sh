# What Packaging/check-dist.sh and Packaging/check-image.sh share. They source it in the root of the repository. It sets
# `here`, the built program, and `work`, a folder that is removed at the end. Commands run in a root that contains only
# what the check puts there. The check sets `root`, and may set `user` to the numbers of the user and group that run the
# commands, which only root can do.

here=$PWD/build/program/bin/vadmon
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

fail() {
  echo "$(basename "$0" .sh): $*" >&2
  exit 1
}

Scripts/python-environment.sh Packaging/requirements-dist.txt .build-dist # checks SBOMs

# As root, or as root of a new user name space. The name space of mounts ends with the command, however it ends, and
# /proc with it; the loader needs /proc to find what is beside a program.
in_root() {
  mkdir -p "$root/proc"
  if [ "$(id -u)" -eq 0 ]; then map=; else map=--map-root-user; fi
  unshare $map --mount sh -c 'mount --rbind /proc "$0/proc" && user=$1 && shift &&
    exec env -i PATH=/usr/local/bin:/usr/bin "$(command -v chroot)" ${user:+--userspec="$user"} "$0" "$@"' "$root" "${user:-}" "$@"
}

# Runs one command with the built program here, where it finds no ffmpeg either, and with another one by `in_root`, and
# compares what they say.
same() { # arguments of vadmon…
  env -i PATH=/nonexistent "$here" "$@" > "$work/expected" 2>&1 < /dev/null && status=0 || status=$?
  in_root vadmon "$@" > "$work/said" 2>&1 < /dev/null && got=0 || got=$?
  diff "$work/expected" "$work/said" || fail "'vadmon $*' says something else (>) than the built program (<)"
  [ "$got" -eq "$status" ] || fail "'vadmon $*' exits with $got, the built program with $status"
}

# In a root without a sound card, capturing ends with one sentence of the program's own.
no_microphone() { # arguments of vadmon…
  in_root vadmon "$@" > "$work/said" 2>&1 < /dev/null && got=0 || got=$?
  [ "$got" -eq 69 ] && [ "$(wc -l < "$work/said")" -eq 1 ] && grep -q '^vadmon: .*; ' "$work/said" ||
    fail "'vadmon $*' exits with $got and says: $(cat "$work/said")"
}

# The document of what is packed must be valid, name every program and library, and have their checksums.
check_sbom() { # document, tree, the folder of the licences
  .build-dist/python/bin/pyspdxtools --infile "$1" > "$work/said" 2>&1 || fail "$1 is not valid SPDX: $(cat "$work/said")"
  jq -r '.files[] | (.checksums[] | select(.algorithm == "SHA256").checksumValue) + "  " + .fileName' "$1" > "$work/sums"
  (cd "$2" && sha256sum --check --strict --quiet "$work/sums") || fail "$1 has other checksums than the files in $2"
  (cd "$2" && find . -type f -exec sh -c 'for f; do head -c 4 "$f" | grep -q ELF && echo "$f"; done' sh {} +) | sort > "$work/programs"
  sed 's/^[^ ]*  //' "$work/sums" | sort > "$work/named"
  [ -z "$(comm -23 "$work/programs" "$work/named")" ] || fail "$1 does not name $(comm -23 "$work/programs" "$work/named")"
  jq -e '[.packages[] | .licenseDeclared, .versionInfo] | all(. != "NOASSERTION" and . != "")' "$1" > /dev/null ||
    fail "$1 lacks a version or a licence"
  for licence in $(jq -r '.packages[].sourceInfo // "" | capture("source package (?<name>[^ ]*) ").name' "$1"); do
    [ -s "$3/$licence/copyright" ] || fail "the licence of $licence is missing in $3"
  done
}
