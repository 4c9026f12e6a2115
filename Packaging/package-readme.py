#!/usr/bin/env python3
"""Prints a package's README for a place where the repository is not beside it.

  Packaging/package-readme.py README

Its links out of the package lead to the repository of metadata.txt, as GitHub and GitLab address its files or, while that
is not filled in, are the names of the files.
"""

import re
import runpy
import sys
from pathlib import Path

METADATA = Path(__file__).resolve().parent.parent / "Scripts" / "check-metadata.py"
LINK = re.compile(r"\[([^]]*)\]\((?:\.\./)+([^)#]*)([^)]*)\)")


def main() -> None:
    repository = runpy.run_path(str(METADATA))["stated"]()["repository"].removesuffix(".git")

    def led_there(link: re.Match[str]) -> str:
        text, file, anchor = link.groups()
        if repository:
            return f"[{text}]({repository}/blob/HEAD/{file}{anchor})"
        return text if text in file else f"{text} (`{file}`)"

    print(LINK.sub(led_there, Path(sys.argv[1]).read_text()), end="")


if __name__ == "__main__":
    main()
