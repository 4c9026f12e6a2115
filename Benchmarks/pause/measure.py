#!/usr/bin/env python3
"""Measures VideoPauseCoordinator: the cost of a decision, and its stability under a noisy estimate.

    Benchmarks/pause/measure.py [--program FILE] [--streams 6 25 100 1000] [--noise 5 10 20]

Prints two Markdown tables. Builds the programs that it runs, unless --program names the first. valgrind counts the
instructions if it is installed. Takes about five minutes, most of them in valgrind.

Cost: cameras with nine layers each on a path that carries a third of the wanted bit rate. Before each decision the
estimate, the order of speakers or the size of one tile changes, and each decision considers all streams. Time is the
thread's processor time, the median of 15 repetitions; "sorts" is the same in units of the time to sort as many random
numbers, measured alternately with it in the same run. Instructions are the difference of two runs, divided by the
difference in decisions: of the Swift module, and of the same meeting through libvideopause (library.c), whose
heap memory for the subscriber is the last column.

Noise: six streams of 150, 500 and 1,500 kbit/s, an estimate every 200 ms with AR(1) noise (rho 0.5 and 0.95), eight
capacities from 0.31 to 3.5 Mbit/s, three seeds, 300 s each. The other policies are models of how those systems handle
noise; PauseBenchmark/Policies.swift describes them.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from swift_build import built

HERE = Path(__file__).resolve().parent
EVENTS = {"estimate": "estimate", "speaker": "speakers", "tile": "size of a tile"}


# glibc counts what a thread keeps for reuse as in use.
EXACT_HEAP = {**os.environ, "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}


def run(program, *arguments, environment=None):
    """Runs the program and returns its output as lines of fields."""
    command = [program, *map(str, arguments)]
    text = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    return [line.split("\t") for line in text.splitlines()]


def instructions(program, *arguments):
    """Counts the instructions of a whole run."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, *map(str, arguments)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    return int(re.search(r"Collected : (\d+)", said)[1])


def instructions_per_decision(command, streams, event):
    """Returns the instructions for a decision after the first ten, which fill the buffers."""
    if not shutil.which("valgrind"):
        return "-"
    more = max(10, 2000 // streams)
    counts = [instructions(*command, streams, event, rounds) for rounds in (10, 10 + more)]
    return f"{(counts[1] - counts[0]) / more:,.0f}"


def built_library_program(folder):
    """Builds library.c with the static libvideopause, and returns its path."""
    root = HERE.parent.parent
    make = ["make", "--silent", "-C", str(root), "-f", "CSupport/libvideopause/Makefile", "lib", f"BUILD={folder}"]
    subprocess.run(make, check=True, stdout=sys.stderr)
    program = Path(folder, "library")
    subprocess.run(["cc", "-O2", f"-I{root}/CSupport/libvideopause/include", HERE / "library.c",
                    Path(folder, "libvideopause.a"), "-lm", "-o", program], check=True)
    return program


def print_costs(program, library, streams):
    print("| what changes | streams | time | decisions a second | sorts | instructions | by the C library "
          "| allocations a decision | memory in C |")
    print("|---|---|---|---|---|---|---|---|---|")
    for event, title in EVENTS.items():
        for count in streams:
            time, sort, allocations, decisions = map(float, run(program, "cost", count, event)[0])
            each, in_c = (instructions_per_decision(it, count, event) for it in ([program, "decide"], [library]))
            held = int(run(library, count, event, 1000, environment=EXACT_HEAP)[0][0])
            print(
                f"| {title} | {count:,} | {time:,.1f} µs | {float(f'{1e6 / time:.2g}'):,.0f} | {time / sort:.0f} "
                f"| {each} | {in_c} | {allocations / decisions:.2g} | {held / 1e3:,.1f} kB |"
            )


def print_noise(program, noise):
    print("| policy | " + " | ".join(f"toggles at {n} %" for n in noise), end=" | ")
    print(" | ".join(f"use at {n} %" for n in noise) + " |")
    print("|---" * (1 + 2 * len(noise)) + "|")
    tables = [run(program, "noise", n / 100) for n in noise]
    for rows in zip(*tables):
        toggles = " | ".join(f"{float(row[1]):.2f} ({row[2]})" for row in rows)
        print(f"| {rows[0][0]} | {toggles} | " + " | ".join(f"{float(row[3]):.2f}" for row in rows) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, help="pause-benchmark, built already")
    parser.add_argument("--streams", type=int, nargs="+", default=[6, 25, 100, 1000])
    parser.add_argument("--noise", type=int, nargs="+", default=[5, 10, 20], help="standard deviations in per cent")
    options = parser.parse_args()
    program = options.program or built(HERE, "pause-benchmark")
    with tempfile.TemporaryDirectory() as folder:
        print_costs(program, built_library_program(folder), options.streams)
    print("\nToggles of a stream in a minute (the most of one in any 60 s), and use of the true capacity:\n")
    print_noise(program, options.noise)


if __name__ == "__main__":
    main()
