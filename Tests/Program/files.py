#!/usr/bin/env python3
"""Checks what vadmon reads of recordings of every kind against what is right by construction.

    Tests/Program/files.py [--only TEXT] [--keep FOLDER] [--ffmpeg] VADMON

Independent encoders, a tagger and the modules in recordings/ build the recordings from samples/: joined, cut, tagged,
with junk and zeros, with wrong lengths. vadmon reads each by name, and from a pipe or in a folder, without an extension
there. Rate, channels, length, speech and warnings must be those of the sound that the recording was built from; its
speech is what vadmon finds in it as a plain WAV. Beside each difference stands what ffmpeg decodes. The last lines are
the counts by kind; the exit code is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from recordings import programs
from recordings.catalogue import INSIDE_A_FOLDER, KINDS, NAME, PIPE, Case
from recordings.kinds import ORDER

LENGTH_TOLERANCE, BOUNDARY_TOLERANCE = 0.05, 0.03  # seconds
os.environ["XDG_CONFIG_HOME"] = os.path.abspath("build/no-config")  # without the user's settings
ROUNDING = 0.0015  # vadmon prints milliseconds
LIMIT = 12  # of differences of a kind that are printed
Spans = list[tuple[float, float]]


@dataclass
class Built:
    """A case whose recording and whose right sound are files."""

    kind: str
    case: Case
    path: Path
    right: Path

    @property
    def without_extension(self) -> Path:
        return self.path.parent.parent / "folder" / hashlib.sha256(self.path.name.encode()).hexdigest()[:16]


@dataclass
class Result:
    """What was read of a recording."""

    length: float
    speech: Spans
    warnings: list[str]
    error: str = ""
    form: tuple[int, int] = (0, 0)  # the rate and the number of channels

    @staticmethod
    def of(file: dict) -> Result:
        spans = [(span["start"], span["end"]) for span in file.get("segments", [])]
        error = (file["error"] or {}).get("message", "")
        form = file.get("sample_rate", 0), file.get("channels", 0)
        return Result(file.get("duration", 0), spans, file.get("warnings", []), error, form)

    def __str__(self) -> str:
        spans = " ".join(f"{start:.2f}-{end:.2f}" for start, end in self.speech) or "none"
        messages = "".join(f"; {shortened(text)}" for text in [self.error, *self.warnings] if text)
        return f"{self.length:.3f} s, {self.form[0]} Hz, {self.form[1]}; speech {spans}{messages}"

    def differences(self, case: Case, right: Result) -> list[str]:
        return (
            ["refused"]
            if self.error
            else [
                *["rate or channels"] * (not self.has_form(case, right)),
                *["length"] * (abs(self.length - case.right.seconds) > LENGTH_TOLERANCE + case.slack + ROUNDING),
                *["speech"] * (case.judges_speech and not self.has_speech(right, case.slack)),
                *["warnings"] * (not self.has_messages(case)),
            ]
        )

    def has_form(self, case: Case, right: Result) -> bool:
        """Opus has no rate of its own: libsndfile gives that of its encoder's input, ffmpeg 48 kHz."""
        return self.form[1] == right.form[1] and (self.form[0] == right.form[0] or "opus" in case.name)

    def has_speech(self, right: Result, slack: float) -> bool:
        allowed = BOUNDARY_TOLERANCE + slack + ROUNDING
        return len(self.speech) == len(right.speech) and all(
            abs(time - expected) <= allowed
            for span, other in zip(self.speech, right.speech)
            for time, expected in zip(span, other)
        )

    def has_messages(self, case: Case) -> bool:
        least, most, pattern = case.messages
        return least <= len(self.warnings) <= most and all(re.search(pattern, text) for text in self.warnings)


def shortened(message: str) -> str:
    """A message without the name of the recording and without advice."""
    return re.sub(r"/\S*/(named|folder)/.*?: ", "…: ", message)[:120]


