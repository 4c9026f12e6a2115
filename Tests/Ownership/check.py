#!/usr/bin/env python3
"""Proves that the compiler restricts a detector to one task or thread at a time.

    Tests/Ownership/check.py FOLDER     the folder of a build's modules: swift build --show-bin-path

Snippets in Tests/Ownership/accepted must compile without diagnostics. Snippets in Tests/Ownership/refused must not
compile: each error must be on the line below `// error: TEXT` and contain that text, and no other line may have one.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SNIPPETS = ROOT / "Tests" / "Ownership"


def diagnostics(snippet, flags):
    """Returns the line and text of each error and warning. The compiler checks ownership and data flow in SIL."""
    command = ["swiftc", "-swift-version", "6", "-parse-as-library", "-emit-sil", "-o", "/dev/null", *flags, snippet]
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.findall(r"^[^\n|]*?(\d*):\d+: (error|warning): (.*)", done.stderr, re.MULTILINE)
    if done.returncode and not any(kind == "error" for _, kind, _ in found):
        sys.exit(f"{snippet.name}: the compiler failed:\n{done.stderr}")
    return [(int(line or 0), text) for line, kind, text in found if kind == "error" or snippet.parent.name == "accepted"]


def expected(snippet):
    """Returns the line and part of the text of each expected error."""
    lines = enumerate(snippet.read_text().splitlines(), 2)
    return [(number, line.split("// error: ")[1]) for number, line in lines if "// error: " in line]


def complaint(snippet, flags):
    """Returns what is wrong with a snippet, or None."""
    wanted, found = expected(snippet), diagnostics(snippet, flags)
    if (snippet.parent.name == "refused") != bool(wanted):
        return "snippets that are refused say the errors, those that are accepted do not"
    for line, text in wanted:
        if not any(line == at and text in said for at, said in found):
            return f"line {line} is not refused with “{text}”"
    for line, text in found:
        if line not in [at for at, _ in wanted]:
            return f"line {line}: {text}"
    return None


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    flags = subprocess.run(
        [ROOT / "Scripts" / "module-flags.sh", sys.argv[1]], check=True, capture_output=True, text=True
    ).stdout.split()
    snippets = sorted(SNIPPETS.glob("*/*.swift"))
    complaints = [(snippet, complaint(snippet, flags)) for snippet in snippets]
    for snippet, text in complaints:
        if text:
            print(f"{snippet.relative_to(ROOT)}: {text}", file=sys.stderr)
    if not snippets or any(text for _, text in complaints):
        sys.exit(1)
    print(f"{len(snippets)} snippets are accepted or refused as they should be")


if __name__ == "__main__":
    main()
