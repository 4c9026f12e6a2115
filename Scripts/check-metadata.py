#!/usr/bin/env python3
"""Checks that every package states the fields of Packaging/metadata.txt, or writes them.

  Scripts/check-metadata.py             fails where a package states others
  Scripts/check-metadata.py --write     writes them into each package's file
  Scripts/check-metadata.py --empty     says what is not filled in, and fails if anything is
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
OWNER = ROOT / "Packaging" / "metadata.txt"
GO_MODULE = ROOT / "Bindings" / "go" / "go.mod"
# What a package states of a field that is not filled in. Where there is nothing, the package leaves the field out.
PLACEHOLDERS = {
    "home_page": "",
    "repository": "",
    "maintainer": "The voice-activity authors <authors@voice-activity.invalid>",
}


class Statement(NamedTuple):
    file: str
    anchor: str  # the text behind which the fields stand
    fields: dict[str, str]  # how each is written
    before: str = ""  # what stands in front of them, if any is there
    placeholder: str = ""  # what stands there of a field that is not filled in, if not the one of all packages


STATEMENTS = (
    Statement(
        "Bindings/python/pyproject.toml",
        'recordings = ["soundfile"]\n',
        {"home_page": 'Homepage = "{}"\n', "repository": 'Repository = "{}"\n'},
        before="\n[project.urls]\n",
    ),
    Statement(
        "Bindings/rust/Cargo.toml",
        'license = "Apache-2.0"\n',
        {"home_page": 'homepage = "{}"\n', "repository": 'repository = "{}"\n'},
    ),
    Statement(
        "Bindings/web/package.json",
        '  "license": "Apache-2.0",\n',
        {"home_page": '  "homepage": "{}",\n', "repository": '  "repository": "{}",\n'},
    ),
    Statement(
        "Bindings/cpp/CMakeLists.txt", "project(voiceactivity VERSION ${CMAKE_MATCH_1}", {"home_page": ' HOMEPAGE_URL "{}"'}
    ),
    Statement(
        "Packaging/debian/control",
        "Standards-Version: 4.6.2\n",
        {"home_page": "Homepage: {}\n", "repository": "Vcs-Git: {}\n"},
    ),
    Statement("Packaging/debian/control", "Priority: optional\n", {"maintainer": "Maintainer: {}\n"}),
    Statement("Packaging/debian/copyright", "Upstream-Name: voice-activity\n", {"maintainer": "Upstream-Contact: {}\n"}),
    Statement("Packaging/debian/changelog", "package of Debian's replaces them.\n\n", {"maintainer": " -- {}  "}),
    Statement("README.md", "\ngit clone ", {"repository": "{} voice-activity"}, placeholder="<this repository>"),
    Statement("README.md", '.package(url: "', {"repository": '{}", from'}, placeholder="<this repository>"),
    Statement(
        "Sources/ActivityReporting/ActivityReporting.docc/ActivityReporting.md",
        '.package(url: "',
        {"repository": '{}", from'},
        placeholder="…/voice-activity",
    ),
)


def stated() -> dict[str, str]:
    """Returns the fields, each empty if it is not filled in."""
    lines = [line for line in OWNER.read_text().splitlines() if line and not line.startswith("#")]
    fields = {name.strip(): value.strip() for name, value in (line.split("=", 1) for line in lines)}
    if fields.keys() != PLACEHOLDERS.keys():
        sys.exit(f"check-metadata: {OWNER.name} must have {', '.join(PLACEHOLDERS)}, and has {', '.join(fields)}.")
    return fields


def filled(statement: Statement, text: str, values: dict[str, str]) -> str:
    """Returns the text with these values in place of those that it has."""
    file, anchor, fields, before, placeholder = statement
    if text.count(anchor) != 1:
        sys.exit(f"check-metadata: {file} has {text.count(anchor)} times {anchor!r}.")
    patterns = [re.escape(before), *(re.escape(form).replace(r"\{\}", r'[^"\n]*?') for form in fields.values())]
    old = "".join(f"(?:{pattern})?" for pattern in patterns)
    new = "".join(form.format(value) for name, form in fields.items() if (value := values[name] or placeholder or PLACEHOLDERS[name]))
    head, rest = text.split(anchor)
    rest = rest[re.match(old, rest).end() :]  # type: ignore[union-attr]
    return head + anchor + (before + new if new else "") + rest


def main() -> int:
    values, differ = stated(), False
    if "--empty" in sys.argv[1:]:
        empty = [f"Packaging/metadata.txt: {name} is empty." for name, value in values.items() if not value]
        if (module := GO_MODULE.read_text().split()[1]).startswith("example."):
            empty.append(f"Bindings/go: {module} stands for the address of the module, in go.mod and in imports.")
        print("\n".join(empty))
        return int(bool(empty))
    for statement in STATEMENTS:
        path = ROOT / statement.file
        text = path.read_text()
        wanted = filled(statement, text, values)
        if text == wanted:
            continue
        if "--write" in sys.argv[1:]:
            path.write_text(wanted)
            continue
        remedy = "run Scripts/check-metadata.py --write"
        print(f"check-metadata: {statement.file} states other fields than {OWNER.name}: {remedy}.")
        differ = True
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
