#!/usr/bin/env python3
"""Measures what `vadmon live` loses and reports when a device fails, fault by fault.

    Benchmarks/live/faults.py [--program FILE]

Prints a Markdown table in a minute and a half. The microphone is the project's virtual device, which fails on request
and counts the frames that it hides (Tests/VirtualDevice/virtual_device.h). Tests/ALSAInputTests check the same to the
frame; this shows what a user sees. "reported after" is the time from the first sound after the fault to the line that
reports the gap or, if nothing was lost, to the first level after the fault.
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

from measure import program
from microphone import ROOT, Microphone, build_driver

RATE = 16_000
AT = 2 * RATE  # the frame before which each fault occurs

# Name, lines of the device's file, frames that the fault hides, seconds to listen.
FAULTS = [
    ("overrun in the device", f"at {AT} overrun 480", 480, 5),
    ("reader kept from running, 600 ms", f"at {AT} sleep 9600", None, 5),
    ("suspend, resumed", f"at {AT} suspend 800", 800, 5),
    ("suspend that only prepare cures", f"at {AT} suspend-prepare 800", 800, 5),
    ("stall, 1 s", f"at {AT} stall 16000", 0, 5),
    ("short read", f"at {AT} short", 0, 5),
    ("EIO once", f"at {AT} error", 0, 5),
    ("EIO five times", f"at {AT} error 5", 0, 5),
    ("broken until opened anew", f"at {AT} broken", None, 6),
    ("gone, back after 1.5 s", f"at {AT} gone 24000", None, 7),
    ("gone for good", f"at {AT} gone 0", None, 5),
    ("busy", "refuse EBUSY", None, 1),
    ("no permission", "refuse EACCES", None, 1),
    ("no such device", "refuse ENODEV", None, 1),
]


def listen(vadmon, microphone, environment, seconds):
    """Returns the records with their times of arrival, the text on standard error, and the exit code."""
    command = [str(vadmon), "live", "--json", "--levels", "20", "--device", microphone.name, "--rate", str(RATE)]
    process = subprocess.Popen(
        [*command, "--duration", f"{seconds}s"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    records = [(json.loads(line), time.monotonic_ns()) for line in process.stdout]
    errors = process.stderr.read().decode().strip()
    return records, errors, process.wait()


def row(name, hidden, microphone, records, errors, code):
    gaps = [(record, now) for record, now in records if record["type"] == "gap"]
    lost = sum(round(record["length"] * RATE) for record, _ in gaps)
    messages = [record["message"] for record, _ in records if record["type"] == "device"]
    said = "; ".join(dict.fromkeys(messages)) or ("nothing" if code == 0 else errors.removeprefix("vadmon: "))
    after = "–"
    if code == 0 and microphone.start_ns():
        levels = [(record, now) for record, now in records if record["type"] == "level" and record["time"] >= AT / RATE]
        record, now = gaps[0] if gaps else levels[0] if levels else (None, 0)
        if record:
            end = record["time"] + record.get("length", 0)
            after = f"{(now - microphone.start_ns()) / 1e6 - 1000 * end:.0f} ms"
    expected = "–" if hidden is None else f"{hidden}"
    return f"| {name} | {expected} | {lost if code == 0 else '–'} | {after} | {code} | {said} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path)
    vadmon = parser.parse_args().program or program()
    print("| fault | frames hidden | frames missing | reported after | exit code | what is said |\n|---|--:|--:|--:|--:|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = build_driver(folder)
        for index, (fault, lines, hidden, seconds) in enumerate(FAULTS):
            sound = ROOT / "samples/speech.flac"
            microphone = Microphone(folder, f"fault{index}", f"rate {RATE}\nsound {sound}\n{lines}\n")
            records, errors, code = listen(vadmon, microphone, environment, seconds)
            print(row(fault, hidden, microphone, records, errors, code), flush=True)


if __name__ == "__main__":
    main()
