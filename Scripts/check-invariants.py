#!/usr/bin/env python3
"""Checks that unsafe code says why it is safe.

  Scripts/check-invariants.py    exits 1 and reports what lacks its reason

In Sources/, for Swift:

1. The comment above a declaration with `@unchecked Sendable` or `nonisolated(unsafe)` names it.
2. The comment above a stored property that holds a pointer says how long the pointer is valid, or the comment of its
   type does. It uses one of the words in LIFETIME.
3. The reason for the memory order of an atomic access names the order: "relaxed", "acquire", "release", "sequentially
   consistent". It is above the access in the same function, above the function, above the atomic's declaration, or
   above a type that contains one of them.

In CSupport/, for C, a comment in the same file, or in the header that declares the atomic, names each memory order.

A comment is "above" a declaration if only attributes are between them. It also covers the declarations that follow
without a blank line or another comment.
"""

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIFETIME = ["as long as", "belong", "freed", "lives", "outlive", "valid"]
POINTER = r"\b(?:Unsafe\w*Pointer|OpaquePointer|Unmanaged|UnsafeAtomic)\b"
ORDERS = {
    "relaxed": ["relaxed"], "acquiring": ["acqui"], "releasing": ["releas"],
    "acquiringAndReleasing": ["acqui", "releas"], "sequentiallyConsistent": ["sequential"],
    "acquire": ["acqui"], "release": ["releas"], "acq_rel": ["acqui", "releas"], "seq_cst": ["sequential"],
}
KEYWORD = re.compile(
    r"\b(actor|class|enum|extension|protocol|struct|case|deinit|func|init|let|subscript|var)\b(?:\s+([\w.]+))?")
TYPES = {"actor", "class", "enum", "extension", "protocol", "struct"}


@dataclass
class Scope:
    """A type or a piece of code: braces and what is between them."""
    is_type: bool
    name: str
    line: int


@dataclass
class File:
    path: Path
    lines: list
    """The lines without comments and without the text of strings."""
    code: list = field(default_factory=list)
    """The scopes around the beginning of each line, the outermost first."""
    scopes: list = field(default_factory=list)

    def fault(self, line, text):
        return f"{self.path.relative_to(ROOT)}:{line + 1}: {text}"

    def comment(self, line):
        """Returns the comment above a declaration, and the one behind it."""
        behind = self.lines[line][len(self.code[line]):] if "//" in self.lines[line] else ""
        at = line - 1
        while at >= 0 and self.code[at].strip() and self.depth(at) >= self.depth(line):
            at -= 1
        above = []
        while at >= 0 and self.lines[at].strip().startswith("//"):
            above.insert(0, self.lines[at])
            at -= 1
        return plain(above + [behind])

    def depth(self, line):
        return len(self.scopes[line])

    def comments_between(self, first, last):
        return plain(it for it in self.lines[first:last + 1] if it.strip().startswith("//"))


def plain(lines):
    return " ".join(re.sub(r"^\s*/+\s?", "", it) for it in lines).lower()


def parse(path):
    """Returns a file with its scopes."""
    file = File(path, path.read_text().splitlines())
    text = re.sub(r'"""(.*?)"""', lambda it: re.sub(r"[^\n]", " ", it.group(0)), path.read_text(), flags=re.S)
    stack, header = [], []
    for number, line in enumerate(text.splitlines()):
        code = re.sub(r'"(?:\\.|[^"\\])*"', lambda it: '"' + " " * (len(it.group(0)) - 2) + '"', line).split("//")[0]
        file.code.append(code)
        file.scopes.append(list(stack))
        start = 0
        for at, letter in enumerate(code):
            if letter not in "{}":
                continue
            header.append((number, code[start:at]))
            start = at + 1
            if letter == "}":
                stack = stack[:-1]
            else:
                stack = stack + [scope(header)]
            header = []
        header.append((number, code[start:]))
    return file


def scope(header):
    """Returns the scope that the text in front of a brace opens: that of its last keyword."""
    for number, text in reversed(header):
        if found := KEYWORD.findall(text):
            keyword, name = found[-1]
            if keyword == "class" and found[0][0] in ("func", "var"):
                keyword = found[0][0]
            return Scope(keyword in TYPES, name.split(".")[-1], number)
    return Scope(False, "", header[-1][0])


