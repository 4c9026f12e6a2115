"""When a turn begins and ends, for frameworks whose thresholds and durations may change within a stream.

A Detector decides the same in C, but keeps the settings that it was made with.
"""

from __future__ import annotations

from .._core import HOP_MS, LOOKAHEAD_MS


def hops(seconds: float) -> int:
    """Returns the hops after which to decide, so that a decision comes `seconds` after the change in the sound.

    The look-ahead counts, and each decision needs a hop.
    """
    return max(round((seconds * 1000 - LOOKAHEAD_MS) / HOP_MS), 1)


class Turns:
    """Follows one stream, a hop at a time. The settings may change at any time.

    A turn begins with a posterior of `onset`, once it has lasted `start_hops` without falling below `offset`. It ends
    once the posterior was below `offset` for `stop_hops`.
    """

    def __init__(self, onset: float, offset: float, start_hops: int, stop_hops: int) -> None:
        self.onset, self.offset = onset, offset
        self.start_hops, self.stop_hops = start_hops, stop_hops
        self.reset()

    def reset(self) -> None:
        """Begins another stream."""
        self.speaking = False
        self.heard = False  # whether the last hop was speech
        self.hops = 0  # for how long it has been so

    def take(self, posterior: float) -> bool:
        """Returns whether a turn began or ended with this hop."""
        heard = posterior >= (self.offset if self.speaking or self.heard else self.onset)
        self.hops = self.hops + 1 if heard == self.heard else 1
        self.heard = heard
        if heard == self.speaking or self.hops < (self.start_hops if heard else self.stop_hops):
            return False
        self.speaking = heard
        return True
