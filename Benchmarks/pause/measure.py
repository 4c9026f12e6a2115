#!/usr/bin/env python3
"""Measures what a decision of the video-pause coordinator costs, through libvideopause.

    Benchmarks/pause/measure.py [--streams 6 25 100 1000]

Prints a Markdown table, which cost.c describes; each camera has nine layers. Instructions and allocations are the
difference of two runs under valgrind, divided by the difference in decisions. Needs a C compiler and valgrind. Takes a
minute.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EVENTS = {"estimate": "estimate", "speaker": "speakers", "tile": "size of a tile"}
WARM_UP = 10  # decisions, which fill the buffers
# glibc counts what a thread keeps for reuse as in use.
EXACT_HEAP = {**os.environ, "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}


def built(folder):
    """Builds cost.c with the static library, and returns its path."""
    make = ["make", "--silent", "-C", str(ROOT), "-f", "CSupport/libvideopause/Makefile", "lib", f"BUILD={folder}"]
    subprocess.run(make, check=True, stdout=sys.stderr)
    program = Path(folder, "cost")
    subprocess.run(["cc", "-O2", f"-I{ROOT}/CSupport/libvideopause/include", HERE / "cost.c",
                    Path(folder, "libvideopause.a"), "-lm", "-o", program], check=True)
    return program


def run(*command):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, env=EXACT_HEAP)


def per_decision(program, count, event, tool, pattern):
    """Returns what valgrind counts for a decision after the first ones."""
    more = max(10, 2000 // count)
    counts = []
    for decisions in (WARM_UP, WARM_UP + more):
        said = run("valgrind", *tool, program, count, event, decisions, 1).stderr
        counts.append(int(re.search(pattern, said)[1].replace(",", "")))
    return (counts[1] - counts[0]) / more


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", type=int, nargs="+", default=[6, 25, 100, 1000])
    options = parser.parse_args()
    print("| what changes | streams | time | decisions a second | instructions | allocations a decision | memory |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        program = built(folder)
        for event, title in EVENTS.items():
            for count in options.streams:
                time, held = map(float, run(program, count, event, max(20, 40_000 // count), 15).stdout.split())
                instructions = per_decision(program, count, event, ["--tool=callgrind", "--callgrind-out-file=/dev/null"],
                                            r"Collected : (\d+)")
                allocations = per_decision(program, count, event, [], r"total heap usage: ([\d,]+) allocs")
                print(f"| {title} | {count:,} | {time:,.1f} µs | {float(f'{1e6 / time:.2g}'):,.0f} | {instructions:,.0f} "
                      f"| {allocations:.2g} | {held / 1e3:,.1f} kB |", flush=True)


if __name__ == "__main__":
    main()
