"""Recordings of real devices with what was sent to the loudspeaker beside them."""

from pathlib import Path

import numpy as np

import sounds
from methods import PRESETS
from sounds import HOP, Problem

SUFFIXES = "_reference", "_ref", "_lpb"  # NAME_mic.wav and NAME_reference.wav
FOLDER = "ref"                           # NAME.wav and ref/NAME.wav


def reference_of(file):
    """Returns the reference's file, or None if there is none."""
    if file.stem.endswith("_mic"):
        candidates = [file.with_name(file.stem.removesuffix("_mic") + suffix) for suffix in SUFFIXES]
    else:
        candidates = [file.parent / FOLDER / file.stem]
    found = [path for candidate in candidates for ending in sorted(sounds.ENDINGS)
             if (path := candidate.with_name(candidate.name + ending)).is_file()]
    return found[0] if found else None


def measure(core, folder):
    """Yields (name, seconds, {preset: (Decisions without the reference, with it)})."""
    pairs = [(file, reference) for file in sounds.find([folder]) if (reference := reference_of(file))]
    if not pairs:
        raise Problem(f"{folder}: no NAME_mic.wav with NAME_reference.wav, and no NAME.wav with {FOLDER}/NAME.wav")
    for file, reference in pairs:
        samples, far = sounds.read(file), sounds.read(reference)
        length = len(samples) // HOP * HOP
        both = [np.rint(np.clip(x, -1, 1) * 32767).astype(np.int16)
                for x in (samples[:length], np.pad(far, (0, max(length - len(far), 0)))[:length])]
        yield (str(Path(file).relative_to(folder)), length / sounds.RATE,
               {preset: (core.detect(both[0], preset), core.detect(both[0], preset, both[1])) for preset in PRESETS})
