#!/usr/bin/env python3
"""Compares the segments of Examples/C/server.c with vadmon's and with the labels of samples/.

    Examples/C/check-server.py SEGMENTS VADMON_LABELS SAMPLES

SEGMENTS is the output of `server --segments`: for each stream a line `index<TAB>kind<TAB>WAV`, then its segments. A clean
stream must have exactly the segments of VADMON_LABELS/NAME.txt. There is no such oracle for streams with packet loss,
DTX or levels without sound; over all streams of a kind, their cells of 10 ms must agree with the labels of
SAMPLES/NAME.txt with at least the F1 below.
"""
import sys
from pathlib import Path

# vadmon itself reaches 0.94 on the clean samples (README, make peers). Losses of 2 % and 20 ms packets cost a little;
# levels carry the sender's own decisions, debounced and held once more.
FLOOR = {"lossy": 0.90, "DTX": 0.90, "levels": 0.88}


def read_labels(path):
    return [tuple(line.split("\t")[:2]) for line in path.read_text().splitlines()]


def cells(segments):
    return {cell for start, end in segments for cell in range(round(float(start) * 100), round(float(end) * 100))}


def streams(path):
    """Yields (index, kind, name of the sample, segments)."""
    head, segments = None, []
    for line in path.read_text().splitlines():
        fields = line.split("\t")
        if fields[2] == "speech":
            segments.append((fields[0], fields[1]))
            continue
        if head:
            yield *head, segments
        head, segments = (fields[0], fields[1], Path(fields[2]).stem), []
    if head:
        yield *head, segments


def main():
    found, vadmon, samples = map(Path, sys.argv[1:])
    counts = {kind: [0, 0, 0] for kind in FLOOR}  # hits, false, missed
    clean = 0
    for index, kind, name, segments in streams(found):
        if kind == "clean":
            clean += 1
            if segments != read_labels(vadmon / f"{name}.txt"):
                sys.exit(f"check-server: stream {index} ({name}) is clean and differs from vadmon: {segments}")
            continue
        here, truth = cells(segments), cells(read_labels(samples / f"{name}.txt"))
        for i, part in enumerate((here & truth, here - truth, truth - here)):
            counts[kind][i] += len(part)
    if clean == 0:
        sys.exit("check-server: there is no clean stream")
    f1 = {kind: 2 * hit / max(1, 2 * hit + false + missed) for kind, (hit, false, missed) in counts.items()}
    said = ", ".join(f"{kind} {value:.3f}" for kind, value in f1.items())
    if any(f1[kind] < floor for kind, floor in FLOOR.items()):
        sys.exit(f"check-server: F1 against the labels is too low: {said}; the floors are {FLOOR}")
    print(f"check-server: {clean} clean streams have vadmon's segments; F1 of the others against the labels: {said}")


main()
