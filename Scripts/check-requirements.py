#!/usr/bin/env python3
"""Compares the lists of requirements and the tables of promises in docs/ with the tests.

A test covers a requirement if its title begins with the requirement's id, @Test("LB-19 …"), or with several,
@Test("LB-05 LB-16 …"). Every id in a list needs such a test, and every id in a title needs an item.

Each row of docs/promises.md links to its tests. A link whose text is code, `Suite.test` or a function, names something
that the file declares; any other has the file's name. The commands behind the tests are targets that `make ci` or
`make check-all` runs; `make test` runs the tests of a row without one. All links of the page lead to files, and to
headings in pages.

  Scripts/check-requirements.py          compares; exits 1 and reports what is missing
  Scripts/check-requirements.py --list   prints the files that have the tests of each id
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# For each list: the page, the letters of its ids, the folders of its tests.
LISTS = [
    ("docs/video-pause-requirements.md", "LB|VR|IV", ["Tests/VideoPauseTests", "Tests/CallPresentationTests"]),
    ("docs/speaking-while-muted.md", "SM", ["Tests/VoiceMonitorTests"]),
]

PROMISES = ROOT / "docs/promises.md"
COLUMNS = ["promise", "tests"]
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")


def files_by_id(folders, letters):
    """Returns the test files of each id at the beginning of a title, in the order of their names."""
    title = re.compile(rf'@Test\(\s*"((?:(?:{letters})-\d\d )+)')
    found = defaultdict(list)
    for path in sorted(path for folder in folders for path in (ROOT / folder).rglob("*.swift")):
        for ids in title.findall(path.read_text()):
            for name in ids.split():
                if path.stem not in found[name]:
                    found[name].append(path.stem)
    return found


def check(page, letters, folders, is_list):
    """Returns the faults of one list."""
    files = files_by_id(folders, letters)
    items = re.findall(rf"^- ((?:{letters})-\d\d): ", (ROOT / page).read_text(), flags=re.M)
    if is_list:
        print("".join(f"{name} {', '.join(files.get(name, []))}\n" for name in items), end="")
    faults = [f"{name}: two items" for name in sorted(set(items)) if items.count(name) > 1]
    faults += [f"{name}: no test has this id in its title" for name in items if name not in files]
    faults += [f"{name}: a test, but no item" for name in sorted(set(files) - set(items))]
    if not items:
        faults += ["no item has an id"]
    return [f"{page}: {fault}" for fault in faults]


def targets_run():
    """Returns the targets of the Makefile that `ci` and `check-all` lead to, as prerequisites or by a call of make."""
    rules = re.findall(r"^([a-z][a-z0-9-]*):(?!=)([^#\n]*).*\n((?:\t.*\n)*)", (ROOT / "Makefile").read_text(), flags=re.M)
    call = re.compile(r"\$\(MAKE\)(?!.* -[fC] )(.*)")
    calls = {name: [*needs.split(), *" ".join(call.findall(recipe)).split()] for name, needs, recipe in rules}
    found, rest = set(), ["ci", "check-all"]
    while rest:
        name = rest.pop()
        if name in calls and name not in found:
            found.add(name)
            rest += calls[name]
    return found


def declares(path, name):
    """Whether a file of tests declares a name: a type, a function, or both as `Type.function`."""
    text = path.read_text()
    return all(re.search(rf"\b(?:struct|class|func|def|fn) {part}\b|^(?:\w[\w *]*\b)?{part}\([^;\n]*\{{", text, flags=re.M)
               for part in name.split("."))


def link_fault(target):
    """Returns what is wrong with a link of the page of promises, or None."""
    file, _, anchor = target.partition("#")
    path = (PROMISES.parent / file).resolve() if file else PROMISES
    if "://" in target:
        return None
    if not path.exists():
        return f"there is no {file}"
    headings = re.findall(r"^#+ (.*)$", path.read_text(), flags=re.M) if anchor else []
    if anchor and anchor not in [re.sub(r"[^\w -]", "", it.lower()).replace(" ", "-") for it in headings]:
        return f"{file or PROMISES.name} has no heading for #{anchor}"
    return None


def test_fault(label, target):
    """Returns what is wrong with a link to a test, or None."""
    path = (PROMISES.parent / target).resolve()
    if not label.startswith("`"):
        return None if label == path.name else f"[{label}] is neither code nor the name of {target}"
    return None if path.exists() and declares(path, label.strip("`")) else f"{target} does not declare {label}"


def row_faults(row, run):
    """Returns the faults of a row of promises."""
    if len(row) != len(COLUMNS):
        return [f"{len(row)} columns, not {len(COLUMNS)}"]
    tests, commands = LINK.findall(row[1]), re.findall(r"`make ([a-z0-9-]+)`", row[1])
    faults = [fault for link in tests if (fault := test_fault(*link))]
    faults += [f"neither make ci nor make check-all runs make {it}" for it in commands if it not in run]
    return faults + ([] if tests else ["no test"])


def check_promises():
    """Returns the faults of the page of promises."""
    text, run = PROMISES.read_text(), targets_run()
    faults = [fault for _, target in LINK.findall(text) if (fault := link_fault(target))]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\|.*", text, flags=re.M)]
    rows = [row for row in rows if row != COLUMNS and not row[0].startswith("---")]
    faults += [f"{row[0]}: {fault}" for row in rows for fault in row_faults(row, run)]
    return [f"{PROMISES.relative_to(ROOT)}: {fault}" for fault in faults + ([] if rows else ["no row has a promise"])]


def main():
    is_list = sys.argv[1:] == ["--list"]
    if sys.argv[1:] and not is_list:
        sys.exit("check-requirements: give --list or nothing")
    faults = [fault for entry in LISTS for fault in check(*entry, is_list)]
    faults += check_promises()
    for fault in faults:
        print(f"check-requirements: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
