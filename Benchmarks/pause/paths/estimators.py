"""Two models of a bandwidth estimator, driven by what the path carries. The video that is sent does not change it."""

import math
import random
from typing import NamedTuple

SEEN_AFTER = 150  # ms until a report on what was received arrives
SHORTEST_BETWEEN_CUTS = 300
CUT = 0.85
RISE_PER_SECOND = 1.08
RISE_BPS_PER_SECOND = 1_000  # so that it leaves 0
MOST_ABOVE_MEASURED = 1.5
NOISE_MEMORY = 0.9  # of AR(1) noise, from one estimate to the next


class Estimator(NamedTuple):
    title: str
    start: int  # bit/s
    periods: tuple  # ms between estimates, one drawn for each call
    window: int  # ms over which the receive rate is measured before a cut
    overuse: float  # an estimate this much above the measured rate is cut
    largest_cut: float  # the share that one cut leaves at least
    floor: int  # the lowest estimate after a cut
    probe_interval: int
    probe_interval_at_start: int  # in the first three seconds
    probe_half_seconds: int  # a probe finds the least of so many half-second rates
    probe_gain: float  # and succeeds if that is so many times the estimate
    noise: float


ESTIMATORS = {
    "gcc": Estimator("GCC-like", start=300_000, periods=(100, 200, 200, 500), window=500, overuse=1.05, largest_cut=0,
                     floor=0, probe_interval=5_000, probe_interval_at_start=1_000, probe_half_seconds=4,
                     probe_gain=1.5, noise=0.04),
    "kinder": Estimator("kinder", start=1_000_000, periods=(200,), window=1_000, overuse=1.1, largest_cut=0.7,
                        floor=50_000, probe_interval=2_000, probe_interval_at_start=2_000, probe_half_seconds=3,
                        probe_gain=1.2, noise=0.03),
}


class Noise:
    """AR(1) noise around 1."""

    def __init__(self, draw, deviation, memory=NOISE_MEMORY):
        self.draw, self.deviation, self.memory, self.value = draw, deviation, memory, 0.0

    def apply(self, rate):
        fresh = self.draw.gauss(0, self.deviation)
        self.value = self.memory * self.value + math.sqrt(1 - self.memory**2) * fresh
        return max(0, int(rate * (1 + self.value)))


def estimates(kind, trace, seed):
    """Returns (time, estimate) for the whole trace."""
    draw = random.Random(f"{kind.title}/{trace.name}/{seed}")
    period, noise = draw.choice(kind.periods), Noise(draw, kind.noise)
    return [(at, noise.apply(rate)) for at, rate in estimates_without_noise(kind, trace, period)]


def estimates_without_noise(kind, trace, period):
    rate, cut_at, probed_at = kind.start, -SHORTEST_BETWEEN_CUTS, 0
    for at in range(0, trace.end, period):
        measured = received(trace, at, kind.window)
        carried = min(received(trace, at - 500 * back, 500) for back in range(kind.probe_half_seconds))
        interval = kind.probe_interval_at_start if at < 3_000 else kind.probe_interval
        if rate > kind.overuse * measured:
            if at - cut_at >= SHORTEST_BETWEEN_CUTS:
                rate, cut_at = max(CUT * measured, kind.largest_cut * rate, kind.floor), at
        else:
            rate = risen(rate, measured, period / 1000)
            if at - probed_at >= interval and carried > kind.probe_gain * rate:
                rate, probed_at = max(rate, CUT * carried), at
        yield at, rate


def risen(rate, measured, seconds):
    faster = rate * RISE_PER_SECOND**seconds + RISE_BPS_PER_SECOND * seconds
    return min(faster, max(rate, MOST_ABOVE_MEASURED * measured))


def received(trace, at, window):
    """Returns the receive rate that is known at a time, measured over a window."""
    end = max(20, at - SEEN_AFTER)
    return trace.mean(end - window, end)