class Program:
    """vadmon."""

    def __init__(self, path: str):
        self.path = path
        self.noise: set[str] = set()  # lines on standard error that are not vadmon's own

    def analyze(self, *inputs: str | Path, data: bytes | None = None) -> dict[str, Result]:
        if not inputs:
            return {}
        command = [self.path, "analyze", "--quiet", "--format", "json", "--", *map(str, inputs)]
        standard_input = {"stdin": subprocess.DEVNULL} if data is None else {"input": data}
        run = subprocess.run(command, capture_output=True, **standard_input)
        errors = run.stderr.decode(errors="replace").splitlines()
        self.noise.update(line for line in errors if not line.startswith("vadmon"))
        try:
            return {file["file"]: Result.of(file) for file in json.loads(run.stdout)["files"]}
        except ValueError:
            sys.exit(f"check-files: vadmon ended with {run.returncode} and wrote no JSON: {' '.join(errors)[-400:]}")


def build(kind: str, folder: Path) -> list[Built]:
    """Writes the recordings of a kind."""
    built = []
    for number, case in enumerate(KINDS[kind]()):
        case.ways = case.ways or (NAME, (PIPE, INSIDE_A_FOLDER)[number % 2])
        path = folder / "named" / f"{kind}, {case.name}".replace("/", "-")
        assert not path.exists(), f"two recordings are called {path.name}"
        path.write_bytes(case.data)
        wav = case.right.wav()
        right = folder / "right" / f"{hashlib.sha256(wav).hexdigest()}.wav"
        if not right.exists():
            right.write_bytes(wav)
        case.data, case.right = b"", case.right[:]  # the other process needs neither
        built.append(Built(kind, case, path, right))
    return built


def build_all(kinds: list[str], folder: Path) -> list[Built]:
    for name in ("named", "right", "folder", "parts"):
        (folder / name).mkdir(parents=True)
    programs.FOLDER = folder / "parts"
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        lists = list(pool.map(build, kinds, [folder] * len(kinds)))
    built = [item for items in lists for item in items]
    for item in built:
        if INSIDE_A_FOLDER in item.case.ways:
            os.link(item.path, item.without_extension)
    return built


def read_all(vadmon: Program, built: list[Built]) -> dict[str, dict[Path, Result]]:
    """What vadmon reads each way, by the path of the recording."""
    folder = built[0].path.parent.parent / "folder"
    named = vadmon.analyze(*[item.path for item in built if NAME in item.case.ways])
    listed = vadmon.analyze(folder)
    piped = [item.path for item in built if PIPE in item.case.ways]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        from_pipes = pool.map(lambda path: vadmon.analyze("-", data=path.read_bytes())["-"], piped)
        results = {PIPE: dict(zip(piped, from_pipes))}
    unread = Result(0, [], [], "the folder's results do not name it")
    results[NAME] = {item.path: named[str(item.path)] for item in built if NAME in item.case.ways}
    results[INSIDE_A_FOLDER] = {item.path: listed.get(str(item.without_extension), unread) for item in built}
    return results


def by_ffmpeg(vadmon: Program, built: list[Built]) -> dict[Path, Result]:
    """The third opinion: what ffmpeg decodes, and vadmon finds in that."""

    def decode(item: Built) -> Path:
        result = programs.FOLDER / f"{item.path.name}.ffmpeg.wav"
        command = [
            "ffmpeg",
            "-v",
            "quiet",
            "-nostdin",
            "-y",
            "-i",
            item.path,
            "-map",
            "0:a:0",
            "-c:a",
            "pcm_s16le",
            result,
        ]
        subprocess.run(command, check=False)
        return result

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wavs = list(pool.map(decode, built))
    found = vadmon.analyze(*[wav for wav in wavs if wav.exists()]) if wavs else {}
    refused = Result(0, [], [], "refused")
    return {item.path: found.get(str(wav), refused) for item, wav in zip(built, wavs)}


