"""Prints as JSON what the package finds in WAV files, to compare machines: what_it_finds.py FILE…

It needs nothing but the package, so that it also runs where NumPy is not to be had.
"""

import json
import platform
import sys
from pathlib import Path

import voiceactivity

json.dump(
    {
        "machine": platform.machine(),
        "segments": {Path(name).name: voiceactivity.segments(name) for name in sys.argv[1:]},
        "posteriors": {Path(name).name: list(voiceactivity.frames(name).posterior) for name in sys.argv[1:]},
    },
    sys.stdout,
)
