"""From a detector's results to the segments that the caller asked for, as they arrive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ._core import CUT_MIN_MS, DURATION_MAX_MS, Cutter, Frames

if TYPE_CHECKING:
    from ._core import Detector, Event


class Segment(NamedTuple):
    """Speech from `start` up to `end`, in seconds and in samples since the stream began."""

    start: float
    end: float
    start_sample: int
    end_sample: int

    @property
    def samples(self) -> slice:
        """What to index an array of samples with."""
        return slice(self.start_sample, self.end_sample)


class Rules(NamedTuple):
    """The arguments of a Cutter. A `max_length_ms` of 0 sets no limit."""

    pad_before_ms: int
    pad_after_ms: int
    min_speech_ms: int
    min_silence_ms: int
    max_length_ms: int

    @classmethod
    def checked(
        cls,
        pad_ms: float | tuple[float, float],
        min_speech_ms: float,
        min_silence_ms: float,
        max_speech_ms: float | None,
    ) -> Rules:
        if isinstance(pad_ms, tuple) and len(pad_ms) != 2:  # pyright: ignore[reportUnnecessaryComparison]
            raise ValueError(f"pad_ms is {pad_ms}; pass one length, or two, before and after.")
        before_ms, after_ms = pad_ms if isinstance(pad_ms, tuple) else (pad_ms, pad_ms)
        named = [("pad_ms", before_ms), ("pad_ms", after_ms), ("min_speech_ms", min_speech_ms)]
        named += [("min_silence_ms", min_silence_ms), ("max_speech_ms", max_speech_ms or 0)]
        for name, length_ms in named:
            if not 0 <= length_ms <= DURATION_MAX_MS:
                raise ValueError(f"{name} is {length_ms}; it can be 0 to {DURATION_MAX_MS} milliseconds.")
        rules = cls(*(round(length_ms) for _, length_ms in named))
        padding_ms = rules.pad_before_ms + rules.pad_after_ms
        if max_speech_ms is not None and rules.max_length_ms - padding_ms < CUT_MIN_MS:
            raise ValueError(f"max_speech_ms is {max_speech_ms}; it must leave a second beside pad_ms.")
        return rules


class Segmenter:
    """Takes the results of a detector. `frames` is what the detector is to fill."""

    def __init__(self, detector: Detector, rules: Rules) -> None:
        self.rate_hz = detector.sample_rate_hz
        self.frames = Frames()
        self.cutter = Cutter(detector, **rules._asdict())

    def push(self, events: list[Event]) -> Iterator[Segment]:
        """Takes the results of one call on the detector: its events, and the frames that it filled."""
        cuts = self.cutter.push(events, self.frames)
        self.frames.clear()
        return self._segments(cuts)

    def finish(self, heard: int) -> Iterator[Segment]:
        """Ends a stream of `heard` samples, beyond which nothing is padded."""
        return self._segments(self.cutter.finish(heard))

    def _segments(self, cuts: list[tuple[int, int]]) -> Iterator[Segment]:
        return (Segment(start / self.rate_hz, end / self.rate_hz, start, end) for start, end in cuts)
