#!/usr/bin/env python3
"""Checks that unsafe code says why it is safe.

    Scripts/check-invariants.py    exits 1 and reports what lacks its reason

- The comment above `@unchecked Sendable` or `nonisolated(unsafe)` names it.
- In a Swift file that stores pointers, a comment says how long they are valid, with one of the words in LIFETIME.
- In a file that uses a memory order, a comment names it and so says why it is enough.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SWIFT = ("Sources", "Tests", "Benchmarks", "Bindings", "Examples")
C = (*SWIFT, "CSupport", "plugins")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
UNCHECKED = re.compile(r"@unchecked Sendable|nonisolated\(unsafe\)")
POINTER = re.compile(  # two spaces: a property of a type
    r"^  (?:[\w()]+ )*(?:let|var) \w+: [^{\n]*\b(?:Unsafe\w*Pointer|OpaquePointer|Unmanaged|UnsafeAtomic)\b[^{\n]*$", re.M)
LIFETIME = re.compile(r"\b(?:as long as|belongs?|freed|lives?|outlives?|valid)\b", re.I)
ORDER = re.compile(r"ordering: \.(\w+)|memory_order_(\w+)")
ACQUIRE, RELEASE = r"acquir(?:es?|ing)", r"releas(?:es?|ing)"
REASONS = {
    "relaxed": ["relaxed"], "acquiring": [ACQUIRE], "releasing": [RELEASE], "acquiringAndReleasing": [ACQUIRE, RELEASE],
    "sequentiallyConsistent": ["sequential(?:ly)?"],
    "acquire": [ACQUIRE], "release": [RELEASE], "acq_rel": [ACQUIRE, RELEASE], "seq_cst": ["sequential(?:ly)?"],
}


def comment_above(lines, index):
    """Returns the text from the last blank line up to the line."""
    start = index
    while start > 0 and lines[start - 1].strip():
        start -= 1
    return "\n".join(COMMENT.findall("\n".join(lines[start:index + 1])))


def faults(path, text):
    comments = "\n".join(COMMENT.findall(text))
    code = COMMENT.sub("", text)
    if path.suffix == ".swift":
        lines = text.split("\n")
        for index, line in enumerate(lines):
            for found in UNCHECKED.findall(COMMENT.sub("", line)):
                if found not in comment_above(lines, index):
                    yield f"{index + 1}: no comment above says why '{found}' is safe"
        if POINTER.search(code) and not LIFETIME.search(comments):
            yield "no comment says how long the stored pointers are valid"
    for order in sorted({"".join(found) for found in ORDER.findall(code)}):
        for word in REASONS[order]:
            if not re.search(rf"\b{word}\b", comments, re.I):
                yield f"no comment gives the reason for the memory order '{order}'"


def main():
    failed = False
    for folder, suffixes in ((SWIFT, {".swift"}), (C, {".c", ".h"})):
        for path in sorted(path for name in folder for path in (ROOT / name).rglob("*") if path.suffix in suffixes):
            if any(part.startswith(".") or part in ("build", "core") for part in path.relative_to(ROOT).parts):
                continue
            for fault in faults(path, path.read_text("utf-8")):
                print(f"{path.relative_to(ROOT)}: {fault}", file=sys.stderr)
                failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
