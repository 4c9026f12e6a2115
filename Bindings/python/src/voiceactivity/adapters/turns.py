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
        self.changing_hops = 0  # for how long the sound has contradicted `speaking`

    def take(self, posterior: float) -> bool:
        """Returns whether a turn began or ended with this hop."""
        within = self.speaking or self.changing_hops > 0
        heard = posterior >= (self.offset if within else self.onset)
        self.changing_hops = self.changing_hops + 1 if heard != self.speaking else 0
        if self.changing_hops < (self.start_hops if heard else self.stop_hops):
            return False
        self.speaking, self.changing_hops = heard, 0
        return True
