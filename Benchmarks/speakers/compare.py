#!/usr/bin/env python3
"""Compares DominantSpeakerDetector with Volfin and Cohen's algorithm: how soon the right speaker becomes dominant, and
how often a wrong one does.

    Benchmarks/speakers/compare.py [--meetings 8] [--minutes 10] [--seed 101] [--json]

It generates meetings from the seed (espeak-ng's voices, overlaps, backchannels, coughs, noise, echo, typing, DTX, lost
packets); the same seed gives the same meetings. It builds the programs that it runs, unless --vadmon and --runner name
built ones. Needs espeak-ng, sox, numpy and scipy. --json adds 95 % intervals over draws of the meetings. A meeting of
ten minutes takes about ten seconds, all eight 1½ minutes.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import meetings
import scoring
import volfin_cohen
from speech_bank import SpeechBank

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
METHODS = {  # the title in the table: the evidence that the detector receives
    "this, level": "level",
    "this, level and voice flag": "voice",
    "this, level and posterior": "posterior",
}


def built(package, product):
    """Builds a program of this project, optimised, and returns its path."""
    command = ["swift", "build", "--package-path", str(package), "-c", "release"]
    subprocess.run([*command, "--product", product], check=True, stdout=sys.stderr)
    folder = subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True, text=True).stdout
    return Path(folder.strip(), product)


def ours(runner, evidence, rows, participants):
    """Returns (ms, dominant) for each change of the dominant speaker."""
    text = "".join("{} {} {} {} {:.4f}\n".format(*row) for row in rows)
    run = subprocess.run([runner, evidence, str(participants)], input=text, check=True, capture_output=True, text=True)
    return [tuple(map(int, line.split())) for line in run.stdout.splitlines()]


def judged(meeting, seed, vadmon, runner):
    """Returns {method: Result} for one meeting."""
    with tempfile.TemporaryDirectory() as work:
        rows = meetings.packets(meeting, vadmon, work, seed)
    found = {"Volfin and Cohen, level": volfin_cohen.switches(rows, meeting.participants)}
    found |= {name: ours(runner, evidence, rows, meeting.participants) for name, evidence in METHODS.items()}
    return {name: scoring.judge(meeting, switches) for name, switches in found.items()}


def written(count, minutes, seed):
    bank = SpeechBank(ROOT / ".build-speakers")
    for number in range(seed, seed + count):
        yield number, meetings.Writer(number, bank, 60 * minutes).write(f"seed {number}")


def table(summaries):
    lines = ["| | missed turns | delay p10 | p50 | p90 | mean, ms | false switches/h | right speaker, % of turns |",
             "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for name, s in summaries.items():
        delay = " | ".join("–" if s["delay_ms"][key] is None else str(s["delay_ms"][key])
                           for key in ("p10", "p50", "p90", "mean"))
        share = "–" if s["right_share"] is None else f"{100 * s['right_share']:.1f}"
        lines.append(f"| {name} | {s['missed']} of {s['turns']} | {delay} | {s['false_per_hour']:.1f} | {share} |")
    return "\n".join(lines)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--meetings", type=int, default=8)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=101, help="of the first meeting; 1 to 8 were tuned on")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--vadmon", type=Path)
    parser.add_argument("--runner", type=Path)
    options = parser.parse_args()
    if options.meetings < 1 or not 0.5 <= options.minutes <= 600:
        parser.error("--meetings is at least 1, --minutes 0.5 to 600")
    for program in (options.vadmon, options.runner):
        if program and not os.access(program, os.X_OK):
            parser.error(f"{program}: no such program; without the option it is built from here")
    return options


def main():
    options = arguments()
    vadmon = options.vadmon or built(ROOT, "vadmon")
    runner = options.runner or built(HERE, "dominant-speaker")
    results = {}
    for seed, meeting in written(options.meetings, options.minutes, options.seed):
        print(f"{meeting.name}: {meeting.participants} participants, {len(meeting.turns)} turns", file=sys.stderr)
        for name, result in judged(meeting, seed, vadmon.resolve(), runner.resolve()).items():
            results.setdefault(name, []).append(result)
    yardstick = next(iter(results.values()))
    summaries = {name: scoring.total(each) | {"intervals": scoring.intervals(each, yardstick)}
                 for name, each in results.items()}
    print(json.dumps(summaries, indent=1) if options.json else table(summaries))


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"compare: {error.cmd[0]} failed: {(error.stderr or b'')[:200]!r}")
