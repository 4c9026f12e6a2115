#!/usr/bin/env python3
"""Runs `vadmon live` for a day of sound, and checks that no resource grows and every frame is accounted for.

    Benchmarks/live/day.py [--program FILE] [--hours 24] [--speed 24]

Prints a Markdown table, and exits with 1 if a check fails. The microphone is the project's virtual device, which
repeats samples/speech.flac and fails every six minutes in one of nine ways. libfaketime (Debian's package faketime)
runs the clocks and timers of the process --speed times as fast, so that a day takes an hour; --speed 1 runs without it.

The checks:

- Frames: the duration that vadmon reports ends with the last frame that the device delivered, and gaps account for each
  earlier frame that was not analysed. Times are reported in milliseconds, so each may be off by half a millisecond.
- Time: away from gaps, each onset is where it is in the sound, from the first hour to the last.
- Faults: each fault that loses frames is followed by a gap.
- Resources: resident memory, threads and descriptors, sampled every second, do not grow after the first tenth.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import wave
from pathlib import Path

from measure import program
from microphone import ROOT, Microphone, build_driver

RATE = 16_000
FAULT_EVERY = 360  # seconds
# The time around a gap, in seconds, within which an onset may be missed, moved or added: the detector remembers the
# preceding sound.
NEAR_A_GAP = 3.0

# The faults in turn, and whether each loses frames.
FAULTS = [
    ("overrun 480", True), ("suspend 800", True), ("stall 8000", False), ("short", False), ("error", False),
    ("suspend-prepare 800", True), ("gone 24000", True), ("error 5", True), ("overrun 1 abrupt", True),
]


def schedule(seconds):
    """Returns (second, fault, whether frames are lost), in order."""
    times = range(FAULT_EVERY, seconds - 30, FAULT_EVERY)
    return [(at, *FAULTS[index % len(FAULTS)]) for index, at in enumerate(times)]


def repeated_sound(folder):
    """Writes samples/speech.flac at 16 kHz. Returns its path and its length in frames."""
    path = folder / "talk.wav"
    subprocess.run(["sox", str(ROOT / "samples/speech.flac"), "-r", str(RATE), "-c", "1", "-b", "16", str(path)], check=True)
    with wave.open(str(path)) as sound:
        return path, sound.getnframes()


def expected_onsets(vadmon, sound):
    """Returns the onsets in the second of three repetitions, in seconds from its start: preceding sound matters too."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "three.wav")
        subprocess.run(["sox", *[str(sound)] * 3, str(path)], check=True)
        lines = subprocess.run(
            [str(vadmon), "analyze", "--no-config", "--live", "--min-silence", "0", "--format", "jsonl", str(path)], check=True, capture_output=True, text=True).stdout
    with wave.open(str(sound)) as file:
        length = file.getnframes() / RATE
    starts = [record["start"] for record in map(json.loads, lines.splitlines()) if record["type"] == "segment"]
    return [start - length for start in starts if length <= start < 2 * length]


def resources(pid):
    """Returns resident KiB, threads and descriptors of a process or its only child, or None when it has ended."""
    try:
        # The command faketime runs vadmon as its child.
        child = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        pid = child[0] if child else pid
        status = Path(f"/proc/{pid}/status").read_text()
        values = [int(status.partition(f"{key}:")[2].split()[0]) for key in ("VmRSS", "Threads")]
        return (*values, len(os.listdir(f"/proc/{pid}/fd")))
    except (OSError, IndexError):
        return None


def listen(vadmon, microphone, environment, seconds, speed):
    """Returns the records of the run, and its resources every second."""
    faster = [] if speed == 1 else ["faketime", "-f", f"+0 x{speed}"]
    command = [*faster, str(vadmon), "live", "--json", "--levels", "1", "--device", microphone.name, "--rate", str(RATE)]
    process = subprocess.Popen(
        [*command, "--duration", f"{seconds}s"], env=environment, stdout=subprocess.PIPE, text=True)
    samples, ended = [], threading.Event()

    def watch():
        while not ended.wait(1):
            found = resources(process.pid)
            if found:
                samples.append(found)

    watcher = threading.Thread(target=watch)
    watcher.start()
    records = [record for record in map(json.loads, process.stdout) if record["type"] != "level"]
    code = process.wait()
    ended.set()
    watcher.join()
    if code:
        sys.exit(f"day: vadmon exited with {code}")
    return records, samples


