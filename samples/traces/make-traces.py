#!/usr/bin/env python3
"""Makes the traces in this folder for `vadmon pause`, from nothing but this script.

    ./make-traces.py            writes them beside this script
    ./make-traces.py --check    says which differ from what it would write (exit code 1)
"""
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

# A camera's simulcast: 180p, 360p, 720p at 30 frames per second.
LAYERS = [
    {"spatial": 0, "width": 320, "height": 180, "fps": 30, "bps": 150_000},
    {"spatial": 1, "width": 640, "height": 360, "fps": 30, "bps": 500_000},
    {"spatial": 2, "width": 1280, "height": 720, "fps": 30, "bps": 1_500_000},
]


def camera(name):
    return {"at": 0, "type": "stream", "participant": name, "layers": LAYERS}


def estimates(points):
    return [{"at": at, "type": "estimate", "bps": bps} for at, bps in points]


def falling_line():
    """The estimate falls from 3 Mbit/s to 250 kbit/s, stays there, and comes back."""
    falling = [(2 + step, 3_000_000 - 250_000 * step) for step in range(12)]
    rising = [(24 + step, 250_000 * (step + 1)) for step in range(12)]
    points = [(0, 3_000_000), *falling, (18, 240_000), (21, 260_000), *rising]
    return [
        {"type": "config", "strategy": "grid"},
        *map(camera, ["alice", "bob", "carol", "dave"]),
        {"at": 0, "type": "audio", "streams": 2},
        *estimates(points),
        {"at": 45, "type": "tick"},
    ]


def speaker_change():
    """Only two cameras fit; the floor goes from alice to dave, and the first tile is pinned later on."""
    return [
        {"type": "config", "strategy": "priority"},
        *map(camera, ["alice", "bob", "carol", "dave"]),
        {"at": 0, "type": "audio", "streams": 1},
        {"at": 0, "type": "speakers", "participants": ["alice", "bob"]},
        *estimates([(0, 400_000), (1, 405_000), (2, 410_000), (4, 390_000), (5, 395_000), (6, 400_000)]),
        {"at": 8, "type": "speakers", "participants": ["dave", "alice", "bob"]},
        {"at": 8.25, "type": "locked", "participant": "dave"},
        *estimates([(10, 405_000), (12, 395_000), (14, 400_000)]),
        {"at": 16, "type": "demand", "participant": "carol", "pin": {"local": True}},
        {"at": 16.3, "type": "locked", "participant": "carol"},
        {"at": 22, "type": "demand", "participant": "alice", "visible": False},
        {"at": 24, "type": "publisher_muted", "participant": "dave", "muted": True},
        {"at": 30, "type": "tick"},
    ]


def opted_out():
    """The client cannot show that a video is paused: all keep their smallest layer on a line that is too thin."""
    return [
        {"at": 0, "type": "capabilities", "disable": ["subscriberVideoPause"]},
        *map(camera, ["alice", "bob", "carol"]),
        {"at": 0, "type": "stream", "participant": "alice", "track": "screenShare", "layers": [
            {"spatial": 0, "width": 1920, "height": 1080, "fps": 5, "bps": 600_000}]},
        {"at": 0, "type": "audio", "streams": 2, "measured_bps": 70_000},
        *estimates([(0, 4_000_000), (3, 3_900_000), (5, 2_000_000), (8, 1_900_000), (10, 500_000), (15, 510_000)]),
        {"at": 20, "type": "capabilities", "enable": ["subscriberVideoPause"]},
        *estimates([(25, 500_000), (30, 4_000_000), (35, 4_100_000)]),
        {"at": 45, "type": "tick"},
    ]


TRACES = {"falling-line": falling_line, "speaker-change": speaker_change, "opted-out": opted_out}


def main():
    different = []
    for name, make in TRACES.items():
        text = "".join(json.dumps(line) + "\n" for line in make())
        file = HERE / f"{name}.jsonl"
        if "--check" not in sys.argv[1:]:
            file.write_text(text)
        elif not file.is_file() or file.read_text() != text:
            different.append(file.name)
    if different:
        sys.exit("make-traces: different: " + ", ".join(different))


if __name__ == "__main__":
    main()
