#!/usr/bin/env python3
"""Checks the lengths of lines and of the header that CONTRIBUTING.md states.

  Scripts/check-lines.py    exits 1 and names what is too long

C has at most 120 columns, and so have comments in Swift, whose code the formatter checks. A word alone may be longer.
Generated tables are left out.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = 120
# The header is the manual as well, and has to stay one that people read.
HEADER, LINES = "CSupport/CVoiceActivity/include/voice_activity.h", 600


def is_checked(file, line):
    return file.endswith((".c", ".h")) or bool(re.match(r" *//+ \S+ ", line))


def faults():
    command = ["git", "ls-files", "*.c", "*.h", "*.swift"]
    for file in subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        if "_generated." in file or not (ROOT / file).exists():
            continue
        lines = (ROOT / file).read_text("utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            if len(line) > COLUMNS and is_checked(file, line):
                yield f"{file}:{number}: {len(line)} columns, more than {COLUMNS}"
        if file == HEADER and len(lines) > LINES:
            yield f"{file}: {len(lines)} lines, more than {LINES}"


def main():
    found = list(faults())
    sys.stderr.writelines(f"check-lines: {fault}\n" for fault in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
