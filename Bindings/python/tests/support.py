"""What the tests share.

VADMON names the program whose segments are expected, CONTRACT the folder of the streams that every binding replays.
"""

import os
import unittest
import wave
from array import array
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
VADMON = os.environ.get("VADMON")
CONTRACT = Path(os.environ.get("CONTRACT", ""))
RECORDINGS = sorted([*SAMPLES.glob("*.flac"), *SAMPLES.glob("*.wav")])

needs_samples = unittest.skipUnless(RECORDINGS, "the recordings of samples/ are in the repository")
needs_vadmon = unittest.skipUnless(VADMON, "VADMON names no program")
needs_contract = unittest.skipUnless("CONTRACT" in os.environ, "CONTRACT names no folder with the streams")


def read(name: str) -> "tuple[int, array[float]]":
    """Returns the rate of a recording of samples/ and its samples, the mean of its channels."""
    import soundfile  # pyright: ignore[reportMissingTypeStubs]

    samples, rate_hz = soundfile.read(SAMPLES / name, dtype="float32", always_2d=True)  # pyright: ignore
    return int(rate_hz), array("f", samples.mean(axis=1).tolist())  # pyright: ignore


def labels(name: str) -> list[tuple[float, float]]:
    """Returns where somebody speaks in a recording of samples/, in seconds, by its labels."""
    lines = (SAMPLES / f"{name}.txt").read_text().splitlines()
    return [(float(start), float(end)) for start, end, *_ in (line.split("\t") for line in lines)]


def read_talk() -> "array[int]":
    """Returns the samples of the contract's streams, at 8000 Hz."""
    return array("h", (CONTRACT / "talk.s16").read_bytes())


def write_wave(file: Any, rate_hz: int, pcm: bytes, channels: int = 1) -> None:
    """Writes 16-bit samples to a file, or to one of this name."""
    with wave.open(file if hasattr(file, "write") else str(file), "wb") as into:
        into.setparams((channels, 2, rate_hz, 0, "NONE", ""))
        into.writeframes(pcm)


class Tensor:
    """What a tensor of torch offers: no buffer, and an array only once it is detached and fetched."""

    def __init__(self, values: Any, is_near: bool = False) -> None:
        self.values, self.is_near = values, is_near

    def detach(self) -> "Tensor":
        return Tensor(self.values)

    def cpu(self) -> "Tensor":
        return Tensor(self.values, True)

    def __array__(self, *_: object) -> Any:
        if not self.is_near:
            raise TypeError("on a graphics card")
        return self.values
