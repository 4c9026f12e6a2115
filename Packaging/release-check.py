#!/usr/bin/env python3
"""Builds every artefact, checks each, and writes the table of docs/install.md.

  Packaging/release-check.py [--table]      --table: only writes the table again, from what was built and checked before

Each artefact has a make target that builds and checks it. A row is written only once its target has passed for the
sources that are checked out. Then everything is built once more in another clone, and must have the same bytes. What is
left to a person is printed at the end. Logs are in build/release.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "build" / "release"
PAGE = ROOT / "docs" / "install.md"
BEGIN, END = "<!-- written by make release-check -->\n", "<!-- end -->\n"


@dataclass
class Artefact:
    name: str
    files: str  # below build, or below the repository
    needs: str  # of the system that it runs on
    checked: str  # how the target checks it
    target: str


DEBIAN = "an empty Debian 12 root, installed by apt"
CROSS = "a Debian 12 root, under qemu"
ARTEFACTS = [
    Artefact("archive of `vadmon`", "build/dist/vadmon-*.tar.xz", "{glibc}", "an empty root with this glibc", "check-dist"),
    Artefact("image of `vadmon`", "build/image/vadmon-*.oci.tar", "a container engine", "unpacked, in a chroot as its user", "check-image"),
    *(
        Artefact(f"{package}, {machine}", f"build/deb/{package}_*_{machine}.deb", needs, where, "check-deb")
        for package, needs, machines in (
            ("vadmon", "Debian 12", ("amd64",)),
            ("libvoiceactivity1", "libc", ("amd64", "arm64")),
            ("libvoiceactivity-dev", "a C compiler", ("amd64", "arm64")),
            ("gstreamer1.0-voiceactivity", "GStreamer 1.22", ("amd64", "arm64")),
            ("python3-voiceactivity", "Debian's Python", ("amd64", "arm64")),
        )
        for machine, where in zip(machines, (DEBIAN, CROSS))
    ),
    Artefact("libvideopause1, amd64", "build/deb/libvideopause1_*_amd64.deb", "libc, libm", "the same root, with its example", "check-deb"),
    Artefact("wheel, Linux x86_64", "build/wheels/*manylinux*x86_64.whl", "glibc 2.17, Python 3.11", "here: its tests; Python 3.13 of Debian 13", "wheel"),
    Artefact("wheel, Linux aarch64", "build/wheels/*manylinux*aarch64.whl", "glibc 2.17, Python 3.11", "Debian's arm64 Python, under qemu", "wheel"),
    Artefact("wheel, musl x86_64", "build/wheels/*musllinux*x86_64.whl", "musl 1.2, Python 3.11", "its core as a program", "wheel"),
    Artefact("wheel, musl aarch64", "build/wheels/*musllinux*aarch64.whl", "musl 1.2, Python 3.11", "its core as a program, under qemu", "wheel"),
    Artefact("wheel, Windows x64", "build/wheels/*win_amd64.whl", "Python 3.11", "its core as a program, under wine", "wheel"),
    Artefact("wheel, macOS x86_64", "build/wheels/*macosx*x86_64.whl", "macOS 11, Python 3.11", "built only", "wheel"),
    Artefact("wheel, macOS arm64", "build/wheels/*macosx*arm64.whl", "macOS 11, Python 3.11", "built only", "wheel"),
    Artefact("Python sources", "build/python/voiceactivity-*.tar.gz", "a C compiler, Python 3.11", "here: built by gcc and clang, sanitizers", "python"),
    Artefact("npm package", "build/web/voice-activity-*.tgz", "a browser since 2023, or Node 18", "Node, Chromium, Firefox, WebKitGTK", "web"),
    Artefact("Go module", "build/go/proxy/*/voiceactivity/@v/*.zip", "Go 1.19, a C compiler", "here: fetched by a new module", "go"),
    Artefact("Rust crate", "build/rust/*.crate", "Rust 2021, a C compiler", "here: unpacked by itself", "crate"),
    Artefact("C++ with CMake", "build/cpp/voiceactivity-cpp.tar.gz", "CMake 3.16, C++17", "here: FetchContent and find_package", "cpp"),
    Artefact("GStreamer element, with debug symbols", "build/gstreamer-bundled/libgstvoiceactivity.so", "GStreamer 1.20", "here: gst-check, and pipelines against the labels", "gstreamer"),
    Artefact("C library, with debug symbols", "build/lib/libvoiceactivity.so.*", "libc", "here: gcc, clang, sanitizers, valgrind", "examples"),
]

# How the artefacts of each target are built without being checked; those with debug symbols are for this machine.
VADMON = "build/program/bin/vadmon"
BUILD = {
    "check-dist": ["make", "dist"],
    "check-image": ["make", "image"],
    "check-deb": ["make", "deb", "deb-arm64"],
    "wheel": [".build-wheels/python/bin/python", "Packaging/build-wheels.py"],
    "python": ["Packaging/package-python.sh", ".build-python/python/bin/python", "build/python"],
    "web": ["make", "-C", "Bindings/web", "archive"],
    "go": ["Packaging/package-go.sh", VADMON, "build/go"],
    "crate": ["Packaging/package-crate.sh", VADMON, "build/rust"],
    "cpp": ["Packaging/package-cpp.sh", VADMON, "build/cpp"],
}
LEFT = """\
Left to a person:
{empty}  The date of {version} in CHANGELOG.md, in place of "unreleased", and in Packaging/debian/changelog; then this again.
  git tag --sign {version}; git push origin {version}
  The files of the release: build/dist/* build/image/* build/release/SHA256SUMS build/release/*.spdx.json
  twine upload build/wheels/* build/python/*
  npm publish build/web/voice-activity-{version}.tgz
  cd build/rust/package && cargo publish
  Push build/go/module to the address in its go.mod, tagged v{version}.
  debsign build/deb/*.changes, and dput them into the repository of Debian packages.
"""


def fail(problem: str) -> None:
    sys.exit(f"release-check: {problem}")


def git(*command: str) -> str:
    return subprocess.run(["git", *command], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def sources() -> str:
    """Returns what identifies the committed sources: all but the page that this writes."""
    others = ["--", ".", f":!{PAGE.relative_to(ROOT)}"]
    if git("status", "--porcelain", *others):
        fail("the working tree has changes; commit them, so that all artefacts are of the same sources")
    return hashlib.sha256(git("ls-files", "--stage", *others).encode()).hexdigest()


def run(target: str) -> None:
    """Runs a target, unless it has passed for these sources."""
    log, passed = LOGS / f"{target}.log", LOGS / f"{target}.passed"
    now = sources()
    if has_passed(target, now):
        return
    passed.unlink(missing_ok=True)
    began = time.monotonic()
    print(f"release-check: make {target}", flush=True)
    with log.open("w") as file:
        done = subprocess.run(["make", target], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT)
    if done.returncode:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-30:])
        fail(f"make {target} fails with {done.returncode}; the end of {log.relative_to(ROOT)}:\n{tail}")
    passed.write_text(now)
    print(f"release-check: make {target} passed after {time.monotonic() - began:.0f} s", flush=True)


def has_passed(target: str, now: str) -> bool:
    passed = LOGS / f"{target}.passed"
    return passed.exists() and passed.read_text() == now


def row(artefact: Artefact, now: str) -> str:
    if not has_passed(artefact.target, now):
        fail(f"make {artefact.target}, which checks {artefact.name}, has not passed for these sources")
    size = built(artefact, ROOT).stat().st_size
    kilobytes = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
    needs = artefact.needs.replace("{glibc}", glibc())
    return f"| {artefact.name} | {kilobytes} | {needs} | {artefact.checked} | `make {artefact.target}` |"


def glibc() -> str:
    """What Packaging/dist.sh has found out and written into the archive's README."""
    (archive,) = (ROOT / "build" / "dist").glob("*.tar.xz")
    name = archive.name.removesuffix(".tar.xz") + "/README"
    text = subprocess.run(["tar", "xOf", archive, name], check=True, capture_output=True, text=True).stdout
    return "glibc " + text.split("glibc ")[1].split(" ")[0]


def built(artefact: Artefact, root: Path) -> Path:
    files = sorted(root.glob(artefact.files))
    if len(files) != 1:
        fail(f"there are {len(files)} files {root / artefact.files}; there should be one, made by make {artefact.target}")
    return files[0].resolve()


def compare_with_another_clone() -> None:
    """Builds everything again, and fails if it has other bytes. Swift puts a hash of the folder into what it compiles, so
    the other clone is mounted over this one."""
    print("release-check: everything once more, in another clone", flush=True)
    with tempfile.TemporaryDirectory() as folder, (LOGS / "again.log").open("w") as log:
        again = Path(folder) / "clone"
        subprocess.run(["git", "clone", "--quiet", ROOT, again], check=True)
        for environment in (".build-wheels", ".build-python"):
            subprocess.run(["cp", "-a", ROOT / environment, again], check=True)
        there = ["unshare", "--mount", "sh", "-ec", 'mount --bind "$0" "$1"; cd "$1"; shift; exec "$@"', again, ROOT]
        for command in BUILD.values():
            done = subprocess.run([*there, *command], stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
            if done.returncode:
                fail(f"{' '.join(command)} fails in another clone with {done.returncode}; see {log.name}")
        released = [artefact for artefact in ARTEFACTS if artefact.target in BUILD]
        files = [built(artefact, ROOT) for artefact in released]
        different = [one.name for one, artefact in zip(files, released) if one.read_bytes() != built(artefact, again).read_bytes()]
        if different:
            fail(f"other bytes when built in another clone: {', '.join(different)}")
    describe(files)


def describe(files: list[Path]) -> None:
    """Writes the checksums of what is released, and an SBOM of it."""
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (LOGS / "SHA256SUMS").write_text("".join(sums))
    commit, date = git("log", "-1", "--format=%H %ct").split()
    command = ["Packaging/make-sbom.py", "--release", version(), commit, *map(str, files)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": date}
    sbom = LOGS / f"voice-activity-{version()}.spdx.json"
    with sbom.open("w") as output:
        subprocess.run(command, cwd=ROOT, check=True, stdout=output, env=environment)
    subprocess.run([ROOT / ".build-dist/python/bin/pyspdxtools", "--infile", sbom], check=True)


def version() -> str:
    return built(ARTEFACTS[0], ROOT).name.split("-")[1]


def say_what_is_left() -> None:
    done = subprocess.run([ROOT / "Scripts/check-metadata.py", "--empty"], capture_output=True, text=True)
    empty = "".join(f"  {line}\n" for line in done.stdout.splitlines())
    print(LEFT.format(version=version(), empty=empty), end="")


def write_table() -> None:
    now = sources()
    rows = [row(artefact, now) for artefact in ARTEFACTS]
    head = "| artefact | size | needs | checked | by |\n|---|--:|---|---|---|\n"
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(before + BEGIN + head + "\n".join(rows) + "\n" + END + rest.split(END)[1])


def main() -> None:
    LOGS.mkdir(parents=True, exist_ok=True)
    if sys.argv[1:] not in ([], ["--table"]):
        sys.exit(__doc__)
    if not sys.argv[1:]:
        for target in dict.fromkeys(artefact.target for artefact in ARTEFACTS):
            run(target)
        compare_with_another_clone()
    write_table()
    print(f"release-check: every target passed; the table is in {PAGE.relative_to(ROOT)}")
    say_what_is_left()


if __name__ == "__main__":
    main()
