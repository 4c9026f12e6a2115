"""Recordings whose sound is odd: channels that cancel, floats far beyond 1, raw PCM. And rare codecs."""

from __future__ import annotations

import array
import itertools
import math
import random
import struct
from collections.abc import Iterator

from . import formats, mpeg, programs, shorten
from .catalogue import NONE, PIPE, Case, Messages, decoded, kind
from .sound import SAMPLES, Sound, silence, speech

CANCELS = Messages(1, 1, "--channel")
LOUD = Messages(1, 1, r"\d")


@kind("channels that cancel")
def cancelling() -> Iterator[Case]:
    for name, gain in itertools.product(
        ("wav", "aiff", "flac", "ogg", "mp3", "aac", "m4a", "w64", "caf", "wma"), (-1, -0.9, 0.5, 0)
    ):
        data = formats.FORMATS[name].encode(speech(44100, 1).with_second_channel(gain))
        messages = CANCELS if gain < 0 else NONE
        right = mpeg.joined(data) if name == "mp3" else decoded(data)
        yield Case(f"{gain}-{name}.{formats.FORMATS[name].ending}", data, right, messages, judges_speech=gain >= 0)


def float_wav(sound: Sound, factor: float) -> bytes:
    samples = array.array("f", [sample * factor for sample in sound.samples()])
    form = struct.pack(
        "<HHIIHH", 3, sound.channels, sound.rate, 4 * sound.channels * sound.rate, 4 * sound.channels, 32
    )
    size = 4 * len(samples)
    return (
        struct.pack("<4sI4s4sI", b"RIFF", 36 + size, b"WAVE", b"fmt ", 16)
        + form
        + struct.pack("<4sI", b"data", size)
        + samples.tobytes()
    )


@kind("floats of 16-bit size")
def floats() -> Iterator[Case]:
    sound = speech()
    # Integers as floats, of which the speech is not clear; and a recording that is merely too loud.
    for scale, factor in (("integers", 1.0), ("loud", 4 / 32768), ("usual", 1 / 32768)):
        wav = float_wav(sound, factor)
        messages = LOUD if scale == "integers" else NONE
        yield Case(f"{scale}.wav", wav, sound, messages, judges_speech=scale != "integers")
        for ending, codec in (
            ("wav", "pcm_f64le"),
            ("aiff", "pcm_f32be"),
            ("caf", "pcm_f32le"),
            ("au", "pcm_f32be"),
            ("w64", "pcm_f32le"),
            ("mkv", "pcm_f32le"),
        ):
            data = programs.ffmpeg(wav, "-c:a", codec, ending=f".{ending}")
            yield Case(f"{scale}-{codec}.{ending}", data, sound, messages, judges_speech=scale != "integers")


@kind("shorten in SPHERE")
def shortened() -> Iterator[Case]:
    for rate, channels in ((16000, 1), (16000, 2), (8000, 1)):
        sound = speech(rate, channels)
        data = shorten.sphere(sound)
        yield Case(f"{rate}-{channels}.sph", data, sound)


@kind("layer I")
def layer1() -> Iterator[Case]:
    for seconds in (1, 5):
        data, right = mpeg.layer1(seconds)
        yield Case(f"{seconds}.mp1", data, right)
        yield Case(f"{seconds}-junk.mp3", bytes(100) + data[20:], right, slack=0.03)


def tone(frequency: float, amplitude: float) -> Sound:
    step = 2 * math.pi * frequency / 16000
    return Sound(16000, 1, array.array("h", [round(amplitude * math.sin(step * n)) for n in range(80000)]).tobytes())


def raw_sounds() -> Iterator[tuple[str, Sound]]:
    for frequency, amplitude in itertools.product((50, 440, 1000, 3999, 8000), (3, 1000, 32767)):
        yield f"tone-{frequency}-{amplitude}", tone(frequency, amplitude)
    yield "silence", silence(16000, 1, 80000)
    for value in (-1, -2, -5, -256, 255, 1, -1025, -3073, 71, 327, 4167):
        yield f"constant-{value}", Sound(16000, 1, struct.pack("<h", value) * 80000)
    for seed, bits in itertools.product(range(6), (2, 8, 16)):
        source = random.Random(f"{seed} {bits}")
        noise = [source.randrange(1 << bits) - (1 << bits - 1) for _ in range(80000)]
        yield f"noise-{seed}-{bits}", Sound(16000, 1, array.array("h", noise).tobytes())
    yield "square", Sound(16000, 1, struct.pack("<8h", *[32767] * 4, *[-32768] * 4) * 10000)
    for name in ("speech", "speech-cafe-10db", "speech-fan-0db", "muted-talk", "keyboard", "music"):
        yield name, speech(16000, 1, name, 8)
    for name in ("speech", "keyboard"):
        stereo = speech(44100, 2, name, 5)  # read as 16 kHz and mono: it stays PCM
        yield f"{name}-44100-2", Sound(16000, 1, stereo.pcm)
    telephone = (SAMPLES / "telephone-8k.wav").read_bytes()[58:]
    yield "mu-law", Sound(16000, 1, telephone[: len(telephone) & ~1])


@kind("raw PCM on a pipe")
def raw() -> Iterator[Case]:
    for name, sound in raw_sounds():
        yield Case(f"{name}.raw", sound.pcm, sound, ways=(PIPE,))
