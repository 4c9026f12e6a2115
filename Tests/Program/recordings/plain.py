"""Recordings without faults, in every format."""

from __future__ import annotations

from collections.abc import Iterator

from . import formats
from .catalogue import EVERY_WAY, NAME, NONE, PERHAPS, Case, decoded, kind
from .sound import speech

# Formats that ffmpeg does not read. Their sound is that of the encoder; HTK has no mark by which to know it.
HEADLESS = ("sox htk",)
UNREAD = ("sox mat5", "lame --freeformat -b 160", "sox htk")
# Seconds in which decoders may differ: the last block of an ADPCM is full, and whether its padding is sound is a matter
# of opinion; ima_qt is rounded in two ways.
SLACK = {"wav adpcm_ms": 0.13, "wav adpcm_ima_wav": 0.13, "w64 adpcm_ms": 0.13, "w64 adpcm_ima_wav": 0.13, "aiff adpcm_ima_qt": 0.02, "caf adpcm_ima_qt": 0.02}
NARROW = ("wav libgsm_ms",)


@kind("intact recordings")
def intact() -> Iterator[Case]:
    for name, form in {**formats.FORMATS, **formats.PLAIN}.items():
        sound = speech(8000 if name in NARROW else 16000)
        data = form.encode(sound)
        right = sound if name in UNREAD else decoded(data)
        ways = (NAME,) if name in HEADLESS else EVERY_WAY
        # ffmpeg 5.1 reports faults in FLAC in NUT and in GXF that it has written itself, and decodes all of them.
        messages = PERHAPS if name in ("nut flac", "gxf") else NONE
        # Frames of noise, at the threshold of which rounding to 16 bits decides.
        judges_speech = name != "amr"
        yield Case(f"{name}.{form.ending}", data, right, messages, SLACK.get(name, 0), ways, judges_speech)
