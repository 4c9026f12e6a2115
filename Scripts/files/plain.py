"""Recordings without faults, in every format."""

from __future__ import annotations

from collections.abc import Iterator

from . import formats
from .catalogue import NAME, Case, decoded, kind
from .sound import speech

# Formats that ffmpeg does not read, and whose samples are those of the sound. None has a head of its own.
HEADLESS = ("sox htk",)
LOSSLESS = ("sox mat5", *HEADLESS)
# Seconds in which decoders may differ: the last block of an ADPCM is full, and whether its padding is sound is a matter
# of opinion; ima_qt is rounded in two ways.
SLACK = {"wav adpcm_ms": 0.13, "wav adpcm_ima_wav": 0.13, "aiff adpcm_ima_qt": 0.02, "caf adpcm_ima_qt": 0.02}
NARROW = ("wav libgsm_ms",)


@kind("intact recordings")
def intact() -> Iterator[Case]:
    for name, form in {**formats.FORMATS, **formats.PLAIN}.items():
        sound = speech(8000 if name in NARROW else 16000)
        data = form.encode(sound)
        right = sound if name in LOSSLESS else decoded(data)
        ways = (NAME,) if name in HEADLESS else Case.ways
        yield Case(f"{name}.{form.ending}", data, right, slack=SLACK.get(name, 0), ways=ways)
