#!/usr/bin/env python3
"""Compares what two builds find in the same recordings, and prints one line:

  compare_findings.py WHAT REFERENCE.json OTHER.json      as the programs what_it_finds print it

The segments must be the same, and the posteriors within a quarter of the bound that voice_activity.h states for
different SIMD bodies, compilers and flags, since the recordings are short. A build that has no SIMD body for a
processor that has one fails.
"""

import json
import sys

BOUND = 5e-3


def main() -> None:
    what = sys.argv[1]
    reference, other = (json.load(open(name)) for name in sys.argv[2:])

    def fail(problem: str) -> None:
        sys.exit(f"compare_findings: {what}: {problem}")

    if reference["segments"] != other["segments"]:
        for name, segments in reference["segments"].items():
            if segments != other["segments"].get(name):
                fail(f"the segments of {name} are {other['segments'].get(name)} instead of {segments}")
        fail("there are segments of other recordings")
    if reference["machine"] == other["machine"] and reference["simd"] != other["simd"]:
        fail(f"it uses {other['simd']} on a processor with {reference['simd']}")
    pairs = [
        pair
        for name, posteriors in reference["posteriors"].items()
        for pair in zip(posteriors, other["posteriors"][name], strict=True)
    ]
    most = max(abs(one - another) for one, another in pairs)
    if not most < BOUND:
        fail(f"posteriors differ by {most}")
    count = sum(map(len, reference["segments"].values()))
    body = f"{other['machine']}, {other['simd']}"
    print(f"{what} ({body}): the same {count} segments, posteriors within {most:.0e} over {len(pairs)} hops")


if __name__ == "__main__":
    main()
