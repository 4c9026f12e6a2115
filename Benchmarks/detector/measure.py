#!/usr/bin/env python3
"""Measures the cost of VoiceActivityDetector beside the same work in C, in instructions per 10 ms hop.

    Benchmarks/detector/measure.py [--program FILE] [--most PERCENT]

Prints a Markdown table with a row for each entry to the detector, and columns for chunks of 10 and 20 ms, with events
alone and with hops. C comes first for each kind of sample; the others are shown as their cost beyond C. Exits with 1 if
one of them costs more than PERCENT (5) beyond C, or does not detect the same as C.

The input is samples/speech.flac at 16 kHz. valgrind counts instructions, which unlike time do not depend on the load of
the machine: the difference of two runs, divided by the difference in hops. Builds the program that it runs, optimised,
unless --program names a built one. Needs valgrind, flac and strip. Takes a minute.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RECORDING = HERE.parents[1] / "samples" / "speech.flac"
RATE_HZ = 16000
TITLES = {
    "c": "C, f32",
    "span": "`Span<Float>`",
    "timed": "`Span<Float>`, timed",
    "pointer": "`UnsafeBufferPointer<Float>.span`",
    "array": "`[Float].span`",
    "c-s16": "C, s16",
    "span-s16": "`Span<Int16>`",
}
COLUMNS = [(chunk, wanted) for chunk in (10, 20) for wanted in ("events", "hops")]
SECONDS = (1, 8)  # the first hops, which wait for the look-ahead, are in both
HOPS = (SECONDS[1] - SECONDS[0]) * 100


def built():
    """Builds the program, optimised, and returns its path."""
    command = ["swift", "build", "--package-path", str(HERE), "-c", "release"]
    subprocess.run([*command, "--product", "DetectorCost"], check=True, stdout=sys.stderr)
    folder = subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True, text=True).stdout
    return Path(folder.strip(), "DetectorCost")


def samples():
    """Returns the recording as raw s16."""
    raw = ["--force-raw-format", "--endian=little", "--sign=signed"]
    command = ["flac", "--decode", "--stdout", "--silent", *raw, str(RECORDING)]
    return subprocess.run(command, check=True, capture_output=True).stdout


def cost(program, recording, entry, chunk, wanted):
    """Returns the counts of events and speech hops, and the instructions per hop."""
    counts = []
    for seconds in SECONDS:
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(program)]
        command += [str(RATE_HZ), entry, str(chunk), wanted, str(seconds)]
        done = subprocess.run(command, input=recording, check=True, capture_output=True)
        counts.append(int(re.search(rb"Collected : (\d+)", done.stderr)[1]))
    return done.stdout, (counts[1] - counts[0]) / HOPS


def table(measured, most):
    """Prints the table, and returns the entries that cost too much."""
    print("| | " + " | ".join(f"{chunk} ms, {wanted}" for chunk, wanted in COLUMNS) + " |")
    print("|---|" + "--:|" * len(COLUMNS))
    too_much = []
    for entry, title in TITLES.items():
        costs = [measured(entry, *column) for column in COLUMNS]
        if entry.startswith("c"):
            reference = costs
            cells = [f"{instructions:,.0f}" for _, instructions in costs]
        else:
            if [heard for heard, _ in costs] != [heard for heard, _ in reference]:
                sys.exit(f"{entry} does not hear what C hears")
            beyond = [100 * (mine / theirs - 1) for (_, mine), (_, theirs) in zip(costs, reference)]
            cells = [f"{percent:+.1f} %" for percent in beyond]
            if max(beyond) > most:
                too_much.append(entry)
        print(f"| {title} | " + " | ".join(cells) + " |", flush=True)
    return too_much


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, help="a DetectorCost that is built already")
    parser.add_argument("--most", type=float, default=5.0, metavar="PERCENT", help="allowed beyond C (default: 5)")
    options = parser.parse_args()
    program = options.program or built()
    recording = samples()
    with tempfile.TemporaryDirectory() as folder:
        # valgrind 3.19 cannot read this clang's DWARF 5.
        stripped = Path(folder, "DetectorCost")
        subprocess.run(["strip", "--strip-debug", "-o", str(stripped), str(program)], check=True)
        too_much = table(lambda *way: cost(stripped, recording, *way), options.most)
    if too_much:
        sys.exit(f"more than {options.most:g} % beyond C: {', '.join(too_much)}")


if __name__ == "__main__":
    main()
