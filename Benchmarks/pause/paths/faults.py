"""Calls on which the coordinator of version 0.2 went wrong: short outages, a dark join, a last resort on stage."""

from typing import NamedTuple

from .coordinator import decisions, estimate_lines
from .layers import Layer
from .measures import MINUTE_MS, most_within

PERIOD = 200  # ms between estimates
PLENTY = 3_000_000
SIMULCAST = [Layer(0, 0, 180, 30, 150_000), Layer(1, 0, 360, 30, 500_000), Layer(2, 0, 720, 30, 1_500_000)]
TEMPORAL = [Layer(0, 0, 180, 7.5, 60_000), Layer(0, 1, 180, 15, 90_000), Layer(0, 2, 180, 30, 150_000)]


class Fault(NamedTuple):
    title: str
    lines: list
    watched: tuple  # the participants whose pictures are measured
    end: int


def all_faults():
    yield call("the estimate is 0 for 1 ms, each 10 s", outages(10_000, 1, 600_000), 600_000)
    yield call("the estimate is 0 for 0.2 s, once", outages(60_000, 200, 90_000), 90_000)
    for seconds in (8, 10, 15, 20, 30, 40, 60, 90):
        yield outage(1, seconds)
    for length in (2, 3, 6):
        for seconds in (20, 30, 60):
            yield outage(length, seconds)
    for streams in (4, 9):
        told = [(0, 300_000), *((at, 4_000_000) for at in range(500, 60_000, PERIOD))]
        yield call(f"300 kbit/s for 0.5 s, then 4 Mbit/s, three audio streams, {streams} cameras", told, 60_000,
                   streams, audio=3)
    yield last_resort("stage: 200 kbit/s, the last resort", [(0, 200_000)])
    yield last_resort("stage: 300 kbit/s, after 20 s 200, the last resort", [(0, 300_000), (20_000, 200_000)])


def outage(length, seconds):
    told = outages(1000 * seconds, 1000 * length, 600_000)
    return call(f"the estimate is 0 for {length} s, each {seconds} s", told, 600_000)


def outages(period, length, end):
    """Returns estimates of 3 Mbit/s that are 0 from the middle of each period on, for so long."""
    falls = range(period // 2, end, period)
    found = dict.fromkeys(range(0, end, PERIOD), PLENTY)
    for fall in falls:
        found |= dict.fromkeys([fall, *(at for at in range(0, end, PERIOD) if fall <= at < fall + length)], 0)
        found.setdefault(fall + length, PLENTY)
    return sorted(found.items())


def call(title, told, end, streams=4, audio=0):
    """A call of cameras in three sizes."""
    names = tuple(f"p{number}" for number in range(streams))
    return Fault(title, lines(names, SIMULCAST, told, end, [{"type": "audio", "streams": audio}]), names, end)


def last_resort(title, told):
    """Two cameras on stage. The second may be paused only as a last resort, so it comes before the first."""
    extra = [{"type": "strategy", "strategy": "stage"},
             {"type": "demand", "participant": "p1", "pause_policy": "lastResort"}]
    return Fault(title, lines(("p0", "p1"), TEMPORAL, told, 60_000, extra), ("p1",), 60_000)


def lines(names, sent, told, end, extra):
    publish = [{"type": "stream", "participant": name, "layers": [layer.line() for layer in sent]} for name in names]
    start = [{"at": 0, **line} for line in (*publish, *extra)]
    return [*start, *estimate_lines(told), {"at": end, "type": "tick"}]


def measure(vadmon, settings, fault):
    """Returns how much of the watched pictures is forwarded, how often they change, and when they first appear."""
    return shown(decisions(vadmon, settings, fault.lines), [(name, "video") for name in fault.watched], fault.end)


def shown(found, keys, end):
    """Returns the measures of the pictures in `keys`. The first picture of a stream is no toggle."""
    forwarded = dark = 0
    changes = {key: [] for key in keys}
    for decision, after in zip(found, [*(each.at for each in found[1:]), end]):
        on = [key for key in keys if key in decision.shown]
        forwarded += len(on) * (after - decision.at)
        dark += (after - decision.at) * (not on)
        for key, times in changes.items():
            if (key in on) != len(times) % 2:  # each change, from paused on, alternates
                times.append(decision.at)
    toggles = [times[1:] for times in changes.values()]
    first = [times[0] / 1000 for times in changes.values() if times]
    return {
        "forwarded": forwarded / end / len(keys),
        "dark": dark / end,
        "toggles": sum(map(len, toggles)),
        "worst": max(most_within(times, MINUTE_MS) for times in toggles),
        "first": min(first, default=None),
        "all": max(first) if len(first) == len(keys) else None,
    }
