#!/usr/bin/env python3
"""Checks the sound that vadmon saves against the recordings, sample for sample, with sox as the reader.

    Tests/Program/segments.py VADMON

For each recording in samples/ with speech, as WAV and as FLAC: --save-segments with padding, --split, --trim with its map
back to the original, and the files of vadmon live, which reads the recording from a pipe. It prints a table and fails at
the first sample that differs.
"""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["XDG_CONFIG_HOME"] = os.path.abspath("build/no-config")  # without the user's settings
SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"
PAD = ["--pad", "120ms"]
SPLIT_MS = 2000


class Sound:
    """A recording as sox decodes it: frames of 32-bit integers."""

    def __init__(self, path, channel=None):
        def info(flag):
            return int(subprocess.run(["soxi", flag, path], check=True, capture_output=True).stdout)

        remix = [] if channel is None else ["remix", str(channel)]
        self.rate = info("-r")
        self.channels = info("-c") if channel is None else 1
        command = ["sox", "-D", path, "-t", "s32", "-L", "-", *remix]
        self.data = subprocess.run(command, check=True, capture_output=True).stdout
        self.frame = 4 * self.channels

    def __len__(self):
        return len(self.data) // self.frame

    def part(self, start, end):
        return self.data[start * self.frame : end * self.frame]


class Check:
    """What one run of vadmon saved of a recording, and how much of it was compared."""

    def __init__(self, recording, original, name):
        self.recording, self.original, self.name = recording, original, name
        self.files = self.frames = 0

    def compare(self, saved, at, start, end):
        """Compares a part of a saved file, which begins at `at`, with samples of the original."""
        if saved.part(at, at + end - start) != self.original.part(start, end) or end <= start:
            sys.exit(f"{self.recording}, {self.name}: samples {start} to {end} differ")
        self.frames += end - start

    def compare_file(self, path, start, end):
        saved = Sound(path)
        if len(saved) != end - start or saved.rate != self.original.rate:
            sys.exit(f"{path}: {len(saved)} samples at {saved.rate} Hz instead of {end - start}")
        self.compare(saved, 0, start, end)
        self.files += 1

    def segments(self, lines):
        """Compares the file of each segment record. Returns the segments in samples."""
        records = [json.loads(line) for line in lines]
        found = []
        for record in records:
            if record["type"] != "segment":
                continue
            start, end = (round(record[name] * self.original.rate) for name in ("start", "end"))
            self.compare_file(record["saved"], start, end)
            found.append((start, end))
        if not found:
            sys.exit(f"{self.recording}, {self.name}: nothing was saved")
        return found

    def row(self):
        return f"{self.recording:18}  {self.name:22}  {self.files:5}  {self.frames:9}"


def lines_of(*command, source=None):
    with open(source or "/dev/null", "rb") as file:
        result = subprocess.run(command, check=True, stdin=file, stdout=subprocess.PIPE, text=True)
    return result.stdout.splitlines()


def check_saved(vadmon, recording, original, form, folder):
    check = Check(recording.name, original, f"{form}, padded")
    options = ["--segment-format", form, "--format", "jsonl", *PAD]
    check.segments(lines_of(vadmon, "analyze", recording, "--save-segments", folder, *options))
    return check


def check_split(vadmon, recording, original, form, folder):
    check = Check(recording.name, original, f"{form}, split")
    options = ["--segment-format", form, "--format", "jsonl", "--split", f"{SPLIT_MS}ms", "--merge", "1s"]
    segments = check.segments(
        lines_of(vadmon, "analyze", recording, "--save-segments", folder, *options)
    )
    longest = max(end - start for start, end in segments)
    if longest > SPLIT_MS * original.rate // 1000:
        sys.exit(f"{recording.name}: a segment of {longest} samples is longer than the limit")
    # The parts and their neighbours cover speech as a whole: no sample is in two files.
    if any(end > start for (_, end), (start, _) in zip(segments, segments[1:])):
        sys.exit(f"{recording.name}: segments overlap")
    return check


def check_trim(vadmon, recording, original, form, folder):
    check = Check(recording.name, original, f"{form}, trimmed")
    folder.mkdir()
    target = folder / f"trimmed.{form}"
    lines_of(vadmon, "analyze", recording, "--trim", target, "--fade", "0ms")
    saved = Sound(target)
    with open(f"{target}.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    position = 0
    for row in rows:
        start, end, at = (int(row[f"{name}_sample"]) for name in ("start", "end", "trimmed_start"))
        if at != position:
            sys.exit(f"{target}: a part begins at {at} instead of {position}")
        check.compare(saved, at, start, end)
        position += end - start
    if position != len(saved):
        sys.exit(f"{target}: {len(saved)} samples, of which the map has {position}")
    check.files = 1
    return check


def check_live(vadmon, recording, form, folder):
    wave = folder.with_suffix(".wav")
    subprocess.run(["sox", recording, wave], check=True)
    check = Check(recording.name, Sound(wave, channel=1), f"{form}, live")
    options = ["--channel", "1", "--json", "--quiet", "--segment-format", form]
    check.segments(lines_of(vadmon, "live", "-", "--save-segments", folder, *options, source=wave))
    return check


def main(vadmon):
    print(f"{'recording':18}  {'saved':22}  files    samples")
    with tempfile.TemporaryDirectory() as temporary:
        count = 0
        for recording in sorted([*SAMPLES.glob("*.flac"), *SAMPLES.glob("*.wav")]):
            original = Sound(recording)
            lines = lines_of(vadmon, "analyze", recording, "--format", "jsonl")
            if not any('"type": "segment"' in line for line in lines):
                continue
            for form in ("wav", "flac"):
                for check in (check_saved, check_split, check_trim, check_live):
                    count += 1
                    folder = pathlib.Path(temporary) / str(count)
                    known = (vadmon, recording, form, folder)
                    if check is not check_live:
                        known = (vadmon, recording, original, form, folder)
                    print(check(*known).row(), flush=True)
    print("Every saved sample is the recording's.")


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
