#!/usr/bin/env python3
"""Times vadmon as users experience it: how fast it starts, and how fast it analyses a recording.

    Benchmarks/speed.py [VADMON]        (default: .build/release/vadmon; `make build` makes it)

Each command runs several times, and the best time counts, because other work on the machine can only add time. Ratios
to a reference from the same minute are more meaningful than times. Needs a C compiler, pkg-config and libsndfile, as
the build does, and sox.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SPEECH = ROOT / "samples/speech.flac"
SPEECH_SECONDS = 10
REPEATS = 360  # an hour of audio, which makes start-up negligible
VADMON = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/release/vadmon")


def best(command, runs):
    """Returns the minimum wall-clock and CPU seconds (user + system, all threads) of several runs."""
    walls, cpus = [], []
    for _ in range(runs):
        start = time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        walls.append(time.perf_counter() - start)
        cpus.append(usage.ru_utime + usage.ru_stime)
        if status != 0:
            sys.exit(f"{command[0]} failed")
    return min(walls), min(cpus)


def make_decoder(folder):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "sndfile"],
                           check=True, capture_output=True, text=True).stdout.split()
    subprocess.run(["cc", "-O2", HERE / "decode.c", "-o", folder / "decode", *flags], check=True)
    return folder / "decode"


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        decoder = make_decoder(folder)
        hour = folder / "hour.wav"
        subprocess.run(["sox", SPEECH, hour, "repeat", str(REPEATS - 1)], check=True)

        nothing, _ = best(["/bin/true"], 50)
        start, _ = best([VADMON, "--version"], 50)
        _, decode = best([decoder, hour], 5)
        wall, analyze = best([VADMON, "analyze", "--quiet", hour], 5)

    seconds = SPEECH_SECONDS * REPEATS
    print(f"start-up of vadmon --version     {start * 1e3:8.1f} ms    {start / nothing:5.1f} x /bin/true")
    print(f"analyze, 1 h of 16 kHz WAV       {wall:8.2f} s     {seconds / wall:5.0f} x real time")
    print(f"  CPU time, all threads          {analyze:8.2f} s     {seconds / analyze:5.0f} x real time per core")
    print(f"  decoding alone                 {decode:8.2f} s     {analyze / decode:5.1f} x as much with analysis")


if __name__ == "__main__":
    main()