@dataclass
class Verdict:
    item: Built
    ways: dict[str, tuple[list[str], Result]]  # for each way that is wrong: the differences, and what was read

    def print(self, right: Result, ffmpeg: Result) -> None:
        print(f"{self.item.path.name}")
        print(f"    right      {Result(right.length, right.speech, [], form=right.form)}; {expected(self.item.case)}")
        groups: dict[str, list[str]] = {}
        for way, (differences, result) in self.ways.items():
            groups.setdefault(f"{result}  <- {', '.join(differences)}", []).append(way)
        for text, ways in groups.items():
            print(f"    {' '.join(ways):10} {text}")
        differences = heard(ffmpeg, self.item.case, right)
        print(f"    ffmpeg     {ffmpeg}" + f"  <- {', '.join(differences)}" * bool(differences))


def heard(ffmpeg: Result, case: Case, right: Result) -> list[str]:
    """What ffmpeg decodes differently. Warnings are vadmon's own."""
    return [what for what in ffmpeg.differences(case, right) if what != "warnings"]


def expected(case: Case) -> str:
    least, most, pattern = case.messages
    count = {(0, 0): "no warning", (1, 1): "one warning", (0, 1): "at most one warning"}[least, most]
    return count + (f" like {pattern}" if pattern else "")


def judge(item: Built, results: dict[str, dict[Path, Result]], right: Result) -> Verdict:
    wrong = {}
    for way in item.case.ways:
        result = results[way][item.path]
        if differences := result.differences(item.case, right):
            wrong[way] = (differences, result)
    return Verdict(item, wrong)


def print_table(verdicts: list[Verdict]) -> None:
    print(f"{'kind':48} {'files':>5} {'ways':>5} {'wrong':>5}")
    kinds = dict.fromkeys(verdict.item.kind for verdict in verdicts)
    for kind in [*kinds, "all"]:
        of_kind = [verdict for verdict in verdicts if kind in (verdict.item.kind, "all")]
        ways = sum(len(verdict.item.case.ways) for verdict in of_kind)
        wrong = sum(len(verdict.ways) > 0 for verdict in of_kind)
        print(f"{kind:48} {len(of_kind):5} {ways:5} {wrong:5}")


def check(vadmon: Program, kinds: list[str], folder: Path, asks_ffmpeg: bool, limit: int) -> bool:
    built = build_all(kinds, folder)
    rights = vadmon.analyze(*sorted({item.right for item in built}))
    results = read_all(vadmon, built)
    verdicts = [judge(item, results, rights[str(item.right)]) for item in built]
    wrong = [verdict for verdict in verdicts if verdict.ways]
    asked = built if asks_ffmpeg else [verdict.item for verdict in wrong]
    opinions = by_ffmpeg(vadmon, asked)
    printed: dict[str, int] = {}
    for verdict in verdicts:
        item, right, ffmpeg = verdict.item, rights[str(verdict.item.right)], opinions.get(verdict.item.path)
        if verdict.ways or ffmpeg and heard(ffmpeg, item.case, right):
            printed[item.kind] = printed.get(item.kind, 0) + 1
            if printed[item.kind] <= limit:
                verdict.print(right, ffmpeg)
    print_table(verdicts)
    if any(count > limit for count in printed.values()):
        print(f"Of each kind, {limit} differences are printed; --only KIND prints all.")
    for line in sorted(vadmon.noise)[:LIMIT]:
        print(f"One of {len(vadmon.noise)} lines on standard error that are not vadmon's: {line}")
    return not wrong and not vadmon.noise


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vadmon")
    parser.add_argument("--only", default="", help="the kinds whose names contain this")
    parser.add_argument("--keep", type=Path, help="write the recordings to this new folder")
    parser.add_argument("--ffmpeg", action="store_true", help="also print where only ffmpeg differs")
    options = parser.parse_args()
    kinds = [kind for kind in ORDER if options.only in kind]
    limit = sys.maxsize if options.only else LIMIT
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary, "files")
        return 0 if check(Program(options.vadmon), kinds, folder, options.ffmpeg, limit) else 1


if __name__ == "__main__":
    sys.exit(main())
