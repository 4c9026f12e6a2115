"""Sounds as 16-bit PCM: the speech of samples/, and how sounds are joined, cut and mapped."""

from __future__ import annotations

import array
import functools
import struct
from dataclasses import dataclass
from pathlib import Path

from . import programs

SAMPLES = Path(__file__).resolve().parents[3] / "samples"


@dataclass(frozen=True)
class Sound:
    rate: int
    channels: int
    pcm: bytes  # little-endian, interleaved

    @property
    def frames(self) -> int:
        return len(self.pcm) // (2 * self.channels)

    @property
    def seconds(self) -> float:
        return self.frames / self.rate

    def __getitem__(self, frames: slice) -> Sound:
        start, end, _ = frames.indices(self.frames)
        size = 2 * self.channels
        return Sound(self.rate, self.channels, self.pcm[start * size : max(start, end) * size])

    def __add__(self, other: Sound) -> Sound:
        """Joins two sounds. The first one's rate and channels hold for both, as where a recording's format changes."""
        return Sound(self.rate, self.channels, self.pcm + other.mapped(self.channels).resampled(self.rate).pcm)

    def until(self, seconds: float) -> Sound:
        return self[: round(seconds * self.rate)]

    def resampled(self, rate: int) -> Sound:
        if rate == self.rate:
            return self
        raw = ["-t", "s16", "-L", "-c", str(self.channels)]
        command = ["sox", "-D", "-G", *raw, "-r", str(self.rate), "{in}", *raw, "-r", str(rate), "{out}"]
        return Sound(rate, self.channels, programs.converted(command, self.pcm))

    def mapped(self, channels: int) -> Sound:
        """Maps to one channel, their mean, or copies the first to those that are missing."""
        if channels == self.channels:
            return self
        old = self.samples()
        if channels == 1:
            parts = [old[n :: self.channels] for n in range(self.channels)]
            return Sound(self.rate, 1, array.array("h", [sum(all) // self.channels for all in zip(*parts)]).tobytes())
        new = array.array("h", bytes(2 * channels * self.frames))
        for channel in range(channels):
            new[channel::channels] = old[min(channel, self.channels - 1) :: self.channels]
        return Sound(self.rate, channels, new.tobytes())

    def samples(self) -> array.array:
        return array.array("h", self.pcm)

    def channel(self, number: int) -> array.array:
        return self.samples()[number :: self.channels]

    def with_second_channel(self, gain: float) -> Sound:
        """Stereo: this sound, and beside it the same multiplied by a number of at most 1."""
        left = self.mapped(1).samples()
        both = array.array("h", bytes(4 * len(left)))
        both[0::2], both[1::2] = left, array.array("h", [round(gain * sample) for sample in left])
        return Sound(self.rate, 2, both.tobytes())

    def wav(self) -> bytes:
        form = struct.pack("<HHIIHH", 1, self.channels, self.rate, 2 * self.channels * self.rate, 2 * self.channels, 16)
        head = struct.pack("<4sI4s4sI", b"RIFF", 36 + len(self.pcm), b"WAVE", b"fmt ", 16)
        return head + form + struct.pack("<4sI", b"data", len(self.pcm)) + self.pcm


def silence(rate: int, channels: int, frames: int) -> Sound:
    return Sound(rate, channels, bytes(2 * channels * frames))


@functools.cache
def speech(rate: int = 16000, channels: int = 1, name: str = "speech", seconds: float = 6) -> Sound:
    """The beginning of a recording of samples/. The second of two channels is half as loud."""
    raw = ["-r", str(rate), "-c", "1", "-t", "s16", "-L"]
    command = ["sox", "-D", str(SAMPLES / f"{name}.flac"), *raw, "{out}", "trim", "0", str(seconds)]
    mono = Sound(rate, 1, programs.converted(command, b""))
    return mono if channels == 1 else mono.with_second_channel(0.5)


def first(rate: int = 16000, channels: int = 1) -> Sound:
    """The sound that joined recordings begin with."""
    return speech(rate, channels, "speech", 3.5)


def second(rate: int = 16000, channels: int = 1) -> Sound:
    """What follows it."""
    return speech(rate, channels, "muted-talk", 3.4)
