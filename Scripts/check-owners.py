#!/usr/bin/env python3
"""Counts the files of code in which people spell each name of CSupport/contract by hand, and fails if one has more.

    Scripts/check-owners.py            # compares with CSupport/contract/owners.txt
    Scripts/check-owners.py --write    # writes the counts there, after they fell
    Scripts/check-owners.py NAME       # lists the files of one name

A name counts in any spelling: mute_carry_over, muteCarryOver, MuteCarryOver, mute-carry-over, with its unit or without.
What the generator writes does not count, nor do tests, pages, benchmarks and examples.
"""
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from generate_contract import CONTRACT, PAUSE, ROOT, lines, pascal  # noqa: E402

COUNTS = ROOT / "CSupport/contract/owners.txt"
OTHERS = re.compile(r"(^|/)([Tt]ests?|docs|Benchmarks|Examples|samples|Training|Models)/|\.(md|svg|abi)$|_test\.go$|"
                    r"adapter_tests|program_tests|\.docc/|^CHANGELOG|^CSupport/contract/owners\.txt$|^Scripts/check-owners\.py$")
GENERATED = re.compile(r"^[^\n]*\bcontract: .*?^[^\n]*\bcontract end", flags=re.M | re.S)


def spellings(name):
    return re.compile(r"(?<![a-z])" + "[-_ ]?".join(map(re.escape, name.removesuffix("_ms").split("_"))), flags=re.I)


def names():
    """Yields what is counted, and the pattern that finds it."""
    for kind in ("setting", "event"):
        for entry in CONTRACT[kind]:
            if entry["name"] not in ("onset", "offset"):  # which are parts of other names
                yield f"{kind} {entry['name']}", spellings(entry["name"])
    for setting in PAUSE["setting"]:
        yield f"pause setting {setting['name']}", spellings(re.sub("_(bps|us)$", "", setting["name"]))
    for library, contract in (("VA", CONTRACT), ("VP", PAUSE)):
        for entry in contract["status"][1:]:
            spelled = f"{entry['name']}|{pascal(entry['name'])}"
            yield f"status {library} {entry['name']}", re.compile(rf"({library}_ERROR_|\bErr|\bError::)({spelled})\b", re.I)
    for rule in CONTRACT["cut_rule"]:
        yield f"cut rule {rule}", spellings(rule)
    for preset in CONTRACT["preset"]:
        onset, offset = (f"{value:.2f}".lstrip("0") for value in preset["decision"][:2])
        yield f"numbers of {preset['name']}", re.compile(rf"{re.escape(onset)}f?,\s*0?{re.escape(offset)}")
    yield f"version {CONTRACT['version']}", re.compile(rf"(?<![=.\d]){re.escape(CONTRACT['version'])}(?!\d)")


def code():
    """Yields name and text of each file of code, without what the generator writes."""
    found = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True).stdout
    single = {}
    for file, pattern, _ in lines():
        single.setdefault(file, []).append(pattern)
    for file in found.splitlines():
        if OTHERS.search(file) or not (ROOT / file).is_file():
            continue
        try:
            text = (ROOT / file).read_text("utf-8")
        except UnicodeDecodeError:
            continue
        for pattern in single.get(file, []):
            text = re.sub(pattern, "", text, flags=re.M)
        yield file, GENERATED.sub("", text)


def main():
    files = list(code())
    owners = {name: [file for file, text in files if pattern.search(text)] for name, pattern in names()}
    if len(sys.argv) == 2 and sys.argv[1] != "--write":
        found = [file for name, hits in owners.items() if sys.argv[1] in name.split() for file in hits]
        print("\n".join(found) or f"check-owners: no file spells '{sys.argv[1]}'")
        return 0
    if sys.argv[1:] == ["--write"]:
        COUNTS.write_text("".join(f"{len(hits):3} {name}\n" for name, hits in owners.items()), "utf-8")
        return 0
    allowed = {line[4:]: int(line[:3]) for line in COUNTS.read_text("utf-8").splitlines()}
    grown = {name: hits for name, hits in owners.items() if len(hits) > allowed.get(name, 0)}
    for name, hits in grown.items():
        print(f"{name}: {len(hits)} files spell it by hand, {allowed.get(name, 0)} are allowed:\n  " + "\n  ".join(hits),
              file=sys.stderr)
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
