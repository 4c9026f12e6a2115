#!/usr/bin/env python3
"""Checks that unsafe code says why it is safe.

  Scripts/check-invariants.py    exits 1 and reports what lacks its reason

In Sources/, Tests/, Benchmarks/, Bindings/ and Examples/, for Swift:

1. The comment above a declaration with `@unchecked Sendable` or `nonisolated(unsafe)` names it.
2. The comment above a stored property that holds a pointer says how long the pointer is valid, or the comment of its
   type does. It uses one of the words in LIFETIME.
3. The reason for the memory order of an atomic access names the order: "relaxed", "acquire", "release", "sequentially
   consistent". It is above the access in the same function, above the function, above the atomic's declaration, or
   above a type that contains one of them.

There and in CSupport/, for C, a comment names each memory order: in the lines above the access up to a blank line, on
the line of the access, or likewise at the declaration of the atomic.

A comment is "above" a declaration if only attributes are between them. It also covers the declarations that follow
without a blank line or another comment.

Before that, the check proves itself on SEEDS: it must find exactly the faults that are marked there.
"""

import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIFETIME = r"\b(?:as long as|belongs?|freed|lives?|outlives?|valid)\b"
POINTER = r"\b(?:Unsafe\w*Pointer|OpaquePointer|Unmanaged|UnsafeAtomic)\b"
RELAXED, SEQUENTIAL = r"\brelaxed\b", r"\bsequential(?:ly)?\b"
ACQUIRE, RELEASE = r"\bacquir(?:es?|ing)\b", r"\breleas(?:es?|ing)\b"
ORDERS = {
    "relaxed": [RELAXED], "acquiring": [ACQUIRE], "releasing": [RELEASE],
    "acquiringAndReleasing": [ACQUIRE, RELEASE], "sequentiallyConsistent": [SEQUENTIAL],
    "acquire": [ACQUIRE], "release": [RELEASE], "acq_rel": [ACQUIRE, RELEASE], "seq_cst": [SEQUENTIAL],
}
KEYWORD = re.compile(
    r"\b(actor|class|enum|extension|protocol|struct|case|deinit|func|init|let|subscript|var)\b(?:\s+([\w.]+))?")
TYPES = {"actor", "class", "enum", "extension", "protocol", "struct"}


@dataclass
class Fault:
    path: Path
    line: int
    text: str


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
        return Fault(self.path, line + 1, text)

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


def says(reason, order):
    """Whether a comment names a memory order."""
    return all(re.search(word, reason) for word in ORDERS[order])


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


def sources(folder, pattern):
    """Returns the files of a folder, without those of a hidden one such as .build."""
    return [it for it in sorted(folder.rglob(pattern))
            if not any(part.startswith(".") for part in it.relative_to(folder).parts)]


class Module:
    """The files of a module, with the comments of its types and of its atomics by name."""

    def __init__(self, folder):
        self.files = [parse(path) for path in sources(folder, "*.swift")]
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
        if not re.search(LIFETIME, reason):
            yield file.fault(line, f"no comment says how long the pointer {match.group(1)} is valid")

    def orders(self, file, line, code):
        for order in re.findall(r"ordering: \.(\w+)", code):
            access = " ".join(file.code[max(0, line - 2):line + 1])
            names = re.findall(r"(\w+)\s*\.\s*\w+\((?=[^()]*(?:\([^()]*\)[^()]*)*ordering: \.)", access)
            functions = [it for it in file.scopes[line] if not it.is_type]
            start = functions[0].line if functions else line
            reason = file.comment(start) + file.comments_between(start, line) + self.type_comments(file, line)
            reason += " ".join(text for name in names[-1:] for text in self.atomics.get(name, []))
            if not says(reason, order):
                yield file.fault(line, f"no comment says why the order .{order} is sufficient")


