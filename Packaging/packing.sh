# What Packaging/dist.sh and Packaging/image.sh share. They set `script`, their own name, and start in the repository's
# root.

umask 022 # what is packed can be read by everybody, whatever the umask of who packs it
program=build/program/bin/vadmon

fail() {
  echo "$script: $*" >&2
  exit 69
}

require() { # command…
  for command in "$@"; do
    command -v "$command" > /dev/null || fail "$command is not on PATH: Scripts/install-dependencies.sh dist image installs it on Debian"
  done
}

# The version as vadmon prints it. One that is not in git says so.
read_version() {
  version=$("$program" --version | sed 's/^vadmon //')
  commit=$(git rev-parse HEAD 2> /dev/null) || fail "this is not a clone of the repository, so the commit is unknown"
  [ -z "$(git status --porcelain)" ] || version=$version+modified
  # The time of everything that is packed.
  SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
  export SOURCE_DATE_EPOCH
  name=vadmon-$version-$(uname -m)-linux
}

# Makes $work, the folder in which everything is made before it is complete, and sets where the packed tree will be.
begin() { # folder
  work=$PWD/$1
  remove_work
  mkdir -p "$work/tmp"
  trap remove_work EXIT
  trap 'exit 130' INT TERM
  tree=$work/$name
  manifest=$work/manifest
  [ -w "${HOME:-/nonexistent}" ] || export HOME="$work/tmp" # Swift and buildah write there
}

remove_work() {
  [ ! -e "$work" ] || chmod -R u+w "$work" # a container's root is read-only, also for its owner
  rm -rf "$work"
}

# Prints the Debian package of a file. In dpkg's database it may be without the /usr of its real name.
package_of() { # file
  real=$(readlink -f "$1")
  { dpkg-query --search "$real" || dpkg-query --search "${real#/usr}"; } 2> /dev/null | sed -n '1s/: .*//p' | grep . ||
    fail "$1 is of no Debian package, so that its version and licence are unknown"
}

# Copies a file of this system to the same or to another place in $tree, with the licence of the source package that it
# was built from, and writes what it is to $manifest for Packaging/make-sbom.py: the package and the path, separated by
# a tab. The path is empty for what the program contains.
take() { # file, path in $tree
  package=$(package_of "$1")
  [ -z "$2" ] || install -D -m "$([ -x "$1" ] && echo 755 || echo 644)" "$1" "$tree/$2"
  printf '%s\t%s\n' "$package" "$2" >> "$manifest"
  source=$(dpkg-query --show --showformat '${source:Package}' "$package")
  [ -e "$tree/$licences/$source" ] || take_licence "$package" "$source"
}

# Copies a package's copyright file, and the licences that it names without their text.
take_licence() { # package, source package
  copyright=/usr/share/doc/${1%:*}/copyright
  [ -e "$copyright" ] || fail "$copyright is missing, so that its licence cannot be packed"
  install -D -m 644 "$copyright" "$tree/$licences/$2/copyright"
  for licence in $(grep -o '/usr/share/common-licenses/[A-Z][A-Za-z.0-9-]*[A-Za-z0-9]' "$copyright"); do
    install -D -m 644 "$licence" "$tree/$licences/common/$(basename "$licence")"
  done
}

# The libraries that vadmon needs, as paths: those of glibc, or all others.
libraries_of_glibc() { ldd "$program" | grep -oE '/[^ ]*/(ld-linux[^ ]*|libc|libm)\.so[^ ]*'; }
other_libraries() { ldd "$program" | grep -o '/[^ ]*' | grep -vE '/(ld-linux[^ ]*|libc|libm)\.so'; }

# Writes an archive to standard output, without names, times or order of this machine.
archive() { # options of tar and what to pack…
  tar --create --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rw,go-w --mtime="@$SOURCE_DATE_EPOCH" "$@"
}
