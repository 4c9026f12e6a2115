#!/usr/bin/env python3
"""Creates patterns/: one digit for each packet of 20 ms, 1 if it is lost. Random: independent losses. Bursts: Gilbert's
model, in which a loss follows a loss with probability 1/2, so that a burst has 2 packets on average. The script only
documents how the files were made; the benchmark reads the files."""
import pathlib
import random

PACKETS = 700
FOLDER = pathlib.Path(__file__).parent / "patterns"


def pattern(share, stay, seed):
    numbers = random.Random(seed)
    enter = share * (1 - stay) / (1 - share)
    while True:  # the share of a short draw may differ greatly from the nominal one
        lost, digits = False, []
        for _ in range(PACKETS):
            lost = numbers.random() < (stay if lost else enter)
            digits.append("1" if lost else "0")
        if abs(digits.count("1") / PACKETS - share) < 0.005:
            return "".join(digits)


for percent in (10, 20):
    for kind, stay in (("random", percent / 100), ("bursts", 1 / 2)):
        for seed in range(1, 6):
            (FOLDER / f"{kind}-{percent}-{seed}.txt").write_text(pattern(percent / 100, stay, seed) + "\n")
