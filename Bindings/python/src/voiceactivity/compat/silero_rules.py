"""silero_vad's rules, from probabilities to segments. The tests compare them with silero_vad's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Rules(NamedTuple):
    """Lengths in samples."""

    threshold: float  # from which speech begins
    neg_threshold: float  # below which it may end
    min_speech: float  # not longer: left out
    max_speech: float  # with its padding
    min_silence: float  # ends speech
    min_silence_at_limit: float  # longer: speech that is too long may be cut there
    takes_longest_silence: bool  # of those; otherwise the last
    pad: float


class _Speech:
    """Speech that has not ended."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.quiet: int | None = None  # since when, with no return to the threshold
        self.silences: list[tuple[int, int]] = []  # over; start and length
        self.last_end = self.resumed = 0  # the last silence that was long enough, and where speech returned after one


def padded_spans(probabilities: Iterable[float], window: float, length: int, rules: Rules) -> list[tuple[int, int]]:
    """Returns where speech starts and ends, from probabilities that each cover `window` samples."""
    return _padded(_spans(probabilities, window, length, rules), length, rules.pad)


def _spans(probabilities: Iterable[float], window: float, length: int, rules: Rules) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    limit = rules.max_speech - window - 2 * rules.pad
    speech: _Speech | None = None
    for index, probability in enumerate(probabilities):
        at = int(index * window)
        if probability >= rules.threshold:
            if not speech:
                speech = _Speech(at)
                continue
            _resume(speech, at, rules)
        if speech and at - speech.start > limit:
            end, resumed = _cut(speech, at, rules)
            spans.append((speech.start, end))
            speech = None if resumed is None else _Speech(resumed)
            if end == at:
                continue
        if speech and probability < rules.neg_threshold:
            quiet = speech.quiet = at if speech.quiet is None else speech.quiet
            if not rules.takes_longest_silence and at - quiet > rules.min_silence_at_limit:
                speech.last_end = quiet
            if at - quiet >= rules.min_silence:
                if quiet - speech.start > rules.min_speech:
                    spans.append((speech.start, quiet))
                speech = None
    if speech and length - speech.start > rules.min_speech:
        spans.append((speech.start, length))
    return spans


def _resume(speech: _Speech, at: int, rules: Rules) -> None:
    if speech.quiet is None:
        return
    if at - speech.quiet > rules.min_silence_at_limit:
        speech.silences.append((speech.quiet, at - speech.quiet))
    speech.quiet = None
    if speech.resumed < speech.last_end:
        speech.resumed = at


def _cut(speech: _Speech, at: int, rules: Rules) -> tuple[int, int | None]:
    """Returns where speech that is too long ends, and where it goes on."""
    if rules.takes_longest_silence and speech.silences:
        start, length = max(speech.silences, key=lambda silence: silence[1])
        return start, start + length
    if speech.last_end:
        return speech.last_end, None if speech.resumed < speech.last_end else speech.resumed
    return at, None


def _padded(spans: list[tuple[int, int]], length: int, samples: float) -> list[tuple[int, int]]:
    """Extends each span at both ends. Two that would overlap meet in the middle."""
    padded: list[tuple[int, int]] = []
    start = int(max(0, spans[0][0] - samples)) if spans else 0
    for (_, end), (following, _) in zip(spans, spans[1:]):
        silence = following - end
        if silence < 2 * samples:
            padded.append((start, end + silence // 2))
            start = max(0, following - silence // 2)
        else:
            padded.append((start, int(min(length, end + samples))))
            start = int(max(0, following - samples))
    if spans:
        padded.append((start, int(min(length, spans[-1][1] + samples))))
    return padded
