#!/usr/bin/env python3
"""Measures the effect of lost packets on segments: samples/ through Opus, with lost packets, handled in four ways.

Losses are random, or bursts of 2 packets on average (Gilbert's model: a loss follows a loss with probability 1/2).

Prints for each kind of loss the onsets in all recordings, also as a multiple of those without loss; false speech, the
share of the 10 ms cells outside the labels that are detected as speech; and missed speech, the share of labelled cells
that are not. Cells shortly after a label are not excluded. Means over five seeds. Needs libopus-dev and sox."""
import pathlib
import random
import subprocess
import sys
import tempfile
from collections import defaultdict

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WAYS = ("none", "gap", "concealment", "concealment60")
KINDS = ("random-10", "bursts-10", "random-20", "bursts-20")
SEEDS = 5
PACKETS = 700  # of 20 ms
CELLS_A_SECOND = 100


def build(folder):
    core = ROOT / "CSupport/CVoiceActivity"
    program = folder / "loss"
    subprocess.run(["cc", "-O2", "-fno-math-errno", "-Wall", "-Wextra", f"-I{core}/include", str(HERE / "loss.c"),
                    *map(str, sorted(core.glob("*.c"))), "-lopus", "-lm", "-o", str(program)], check=True)
    return program


def pattern(kind, seed):
    """Returns a digit for each packet, 1 if it is lost."""
    name, percent = kind.split("-")
    share, numbers = int(percent) / 100, random.Random(int(seed))
    stay = 1 / 2 if name == "bursts" else share
    enter = share * (1 - stay) / (1 - share)
    while True:  # the share of a short draw may differ greatly from the nominal one
        lost, digits = False, []
        for _ in range(PACKETS):
            lost = numbers.random() < (stay if lost else enter)
            digits.append("1" if lost else "0")
        if abs(digits.count("1") / PACKETS - share) < 0.005:
            return "".join(digits)


def raw(recording):
    sound = ["sox", "-G", recording, "-t", "s16", "-r", "16000", "-", "remix", "1"]
    return subprocess.run(sound, check=True, capture_output=True).stdout


def labels(recording):
    lines = recording.with_suffix(".txt").read_text().splitlines()
    return [tuple(map(float, line.split()[:2])) for line in lines]


def cells(segments, count):
    marked = [False] * count
    for start, end in segments:
        for cell in range(round(start * CELLS_A_SECOND), min(round(end * CELLS_A_SECOND), count)):
            marked[cell] = True
    return marked


def measure(program, folder):
    """Returns (way, kind) -> [onsets, false cells, non-speech cells, missed cells, speech cells], summed over
    recordings and seeds."""
    sums = defaultdict(lambda: [0, 0, 0, 0, 0])
    patterns = [folder / f"{kind}-{seed}.txt" for kind in KINDS for seed in range(1, SEEDS + 1)]
    for path in patterns:
        path.write_text(pattern(*path.stem.rsplit("-", 1)) + "\n")
    for recording in sorted((ROOT / "samples").glob("*.*")):
        if recording.suffix not in (".flac", ".wav"):
            continue
        sound, marked = raw(recording), labels(recording)
        count = len(sound) // 2 * CELLS_A_SECOND // 16000
        truth = cells(marked, count)
        for way in WAYS:
            run = subprocess.run([program, way, *patterns], input=sound, capture_output=True, check=True)
            found = defaultdict(list)
            for line in run.stdout.decode().splitlines():
                name, start, end = line.split()
                found[pathlib.Path(name).stem].append((float(start), float(end)))
            for path in patterns:
                segments, total = found[path.stem], sums[way, path.stem.rsplit("-", 1)[0]]
                said = cells(segments, count)
                total[0] += len(segments)
                total[1] += sum(a and not b for a, b in zip(said, truth))
                total[2] += truth.count(False)
                total[3] += sum(b and not a for a, b in zip(said, truth))
                total[4] += truth.count(True)
    return sums


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sums = measure(build(folder), folder)
    print("| loss | way | onsets | onsets / without loss | false speech | missed speech |")
    print("|---|---|--:|--:|--:|--:|")
    for kind in KINDS:
        for way in WAYS:
            onsets, wrong, speechless, missed, speech = sums[way, kind]
            print(f"| {kind} % | {way} | {onsets / SEEDS:.1f} | {onsets / sums['none', kind][0]:.2f} "
                  f"| {100 * wrong / speechless:.1f} % | {100 * missed / speech:.1f} % |")


if __name__ == "__main__":
    sys.exit(main())
