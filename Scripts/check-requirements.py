#!/usr/bin/env python3
"""Compares the tables of requirements in docs/ with the tests.

A test covers a requirement if its title begins with the requirement's id, @Test("LB-19 …"), or with several,
@Test("LB-05 LB-16 …"). Every id in a table needs such a test, and every id in a title needs a row.

  Scripts/check-requirements.py          compares; exits 1 and reports what is missing
  Scripts/check-requirements.py --list   prints the files that have the tests of each id
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# For each table: the page, the letters of its ids, the folders of its tests.
TABLES = [
    ("docs/video-pause-requirements.md", "LB|VR|IV", ["Tests/VideoPauseTests", "Tests/CallPresentationTests"]),
    ("docs/speaking-while-muted.md", "SM", ["Tests/VoiceMonitorTests"]),
]


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
    """Returns the faults of one table."""
    files = files_by_id(folders, letters)
    rows = re.findall(rf"^\| ((?:{letters})-\d\d) \|", (ROOT / page).read_text(), flags=re.M)
    if is_list:
        print("".join(f"{name} {', '.join(files.get(name, []))}\n" for name in rows), end="")
    faults = [f"{name}: two rows" for name in sorted(set(rows)) if rows.count(name) > 1]
    faults += [f"{name}: no test has this id in its title" for name in rows if name not in files]
    faults += [f"{name}: a test, but no row" for name in sorted(set(files) - set(rows))]
    if not rows:
        faults += ["no row has an id"]
    return [f"{page}: {fault}" for fault in faults]


def main():
    is_list = sys.argv[1:] == ["--list"]
    if sys.argv[1:] and not is_list:
        sys.exit("check-requirements: give --list or nothing")
    faults = [fault for table in TABLES for fault in check(*table, is_list)]
    for fault in faults:
        print(f"check-requirements: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