class Module:
    """The files of a module, with the comments of its types and of its atomics by name."""

    def __init__(self, folder):
        self.files = [parse(path) for path in sorted(folder.rglob("*.swift"))]
        self.types, self.atomics = {}, {}
        for file in self.files:
            for line, code in enumerate(file.code):
                self.note(file, line, code)

    def note(self, file, line, code):
        match = re.search(r"\b(?:actor|class|enum|struct)\s+(\w+)", code)
        if match and not re.search(r"\b(?:func|var|let)\b", code):
            self.types[match.group(1)] = file.comment(line)
        match = re.search(r"\b(?:let|var)\s+(\w+)\s*(?::|=)\s*(?:Unsafe|Managed)?Atomic\b", code)
        if match:
            around = [self.types.get(it.name, "") for it in file.scopes[line] if it.is_type]
            self.atomics.setdefault(match.group(1), []).append(" ".join([file.comment(line)] + around))

    def type_comments(self, file, line):
        return " ".join(self.types.get(it.name, "") for it in file.scopes[line] if it.is_type)

    def faults(self):
        for file in self.files:
            for line, code in enumerate(file.code):
                yield from self.unchecked(file, line, code)
                yield from self.pointers(file, line, code)
                yield from self.orders(file, line, code)

    def unchecked(self, file, line, code):
        for construct in ("@unchecked Sendable", "nonisolated(unsafe)"):
            if construct in code:
                start = line
                while not KEYWORD.search(file.code[start]):
                    start -= 1
                if construct.lower() not in file.comment(start):
                    yield file.fault(line, f"the comment does not say why {construct} is safe")

    def pointers(self, file, line, code):
        match = re.search(rf"\b(?:let|var)\s+(\w+)\s*(?::[^{{]*|=.*){POINTER}", code)
        around = file.scopes[line]
        if not match or not around or not around[-1].is_type or re.search(r"\b(?:func|init|case)\b", code):
            return
        if re.search(r"\{\s*(?:get|_?read|return)?", code) and "=" not in code.split("{")[0]:
            return  # computed
        reason = file.comment(line) + self.type_comments(file, line)
        if not any(word in reason for word in LIFETIME):
            yield file.fault(line, f"no comment says how long the pointer {match.group(1)} is valid")

    def orders(self, file, line, code):
        for order in re.findall(r"ordering: \.(\w+)", code):
            access = " ".join(file.code[max(0, line - 2):line + 1])
            names = re.findall(r"(\w+)\s*\.\s*\w+\((?=[^()]*(?:\([^()]*\)[^()]*)*ordering: \.)", access)
            functions = [it for it in file.scopes[line] if not it.is_type]
            start = functions[0].line if functions else line
            reason = file.comment(start) + file.comments_between(start, line) + self.type_comments(file, line)
            reason += " ".join(text for name in names[-1:] for text in self.atomics.get(name, []))
            if not all(word in reason for word in ORDERS[order]):
                yield file.fault(line, f"no comment says why the order .{order} is sufficient")


def c_faults(folder):
    """Checks C: the atomic fields are declared in headers, and accessed in sources of the same folder."""
    headers = " ".join(
        comment for path in sorted(folder.rglob("*.h")) if "_Atomic" in path.read_text()
        for comment in re.findall(r"/\*.*?\*/", path.read_text(), re.S))
    for path in sorted(folder.rglob("*.[ch]")):
        comments = " ".join(re.findall(r"/\*.*?\*/", path.read_text(), re.S)) + headers
        for number, line in enumerate(path.read_text().splitlines()):
            for order in re.findall(r"memory_order_(\w+)", line):
                if not all(word in comments.lower() for word in ORDERS[order]):
                    yield f"{path.relative_to(ROOT)}:{number + 1}: no comment says why memory_order_{order} is sufficient"


def main():
    faults = [it for folder in sorted((ROOT / "Sources").iterdir()) for it in Module(folder).faults()]
    faults += c_faults(ROOT / "CSupport")
    for fault in faults:
        print(f"check-invariants: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
