#!/usr/bin/env python3
"""Holds docs/video-pause-requirements.md to the tests.

A test fulfils a requirement if its title begins with the requirement's id: @Test("LB-19 …"), or with several:
@Test("LB-05 LB-16 …"). Every id of the table needs such a test, every id in a title a row, and the table's last
column names the files.

  Scripts/check-requirements.py           compares; exits 1 and says what is missing
  Scripts/check-requirements.py --write   fills in the last column
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs/video-pause-requirements.md"
TESTS = ROOT / "Tests/VideoPauseTests"
ID = r"(?:LB|VR|IV)-\d\d"
TITLE = re.compile(rf'@Test\(\s*"((?:{ID} )+)')
ROW = re.compile(rf"^\| ({ID}) \|(.*)\|([^|]*)\|$")


def files_by_id():
    """The test files of each id that a title begins with, in the order of their names."""
    found = defaultdict(list)
    for path in sorted(TESTS.rglob("*.swift")):
        for ids in TITLE.findall(path.read_text()):
            for name in ids.split():
                if path.stem not in found[name]:
                    found[name].append(path.stem)
    return found


def filled_in(line, files):
    """The line, with the tests of its id in the last column."""
    row = ROW.match(line)
    if not row:
        return line
    name, middle, _ = row.groups()
    return f"| {name} |{middle}| {', '.join(files.get(name, [])) or '—'} |"


def main():
    files = files_by_id()
    lines = TABLE.read_text().splitlines()
    wanted = [filled_in(line, files) for line in lines]
    if sys.argv[1:] == ["--write"]:
        TABLE.write_text("\n".join(wanted) + "\n")
    elif sys.argv[1:]:
        sys.exit("check-requirements: give --write or nothing")
    rows = [row.group(1) for row in map(ROW.match, lines) if row]
    faults = [f"{name}: two rows" for name in sorted(set(rows)) if rows.count(name) > 1]
    faults += [f"{name}: no test has this id in its title" for name in rows if name not in files]
    faults += [f"{name}: a test, but no row" for name in sorted(set(files) - set(rows))]
    if not faults and wanted != lines and not sys.argv[1:]:
        faults = ["the tests have moved: run Scripts/check-requirements.py --write"]
    for fault in faults:
        print(f"check-requirements: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
