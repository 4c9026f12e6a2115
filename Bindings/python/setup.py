"""Builds the extension `voiceactivity._core` from the C library's sources and those of extension/.

In the repository the library's sources are in CSupport/, and are copied to core/ before each build. A source
distribution contains that copy and needs only a C compiler: gcc 12 or clang 14, or later, as the kernels use their
vector extensions.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup

HERE = Path(__file__).resolve().parent
CORE = HERE / "core"


def vendor(repository: Path) -> None:
    """Copies what a package needs of the repository: sources, flags, licence, and the README with links that hold."""
    shutil.rmtree(CORE, ignore_errors=True)
    shutil.copytree(repository / "CSupport" / "CVoiceActivity", CORE)
    makefile = (repository / "CSupport" / "libvoiceactivity" / "Makefile").read_text()
    flags = re.search(r"^FLAGS := (.*)$", makefile, re.M)
    assert flags, "CSupport/libvoiceactivity/Makefile states no FLAGS"
    (CORE / "flags").write_text(flags[1] + "\n")
    shutil.copy(repository / "LICENSE", CORE / "LICENSE")
    readme = [sys.executable, repository / "Packaging" / "package-readme.py", HERE / "README.md"]
    (CORE / "README.md").write_bytes(subprocess.run(readme, check=True, stdout=subprocess.PIPE).stdout)


def sources(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(HERE)) for file in folder.glob("*.c"))


repository = HERE.parent.parent
if (repository / "CSupport" / "CVoiceActivity").is_dir():
    vendor(repository)

library = (CORE / "library.c").read_text()
version = re.search(r'^const char \*va_version\(void\) { return "([0-9.]*)"; }$', library, re.M)
assert version, "core/library.c states no version"

# The platform to build for, which need not be this one.
target = sysconfig.get_platform()
# Only the entry of the module is visible outside it.
hidden = ["-Wl,--version-script=" + str(HERE / "extension" / "exports.map"), "-Wl,-s"]

# CFLAGS may name a level; the compiler takes the last one.
level = [] if re.search(r"(?:^|\s)-O", os.environ.get("CFLAGS", "")) else ["-O2"]

# Free-threaded builds of Python have no stable ABI; nor does one suffix serve a cross-build, which brings its own.
free_threaded = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))

setup(
    version=version[1],
    license_files=["core/LICENSE"],
    ext_modules=[
        Extension(
            "voiceactivity._core",
            sources=sources(HERE / "extension") + sources(CORE),
            include_dirs=["core/include"],
            depends=[
                str(file.relative_to(HERE)) for folder in (HERE / "extension", CORE) for file in folder.rglob("*.h")
            ],
            extra_compile_args=[*level, "-g0", *(CORE / "flags").read_text().split()],
            extra_link_args=hidden if target.startswith("linux") else [],
            libraries=[] if target.startswith("win") else ["m"],
            define_macros=[("VAPY_FREE_THREADED", None)] if free_threaded else [],
            # This keyword chooses the suffix; extension/limited.h chooses the ABI.
            py_limited_api=not free_threaded and "SETUPTOOLS_EXT_SUFFIX" not in os.environ,
        )
    ],
    options={} if free_threaded else {"bdist_wheel": {"py_limited_api": "cp311"}},
)
