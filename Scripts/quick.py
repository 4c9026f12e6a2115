#!/usr/bin/env python3
"""Checks what changed since the last commit, or with SINCE since another one: format and texts, the code in the pages, the C
library, and each test target that names a changed target among its dependencies. The tests tagged `slow`, and targets
further away, are left to `make test`.

    Scripts/quick.py [SINCE]      TESTED is the command that builds the tests
"""

import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What has a check of its own, which takes longer.
OTHERS = {
    "Bindings/python": "python", "Bindings/go": "go", "Bindings/rust": "crate", "Bindings/cpp": "cpp", "Bindings/web": "web",
    "plugins/gstreamer": "gstreamer", "Examples": "examples", "Packaging": "packages", "Training": "training",
    "CSupport/libvideopause": "library", "Tests/VideoPauseLibrary": "library", "Models": "models",
}
began = time.monotonic()


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def run(*command):
    print(f"quick: {time.monotonic() - began:.0f} s: {shlex.join(command)[:100]}", flush=True)
    if code := subprocess.run(command, cwd=ROOT).returncode:
        sys.exit(code)


def changed_files(since):
    try:
        tracked = output("git", "diff", "--name-only", since, "--")
    except subprocess.CalledProcessError:
        sys.exit(f"quick: git knows no commit '{since}'; name one that `git log` shows")
    return (tracked + output("git", "ls-files", "--others", "--exclude-standard")).splitlines()


def test_targets(files):
    """Returns the names of the test targets to which the files belong, or that depend on the targets to which they do."""
    targets = {
        target["name"]: target for target in json.loads(output("swift", "package", "dump-package"))["targets"]
    }
    folders = {
        (target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{name}") + "/": name
        for name, target in targets.items()
    }
    changed = {name for file in files for folder, name in folders.items() if file.startswith(folder)}
    return sorted(
        name for name, target in targets.items()
        if target["type"] == "test" and changed & {name, *(on["byName"][0] for on in target["dependencies"] if "byName" in on)}
    )


def slow_tests():
    """Returns the names of the functions and suites that are tagged `slow`."""
    texts = [path.read_text() for path in (ROOT / "Tests").rglob("*.swift")]
    return [name for text in texts for name in re.findall(r"\.tags\(\.slow\).*?(?:func|struct) (\w+)", text, re.S)]


def main():
    files = changed_files(*(sys.argv[1:] or ["HEAD"]))
    if not files:
        sys.exit("quick: nothing has changed; `make quick SINCE=HEAD~1` checks the last commit")
    run("make", "--no-print-directory", "lint")
    if any(file.endswith(".md") for file in files):
        run("Scripts/check-pages.sh", "readme", "integration", "go")
    if any(re.match(r"CSupport/(CVoiceActivity|libvoiceactivity|library.mk)|Tests/(Library|Contract)", file) for file in files):
        run("Scripts/check-library.sh", "voiceactivity")
    if names := test_targets(files):
        build = os.environ["TESTED"].split()
        run(*build, "--build-tests")
        run("Scripts/run-tests.py", output(*build, "--show-bin-path").strip(),
            "--filter", rf"^(?:{'|'.join(names)})\.", "--skip", rf"\b(?:{'|'.join(slow_tests())})\b")
    elif any(re.match(r"Package.swift|Sources/|CSupport/|Tests/", file) for file in files):
        print("quick: no test target depends on what has changed directly; `make test` runs all")
    for folder, target in OTHERS.items():
        if any(file.startswith(folder + "/") for file in files):
            print(f"quick: {folder} has changed, which `make {target}` checks")
    print(f"quick: passed in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