def onsets_away_from_gaps(records, expected, length):
    """Counts the onsets away from gaps: expected, found, and within 30 ms of the expected times."""
    seconds = length / RATE
    gaps = [(gap["time"], gap["time"] + gap["length"]) for gap in records if gap["type"] == "gap"]
    duration = records[-1]["duration"]

    def is_near_a_gap(time):
        return any(begin - NEAR_A_GAP < time < end + NEAR_A_GAP for begin, end in gaps)

    wanted = [
        loop * seconds + onset for loop in range(int(duration / seconds) + 1) for onset in expected
        if NEAR_A_GAP < loop * seconds + onset < duration - NEAR_A_GAP]
    wanted = [time for time in wanted if not is_near_a_gap(time)]
    found = [record["time"] for record in records if record["type"] == "onset"]
    found = [time for time in found if NEAR_A_GAP < time < duration - NEAR_A_GAP and not is_near_a_gap(time)]
    close = sum(abs(a - b) <= 0.030 for a, b in zip(wanted, found))
    return len(wanted), len(found), close


def growth(samples, index):
    """Returns the median of the second tenth, and the maximum of the last tenth."""
    tenth = max(1, len(samples) // 10)
    early = sorted(sample[index] for sample in samples[tenth:2 * tenth])
    late = [sample[index] for sample in samples[-tenth:]]
    return early[len(early) // 2], max(late)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path)
    parser.add_argument("--hours", type=float, default=24)
    parser.add_argument("--speed", type=int, default=24)
    options = parser.parse_args()
    vadmon, seconds = options.program or program(), round(options.hours * 3600)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = build_driver(folder)
        sound, length = repeated_sound(folder)
        faults = schedule(seconds)
        lines = "".join(f"at {at * RATE} {fault}\n" for at, fault, _ in faults)
        microphone = Microphone(folder, "microphone", f"rate {RATE}\nloop {sound}\n{lines}")
        expected = expected_onsets(vadmon, sound)
        begin = time.monotonic()
        records, samples = listen(vadmon, microphone, environment, seconds, options.speed)
        took = time.monotonic() - begin
        position = microphone.frames_read()
    gaps = [record for record in records if record["type"] == "gap"]
    ending = records[-1]
    lost = sum(gap["length"] for gap in gaps)
    unseen = [
        f"{fault} at {at} s" for at, fault, loses in faults
        if loses and not any(at - 0.1 <= gap["time"] <= at + 2 for gap in gaps)]
    wanted, found, close = onsets_away_from_gaps(records, expected, length)
    rows = [
        ("frames up to the last that was read", position, ""),
        ("frames reported", round(ending["duration"] * RATE), abs(ending["duration"] - position / RATE) <= 0.001),
        ("gaps, seconds lost", f"{len(gaps)}, {lost:.3f}", abs(lost - ending["lost_seconds"]) <= 0.0005 * (len(gaps) + 1)),
        ("faults, of them without their gap", f"{len(faults)}, {len(unseen)}", not unseen),
        ("onsets expected, found, within 30 ms", f"{wanted}, {found}, {close}", wanted == found == close),
    ]
    for index, (what, allowed) in enumerate([("resident memory, KiB", 1024), ("threads", 0), ("descriptors", 0)]):
        early, late = growth(samples, index)
        rows.append((f"{what}: early, at the end", f"{early}, {late}", late <= early + allowed))
    print(f"{seconds / 3600:g} h of sound in {took / 60:.1f} min\n\n| | | |\n|---|--:|---|")
    for what, value, passed in rows:
        print(f"| {what} | {value} | {'' if passed == '' else 'ok' if passed else '**wrong**'} |")
    if unseen:
        print(f"\nWithout a gap: {', '.join(unseen)}")
    sys.exit(not all(passed for _, _, passed in rows if passed != ""))


if __name__ == "__main__":
    main()
