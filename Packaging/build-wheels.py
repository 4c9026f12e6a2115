#!/usr/bin/env python3
"""Builds the wheels of Bindings/python with zig, which compiles for every target on any machine.

  Packaging/build-wheels.py [TARGET…]       those targets, or all; the wheels are in build/wheels
  Packaging/build-wheels.py --zig TARGET    prints only the arguments of zig with which its C is compiled

Each wheel is checked: its size, the symbols that it shows, and for Linux what auditwheel says of the C library that it
needs. Packaging/build-wheels.sh runs this where zig is installed, and runs what can run on this machine.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "Bindings" / "python"
WHEELS = ROOT / "build" / "wheels"
# What a user downloads: 200 kB of it are the two networks.
MOST_BYTES = 310_000
# For size, which costs 2 % of the instructions of a hop, without what is not used. Nothing unwinds through the module;
# Windows insists on its tables.
SMALL = ["-Os", "-ffunction-sections", "-fdata-sections"]
NO_TABLES = ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]


@dataclass
class Target:
    zig: str  # the triple
    platform: str  # as sysconfig calls it
    tag: str  # of the wheel
    suffix: str = ".abi3.so"
    link: str = "-shared -Wl,--gc-sections"
    most_bytes: int = MOST_BYTES

    @property
    def flags(self) -> list[str]:
        return SMALL if self.suffix == ".pyd" else [*SMALL, *NO_TABLES]


# A library and not a bundle, which zig cannot link; Python loads both alike. Its name is not that of the temporary
# file.
MACOS = "-shared -undefined dynamic_lookup -Wl,-dead_strip -Wl,-x -Wl,-install_name,@rpath/_core.abi3.so"
TARGETS = {
    "linux-x86_64": Target("x86_64-linux-gnu.2.17", "linux-x86_64", "manylinux_2_17_x86_64.manylinux2014_x86_64"),
    "linux-aarch64": Target("aarch64-linux-gnu.2.17", "linux-aarch64", "manylinux_2_17_aarch64.manylinux2014_aarch64"),
    "musl-x86_64": Target("x86_64-linux-musl", "linux-x86_64", "musllinux_1_2_x86_64"),
    "musl-aarch64": Target("aarch64-linux-musl", "linux-aarch64", "musllinux_1_2_aarch64"),
    "macos-x86_64": Target("x86_64-macos.11.0", "macosx-11.0-x86_64", "macosx_11_0_x86_64", link=MACOS),
    "macos-arm64": Target("aarch64-macos.11.0", "macosx-11.0-arm64", "macosx_11_0_arm64", link=MACOS),
    # Its calling convention saves more registers, so that the kernels are a third longer.
    "windows-x86_64": Target(
        "x86_64-windows-gnu", "win-amd64", "win_amd64", ".pyd", "-shared -Wl,--gc-sections -s", 345_000
    ),
}


def run(command: list[str], **arguments) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **arguments)
    if done.returncode:
        sys.exit(f"build-wheels: this fails: {' '.join(command)}\n{done.stdout}")
    return done.stdout


def build(target: Target, work: Path) -> Path:
    zig = f"{sys.executable} -m ziglang cc -target {target.zig}"
    compiler = work / "cc"
    compiler.write_text(f'#!/bin/sh\nexec {zig} "$@"\n')
    compiler.chmod(0o755)
    is_windows = target.suffix == ".pyd"
    flags = [*target.flags, "-include", str(PACKAGE / "cross" / "pyconfig.h")]
    environment = {
        **os.environ,
        "SOURCE_DATE_EPOCH": run(["git", "log", "-1", "--format=%ct"], cwd=ROOT).strip(),  # the same bytes each time
        "CC": str(compiler),
        "CFLAGS": " ".join(flags),
        "LDSHARED": f"{compiler} {target.link}",
        "_PYTHON_HOST_PLATFORM": target.platform,
        "SETUPTOOLS_EXT_SUFFIX": target.suffix,
    }
    if is_windows:
        environment["LDFLAGS"] = str(import_library(work))
    command = [sys.executable, "setup.py", "--quiet", "build", "--build-base", str(work / "build"), "bdist_wheel"]
    run([*command, "--dist-dir", str(work)], cwd=PACKAGE, env=environment)
    (made,) = work.glob("*.whl")
    run([sys.executable, "-m", "wheel", "tags", "--remove", "--platform-tag", target.tag, str(made)], env=environment)
    (made,) = work.glob("*.whl")
    return Path(shutil.move(made, WHEELS / made.name))  # /tmp may be another file system


def import_library(work: Path) -> Path:
    """Writes the library by which a linker knows what python3.dll has."""
    definition = work / "python3.def"
    data = re.compile(r"PyExc_\w+|\w+_Type|_Py_\w+Struct|Py_Version")
    lines = [f"  {symbol}{' DATA' if data.fullmatch(symbol) else ''}" for symbol in stable_symbols()]
    definition.write_text("LIBRARY python3.dll\nEXPORTS\n" + "\n".join(lines) + "\n")
    library = work / "python3.lib"
    run([sys.executable, "-m", "ziglang", "dlltool", "-m", "i386:x86-64", "-d", str(definition), "-l", str(library)])
    return library


def stable_symbols() -> list[str]:
    """What the wheel for Linux needs of Python."""
    (wheel,) = WHEELS.glob("*manylinux*x86_64.whl")
    with zipfile.ZipFile(wheel) as archive, archive.open("voiceactivity/_core.abi3.so") as file:
        symbols = ELFFile(file).get_section_by_name(".dynsym").iter_symbols()
        return sorted(one.name for one in symbols if re.match(r"_?Py", one.name) and one["st_shndx"] == "SHN_UNDEF")


def check(target: Target, wheel: Path) -> str:
    """Returns what the wheel needs of the system."""
    size = wheel.stat().st_size
    if size > target.most_bytes:
        sys.exit(f"build-wheels: {wheel.name} has {size} bytes, more than {target.most_bytes}")
    if "linux" not in wheel.name:
        return "built only"
    with zipfile.ZipFile(wheel) as archive, archive.open("voiceactivity/_core.abi3.so") as file:
        module = ELFFile(file)
        symbols = module.get_section_by_name(".dynsym").iter_symbols()
        shown = {one.name for one in symbols if one["st_shndx"] != "SHN_UNDEF" and one.name}
        needed = {tag.needed for tag in module.get_section_by_name(".dynamic").iter_tags("DT_NEEDED")}
    if shown != {"PyInit__core"}:
        sys.exit(f"build-wheels: {wheel.name} shows other symbols than its entry: {', '.join(sorted(shown))}")
    if "musllinux" in wheel.name:  # of which auditwheel understands nothing where glibc is
        if needed != {"libc.so"}:
            sys.exit(f"build-wheels: {wheel.name} needs other libraries than musl's: {', '.join(sorted(needed))}")
        return "needs libc.so of musl"
    said = " ".join(run([sys.executable, "-m", "auditwheel", "show", str(wheel)]).split())
    tag = re.search(r'consistent with the following platform tag: "(\w+)"', said)
    wanted = wheel.stem.rsplit("-", 1)[1].split(".")
    if not tag or tag[1] not in wanted:
        sys.exit(f"build-wheels: auditwheel does not find {' or '.join(wanted)}: {said}")
    return f"auditwheel: {tag[1]}"


def main() -> None:
    if sys.argv[1:2] == ["--zig"]:
        target = TARGETS[sys.argv[2]]
        print("-target", target.zig, *target.flags)
        return
    names = sys.argv[1:] or list(TARGETS)
    unknown = set(names) - TARGETS.keys()
    if unknown:
        sys.exit(f"build-wheels: there is no target {min(unknown)}; the targets are {', '.join(TARGETS)}")
    WHEELS.mkdir(parents=True, exist_ok=True)
    for name in sorted(names, key=list(TARGETS).index):
        for tag in TARGETS[name].tag.split("."):
            for old in WHEELS.glob(f"*{tag}*.whl"):
                old.unlink()
        with tempfile.TemporaryDirectory() as work:
            wheel = build(TARGETS[name], Path(work))
        print(
            f"{wheel.relative_to(ROOT)}  {wheel.stat().st_size / 1000:.0f} kB  {check(TARGETS[name], wheel)}",
            flush=True,
        )


if __name__ == "__main__":
    main()
