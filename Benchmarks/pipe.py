#!/usr/bin/env python3
"""Measures the peak memory of `vadmon analyze -` for recordings of 1 h and 10 h through a pipe.

    Benchmarks/pipe.py [VADMON] [--hours 1 10]      (default: .build/release/vadmon)

Prints a Markdown table, and exits with 1 if the longest recording of a format takes over 1 MiB more than the shortest.
The peak is VmHWM in /proc/PID/status, read until the program ends (getrusage would include memory that a child shares
with its parent before exec). The sound is samples/speech.flac, repeated, at 16 kHz. Needs sox, flac and lame.
"""

import argparse
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RATE = 16_000
BLOCK_SECONDS = 600  # written at a time

RAW = ["--endian=little", "--sign=signed", "--bps=16", "--channels=1", f"--sample-rate={RATE}"]
# The commands that convert raw PCM on standard input to the format.
WRITERS = {
    "WAV": ["sox", "-t", "raw", "-r", str(RATE), "-e", "signed", "-b", "16", "-c", "1", "-", "-t", "wav", "-"],
    "FLAC": ["flac", "-s", "-0", "--no-padding", "--no-seektable", "-c", "--force-raw-format", *RAW, "-"],
    "MP3": [
        *["lame", "--quiet", "-r", "-s", str(RATE / 1000), "-m", "m", "-q", "9", "--id3v2-only", "--tt", "x"],
        *["-", "-"],
    ],
}


def block():
    command = ["sox", "-R", str(ROOT / "samples/speech.flac"), "-t", "raw", "-"]
    ten_seconds = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return ten_seconds * (BLOCK_SECONDS * RATE * 2 // len(ten_seconds))


class Watch(threading.Thread):
    """Reads the peak memory of a process until it has ended."""

    def __init__(self, pid):
        super().__init__()
        self.status = Path(f"/proc/{pid}/status")
        self.peak = 0
        self.start()

    def run(self):
        # A process that has ended and has not been waited for has no such line.
        while lines := [line for line in self.status.read_text().splitlines() if line.startswith("VmHWM:")]:
            self.peak = int(lines[0].split()[1])
            time.sleep(0.02)


def peak_kib(vadmon, writer, sound, hours):
    """Returns the peak of one run in KiB. The reported duration must be that of the sound written."""
    feeder = subprocess.Popen(writer, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    command = [vadmon, "analyze", "-", "--format", "file-jsonl", "--quiet"]
    program = subprocess.Popen(command, stdin=feeder.stdout, stdout=subprocess.PIPE, text=True)
    watch = Watch(program.pid)
    feeder.stdout.close()
    for _ in range(round(hours * 3600 / BLOCK_SECONDS)):
        feeder.stdin.write(sound)
    feeder.stdin.close()
    answer = program.stdout.read()
    watch.join()
    assert feeder.wait() == 0 and program.wait() == 0, "the run has failed"
    seconds = float(answer.split('"duration": ')[1].split(",")[0])
    assert abs(seconds - hours * 3600) < 1, f"{seconds} s of {hours} h were heard"
    return watch.peak


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("vadmon", nargs="?", default=str(ROOT / ".build/release/vadmon"))
    parser.add_argument("--hours", nargs="+", type=float, default=[1, 10])
    arguments = parser.parse_args()
    sound = block()
    print("| through a pipe | " + " | ".join(f"{hours:g} h, KiB" for hours in arguments.hours) + " |")
    print("|---|" + "--:|" * len(arguments.hours))
    grown = []
    for name, writer in WRITERS.items():
        peaks = [peak_kib(arguments.vadmon, writer, sound, hours) for hours in arguments.hours]
        print(f"| {name} | " + " | ".join(f"{peak:,}" for peak in peaks) + " |", flush=True)
        if peaks[-1] > peaks[0] + 1024:
            grown.append(name)
    if grown:
        sys.exit(f"pipe.py: memory grows with the length of {', '.join(grown)}")


if __name__ == "__main__":
    main()
