"""Prints as JSON what the package finds in WAV files, to compare machines: what_it_finds.py FILE…

It needs nothing but the package, so that it also runs where NumPy is not to be had.
"""

import json
import platform
import sys
from pathlib import Path

import voiceactivity


def segments(name: str) -> list[tuple[float, float]]:
    """As the detector decides, with every silence."""
    found = voiceactivity.segments(name, min_silence_ms=0)
    return [(round(segment.start, 3), round(segment.end, 3)) for segment in found]


json.dump(
    {
        "machine": platform.machine(),
        "simd": voiceactivity.simd_name(),
        "segments": {Path(name).name: segments(name) for name in sys.argv[1:]},
        "posteriors": {Path(name).name: list(voiceactivity.frames(name).posterior) for name in sys.argv[1:]},
    },
    sys.stdout,
)
