"""The rules of segments in their simplest form, over all spans and posteriors of a stream."""

from typing import NamedTuple

from voiceactivity import Event, Frames
from voiceactivity.shaping import Rules

WIDTH = 20  # hops over which a pause is weighed


class Rows:
    """The spans that a detector finds, in samples, and the posteriors in parts of 255."""

    def __init__(self) -> None:
        self.onset = 0
        self.spans = list[tuple[int, int]]()
        self.posterior = list[int]()

    def add(self, events: list[Event], frames: Frames) -> None:
        self.posterior += [int(posterior * 255 + 0.5) for posterior in frames.posterior]
        for event in events:
            if event.type == "onset":
                self.onset = event.position
            elif event.type == "offset":
                self.spans.append((self.onset, event.position))


class Part(NamedTuple):
    """Speech; where it was cut, nothing is padded."""

    start: int
    end: int
    follows: bool
    continues: bool


def shaped(rows: Rows, rules: Rules, rate_hz: int, heard: int) -> list[tuple[int, int]]:
    before, after, min_speech, min_silence, longest = (int(ms * rate_hz / 1000 + 0.5) for ms in rules)
    limit = longest - before - after
    joined = list[tuple[int, int]]()
    for start, end in rows.spans:
        if joined and start - joined[-1][1] < min_silence:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    parts = list[Part]()
    for start, end in joined:
        if end - start < min_speech and not (longest and end - start > limit):
            continue
        begin = start
        while longest and end - begin > limit:
            hop = best_pause(rows.posterior, (begin + limit // 2) * 100 // rate_hz + 1, (begin + limit) * 100 // rate_hz)
            at = -(-hop * rate_hz // 100)
            parts.append(Part(begin, at, begin > start, True))
            begin = at
        parts.append(Part(begin, end, begin > start, False))
    cuts, last_speech = list[tuple[int, int]](), 0
    for part in parts:
        start = part.start if part.follows else max(part.start - before, 0)
        end = part.end if part.continues else part.end + after
        if cuts and start < cuts[-1][1]:
            if not longest or end - cuts[-1][0] <= longest:
                start = cuts.pop()[0]
            else:  # they meet in the middle of their overlap, in the silence between
                middle = (start + cuts[-1][1]) // 2
                start = sorted((last_speech, middle, part.start))[1]
                cuts[-1] = (cuts[-1][0], start)
        cuts.append((start, end))
        last_speech = part.end
    return [(start, min(end, heard)) for start, end in cuts]


def best_pause(posterior: list[int], first: int, last: int) -> int:
    """Returns the middle of the window with the least speech: of equal ones, the middle of their longest, last run."""
    sums = {window: sum(posterior[window : window + WIDTH]) for window in range(first, last - WIDTH + 1)}
    least = min(sums.values())
    runs = list[list[int]]()
    for window, total in sums.items():
        if total != least:
            continue
        if runs and runs[-1][-1] == window - 1:
            runs[-1].append(window)
        else:
            runs.append([window])
    run = max(reversed(runs), key=len)
    return run[len(run) // 2] + WIDTH // 2
