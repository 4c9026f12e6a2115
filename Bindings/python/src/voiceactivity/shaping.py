"""From the detector's spans of speech to the segments that the caller asked for, as they arrive."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from ._core import HOP_MS

HOPS_PER_SECOND = 1000 // HOP_MS
# The width over which a pause is weighed: a hop that fails the detector within a word is no pause.
PAUSE_HOPS = 20


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
    """Lengths in samples. A `max_speech` of 0 sets no limit."""

    sample_rate_hz: int
    pad_before: int = 0
    pad_after: int = 0
    min_speech: int = 0
    min_silence: int = 0
    max_speech: int = 0


class Shaper:
    """Joins speech with less silence than `min_silence` between, drops what is shorter than `min_speech`, cuts what is
    longer than `max_speech` at its best pause, and pads. A segment is returned as soon as no later speech can change
    it.

    The segments do not depend on how the stream was cut into chunks.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.limit = max(rules.max_speech - rules.pad_before - rules.pad_after, 0)
        self.parts: list[tuple[int, int]] = []  # the newest speech; the silences between are short enough to join it
        self.follows_cut = False  # the first part continues a segment
        self.onset: int | None = None  # of speech that has not ended
        self.padded: tuple[int, int] | None = None  # the segment before, which the padding of the next may touch
        self.posterior, self.first_hop = array("f"), 0

    def measured(self, posterior: memoryview[float]) -> None:
        """Takes the posteriors of hops, before the events of the same call. Only a limit needs them."""
        self.posterior.frombytes(posterior.cast("B"))

    def began(self, onset: int) -> Iterator[Segment]:
        yield from self._advance(onset)
        self.onset = onset

    def ended(self, offset: int) -> Iterator[Segment]:
        yield from self._cut(offset)
        assert self.onset is not None, "speech ends that did not begin"
        self.parts.append((self.onset, offset))
        self.onset = None
        yield from self._advance(offset)

    def reached(self, position: int) -> Iterator[Segment]:
        """Speech that goes on lasts beyond `position`, and no speech will begin before it."""
        yield from self._advance(position) if self.onset is None else self._cut(position)
        self._forget(position)

    def finish(self, end: int) -> Iterator[Segment]:
        """Ends the stream, beyond which nothing is padded."""
        if self.parts:
            yield from self._settle()
        if self.padded:
            yield self._segment(self.padded[0], min(self.padded[1], end))
        self.padded = None

    def _segment(self, start: int, end: int) -> Segment:
        rate_hz = self.rules.sample_rate_hz
        return Segment(start / rate_hz, end / rate_hz, start, end)

    def _advance(self, position: int) -> Iterator[Segment]:
        if self.parts and position >= self.parts[-1][1] + self.rules.min_silence:
            yield from self._settle()
        if not self.parts and self.padded and position >= self.padded[1] + self.rules.pad_before:
            yield self._segment(*self.padded)
            self.padded = None

    def _settle(self) -> Iterator[Segment]:
        start, end, follows_cut = self.parts[0][0], self.parts[-1][1], self.follows_cut
        self.parts, self.follows_cut = [], False
        if follows_cut or end - start >= self.rules.min_speech:
            yield from self._pad(start, end, 0 if follows_cut else self.rules.pad_before, self.rules.pad_after)

    def _pad(self, start: int, end: int, before: int, after: int) -> Iterator[Segment]:
        start, end = max(start - before, 0), end + after
        if self.padded and start < self.padded[1]:
            if not self.limit or end - self.padded[0] <= self.rules.max_speech:
                start = self.padded[0]
            else:  # joined, they would be too long: they meet in the middle of the pause
                start = (start + self.padded[1]) // 2
                yield self._segment(self.padded[0], start)
        elif self.padded:
            yield self._segment(*self.padded)
        self.padded = (start, end)

    def _cut(self, known_end: int) -> Iterator[Segment]:
        """Cuts the newest speech, which goes on at least up to `known_end`, until it keeps to the limit."""
        while self.limit and self.onset is not None:
            start = self.parts[0][0] if self.parts else self.onset
            if known_end - start <= self.limit:
                return
            at = self._best_pause(start + self.limit // 2, start + self.limit)
            left = [part for part in self.parts if part[0] < at]
            right = self.parts[len(left) :]
            within = self.onset < at or left[-1][1] > at
            if self.onset < at:
                left, self.onset = [*left, (self.onset, at)], at
            elif within:
                right.insert(0, (at, left[-1][1]))
                left[-1] = (left[-1][0], at)
            before = 0 if self.follows_cut else self.rules.pad_before
            yield from self._pad(left[0][0], left[-1][1], before, 0 if within else self.rules.pad_after)
            self.parts, self.follows_cut = right, within

    def _best_pause(self, earliest: int, latest: int) -> int:
        """Returns the position around which the posterior is lowest; of several, the last."""
        first, last = self._hop(earliest), self._hop(latest)
        sums = [0.0, *accumulate(self.posterior[first - self.first_hop : last - self.first_hop])]
        width = min(PAUSE_HOPS, len(sums) - 1)
        begin = min(range(len(sums) - width), key=lambda hop: (round(sums[hop + width] - sums[hop], 3), -hop))
        return (first + begin + width // 2) * self.rules.sample_rate_hz // HOPS_PER_SECOND

    def _hop(self, position: int) -> int:
        return position * HOPS_PER_SECOND // self.rules.sample_rate_hz

    def _forget(self, position: int) -> None:
        """Drops the posteriors that no cut needs any more."""
        needed = self.parts[0][0] if self.parts else position if self.onset is None else self.onset
        spare = min(self._hop(needed) - self.first_hop, len(self.posterior))
        if spare > 0:
            del self.posterior[:spare]
            self.first_hop += spare
