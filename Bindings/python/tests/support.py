"""What the tests share. VADMON names the program whose segments are expected."""

import math
import os
import unittest
from array import array
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
VADMON = os.environ.get("VADMON")
RECORDINGS = sorted([*SAMPLES.glob("*.flac"), *SAMPLES.glob("*.wav")])

needs_samples = unittest.skipUnless(RECORDINGS, "the recordings of samples/ are in the repository")
needs_vadmon = unittest.skipUnless(VADMON, "VADMON names no program")


def read(name: str) -> "tuple[int, array[float]]":
    """Returns the rate of a recording of samples/ and its samples, the mean of its channels."""
    import soundfile  # pyright: ignore[reportMissingTypeStubs]

    samples, rate_hz = soundfile.read(SAMPLES / name, dtype="float32", always_2d=True)  # pyright: ignore
    return int(rate_hz), array("f", samples.mean(axis=1).tolist())  # pyright: ignore


def tone(seconds: float, rate_hz: int = 16000) -> "array[float]":
    return array("f", (0.1 * math.sin(n * 2 * math.pi * 440 / rate_hz) for n in range(int(seconds * rate_hz))))


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
