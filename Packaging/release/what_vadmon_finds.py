#!/usr/bin/env python3
"""Prints as JSON what vadmon finds in WAV files of one channel: what_vadmon_finds.py VADMON FILE…

It is the reference for every other artefact: its segments as the detector decides, with every silence, its posteriors
of each hop, and the SIMD body that a build should use on this processor.
"""

import json
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def simd() -> str:
    """What voice_activity.h promises for this processor, from what Linux says of it."""
    if platform.machine() != "x86_64":
        return "portable"
    flags = set(re.search(r"^flags\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M)[1].split())
    if not {"avx2", "fma"} <= flags:
        return "portable"
    return "avx512" if {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512_vnni"} <= flags else "avx2"


def main() -> None:
    vadmon, *names = sys.argv[1:]
    segments: dict[str, list] = {}
    posteriors: dict[str, list] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            command = [vadmon, "analyze", name, "--min-silence", "0", "--format", "audacity", "--frames", folder]
            found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
            file = Path(name)
            segments[file.name] = [[float(time) for time in line.split("\t")[:2]] for line in found.splitlines()]
            rows = (Path(folder) / f"{file.stem}.csv").read_text().splitlines()[1:]
            posteriors[file.name] = [float(row.split(",")[1]) for row in rows]
    found = {"machine": platform.machine(), "simd": simd(), "segments": segments, "posteriors": posteriors}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