def paragraph(lines, number):
    """Returns the comments from the last blank line to the end of a line."""
    first = number
    while first > 0 and lines[first - 1].strip():
        first -= 1
    text = "\n".join(lines[first:number + 1])
    return " ".join(re.findall(r"/\*.*?\*/|//[^\n]*", text, re.S)).lower()


def c_faults(folder):
    """Checks C: the accesses of a folder, and the atomics that it declares."""
    files = {path: path.read_text().splitlines() for path in sources(folder, "*.[ch]")}
    declared = {}
    for lines in files.values():
        for number, line in enumerate(lines):
            if match := re.search(r"\b(?:_Atomic|atomic_\w+)\b(?!\()[^;(]*;", line):
                for name in re.findall(r"(\w+)\s*(?:=[^,;]*)?[,;]", match.group(0)):
                    declared[name] = declared.get(name, "") + paragraph(lines, number)
    for path, lines in files.items():
        for number, line in enumerate(lines):
            for order in re.findall(r"\bmemory_order_(\w+)", line):
                names = re.findall(r"_explicit\(\s*&?[\w.>()-]*?(\w+)\s*,", line)
                reason = paragraph(lines, number) + " ".join(declared.get(name, "") for name in names)
                if not says(reason, order):
                    yield Fault(path, number + 1, f"no comment says why memory_order_{order} is sufficient")


def faults_in(folder, modules):
    """Returns what lacks its reason in a folder, which contains modules and C."""
    return [it for module in modules for it in Module(module).faults()] + list(c_faults(folder))


# Sources with faults, which end in "FAULT", beside code that is correct.
SEEDS = {
    "seed.swift": """
/// Never invalid, and delivered to its relatives. @unchecked Sendable is safe because nothing is shared.
final class Box: @unchecked Sendable {
  let first: UnsafeMutableRawPointer  // FAULT

  /// Valid until `deinit`.
  let second: UnsafeMutableRawPointer

  /// Relaxed order is enough, because no other memory depends on it.
  private let count = Atomic<Int>(0)

  private let flag = Atomic<Bool>(false)

  func add() { count.add(1, ordering: .relaxed) }

  /// Sent when the lock is released.
  func raise() { flag.store(true, ordering: .releasing) }  // FAULT
}

final class Other: @unchecked Sendable {  // FAULT
  nonisolated(unsafe) var last = 0  // FAULT
}
""",
    "seed.c": """
/* Relaxed order is enough: nothing depends on it. */
static _Atomic int hops, gaps;

static _Atomic int state;

/* Nobody here is relaxed. */
static void elsewhere(void) {}

int counted(void) {
  return atomic_load_explicit(&hops, memory_order_relaxed) + atomic_load_explicit(&gaps, memory_order_relaxed);
}

int present(void) { return atomic_load_explicit(&state, memory_order_relaxed); } /* FAULT */

/* Acquire order makes the samples visible that were written before. */
int ready(void) { return atomic_load_explicit(&state, memory_order_acquire); }
""",
}


def check_itself():
    """Returns the faults of the seeds that are not found, and those that are found although there are none."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in SEEDS.items():
            (Path(folder) / name).write_text(text)
        found = {(it.path.name, it.line) for it in faults_in(Path(folder), [Path(folder)])}
    marked = {(name, number) for name, text in SEEDS.items()
              for number, line in enumerate(text.splitlines(), 1) if "FAULT" in line}
    return [f"the check itself is wrong: {name}:{line} {'is not found' if (name, line) in marked else 'is no fault'}"
            for name, line in sorted(found ^ marked)]


def main():
    faults = check_itself()
    for folder in [ROOT / name for name in ("Sources", "CSupport", "Tests", "Benchmarks", "Bindings", "Examples")]:
        found = faults_in(folder, [it for it in sorted(folder.iterdir()) if it.is_dir()])
        faults += [f"{it.path.relative_to(ROOT)}:{it.line}: {it.text}" for it in found]
    for fault in faults:
        print(f"check-invariants: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
