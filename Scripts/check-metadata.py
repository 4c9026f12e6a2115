#!/usr/bin/env python3
"""Checks that every package states the home page and the repository of Packaging/metadata.txt, or writes them.

  Scripts/check-metadata.py             fails where a package states others
  Scripts/check-metadata.py --write     writes them into each package's file; a URL that is not filled in is left out
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
OWNER = ROOT / "Packaging" / "metadata.txt"


class Manifest(NamedTuple):
    file: str
    anchor: str  # the text behind which the fields stand
    home_page: str  # a field, as it is written
    repository: str
    before: str = ""  # what stands in front of the fields


MANIFESTS = (
    Manifest(
        "Bindings/python/pyproject.toml",
        'recordings = ["soundfile"]\n',
        'Homepage = "{}"\n',
        'Repository = "{}"\n',
        before="\n[project.urls]\n",
    ),
    Manifest("Bindings/rust/Cargo.toml", 'license = "Apache-2.0"\n', 'homepage = "{}"\n', 'repository = "{}"\n'),
    Manifest(
        "Bindings/web/package.json", '  "license": "Apache-2.0",\n', '  "homepage": "{}",\n', '  "repository": "{}",\n'
    ),
    Manifest("Bindings/cpp/CMakeLists.txt", "project(voiceactivity VERSION ${CMAKE_MATCH_1}", ' HOMEPAGE_URL "{}"', ""),
    Manifest("Packaging/debian/control", "Standards-Version: 4.6.2\n", "Homepage: {}\n", "Vcs-Git: {}\n"),
)


def stated() -> tuple[str, str]:
    """Returns the home page and the repository, each empty if it is not filled in."""
    lines = [line for line in OWNER.read_text().splitlines() if line and not line.startswith("#")]
    fields = {name.strip(): value.strip() for name, value in (line.split("=", 1) for line in lines)}
    if set(fields) != {"home_page", "repository"}:
        sys.exit(f"check-metadata: {OWNER.name} must have home_page and repository, and has {sorted(fields)}.")
    return fields["home_page"], fields["repository"]


def filled(manifest: Manifest, text: str, urls: tuple[str, str]) -> str:
    """Returns the text with these URLs in place of those that it has."""
    anchor, templates = manifest.anchor, (manifest.home_page, manifest.repository)
    if text.count(anchor) != 1:
        sys.exit(f"check-metadata: {manifest.file} has {text.count(anchor)} times {anchor!r}.")
    patterns = [re.escape(manifest.before), *(re.escape(one).replace(r"\{\}", r'[^ "\n]*') for one in templates)]
    old = "".join(f"(?:{pattern})?" for pattern in patterns)
    new = "".join(one.format(url) for one, url in zip(templates, urls) if url and one)
    head, rest = text.split(anchor)
    rest = rest[re.match(old, rest).end() :]  # type: ignore[union-attr]
    return head + anchor + (manifest.before + new if new else "") + rest


def main() -> int:
    urls, differ = stated(), False
    for manifest in MANIFESTS:
        path = ROOT / manifest.file
        text = path.read_text()
        wanted = filled(manifest, text, urls)
        if text == wanted:
            continue
        if "--write" in sys.argv[1:]:
            path.write_text(wanted)
            continue
        remedy = "run Scripts/check-metadata.py --write"
        print(f"check-metadata: {manifest.file} states other URLs than {OWNER.name}: {remedy}.")
        differ = True
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
