"""Scores switches of the dominant speaker as right, late or false."""

import functools
import operator
from dataclasses import dataclass

import numpy as np

GRACE_SECONDS = 0.3  # a switch this long after a turn's end may still belong to it


@dataclass
class Result:
    delays: list  # seconds from the start of a turn until its speaker is dominant
    missed: int  # turns whose speaker did not become dominant
    false: int  # switches to a participant without a turn, or back and forth inside overlapping turns
    right_seconds: float  # there is a turn, and a participant with a turn is dominant
    turn_seconds: float  # there is a turn
    seconds: float

    def __add__(self, other):
        return Result(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))


def holder(switches, at):
    """Returns the dominant speaker at a time, or None."""
    before = [who for ms, who in switches if ms / 1000 <= at]
    return before[-1] if before else None


def delays_and_missed(turns, switches):
    """Returns the delays and the number of missed turns, over the turns whose speaker is not dominant at the start."""
    delays, missed = [], 0
    for turn in turns:
        if holder(switches, turn.start) == turn.speaker:
            continue
        gained = [ms / 1000 for ms, who in switches if who == turn.speaker and ms / 1000 > turn.start]
        if gained and gained[0] <= turn.end + GRACE_SECONDS:
            delays.append(gained[0] - turn.start)
        else:
            missed += 1
    return delays, missed


def covering(turns, who, at):
    return next((t for t in turns if t.speaker == who and t.start <= at <= t.end + GRACE_SECONDS), None)


def false_switches(turns, switches):
    """Counts false switches. A switch is right if it is the first in its turn, or if the previous turn has ended."""
    false, served, previous = 0, set(), None
    for ms, who in switches:
        at = ms / 1000
        turn = covering(turns, who, at)
        left = covering(turns, previous, at)
        first = turn is not None and id(turn) not in served
        if turn is None or not (first or left is None or at > left.end):
            false += 1
        if turn is not None:
            served.add(id(turn))
        previous = who
    return false


def right_time(turns, switches, seconds, step=0.02):
    """Returns the seconds in which a participant with a turn is dominant, and the seconds in which there is a turn."""
    times = np.arange(0, seconds, step)
    dominant = np.full(len(times), -1)
    for ms, who in switches:
        dominant[times >= ms / 1000] = who
    anybody, right = np.zeros(len(times), bool), np.zeros(len(times), bool)
    for turn in turns:
        inside = (times >= turn.start) & (times < turn.end)
        anybody |= inside
        right |= inside & (dominant == turn.speaker)
    return right.sum() * step, anybody.sum() * step


def judge(meeting, switches):
    # Before the first turn there is no speaker to switch from: the first nomination is not a switch.
    real = [s for s in switches if s[0] / 1000 >= min((t.start for t in meeting.turns), default=0)]
    delays, missed = delays_and_missed(meeting.turns, switches)
    right, turn = right_time(meeting.turns, switches, meeting.seconds)
    return Result(delays, missed, false_switches(meeting.turns, real), right, turn, meeting.seconds)


def summary(result):
    delays = np.sort(result.delays)
    return {
        "turns": len(delays) + result.missed,
        "missed": result.missed,
        "delay_ms": {f"p{q}": round(1000 * float(np.percentile(delays, q))) if len(delays) else None
                     for q in (10, 50, 90)} | {"mean": round(1000 * float(delays.mean())) if len(delays) else None},
        "false_per_hour": 3600 * result.false / result.seconds,
        "right_share": result.right_seconds / result.turn_seconds if result.turn_seconds else None,
    }


def total(results):
    return summary(functools.reduce(operator.add, results))


def headline(results):
    """Returns the median delay in ms (NaN without delays), and the false switches an hour."""
    s = total(results)
    return [s["delay_ms"]["p50"] if s["delay_ms"]["p50"] is not None else np.nan, s["false_per_hour"]]


def intervals(results, yardstick, draws=1000):
    """Returns 95 % intervals over draws of as many meetings, with replacement, also for the differences from the
    reference algorithm's results in the same meetings."""
    rng, drawn = np.random.default_rng(1), []
    for _ in range(draws):
        chosen = rng.integers(len(results), size=len(results))
        own, other = (np.array(headline([each[i] for i in chosen])) for each in (results, yardstick))
        drawn.append([*own, *(own - other)])
    names = ("delay_p50_ms", "false_per_hour", "delay_p50_ms_difference", "false_per_hour_difference")
    kept = [column[~np.isnan(column)] for column in np.transpose(drawn)]
    return {name: [round(float(x), 1) for x in np.percentile(column, (2.5, 97.5))] if len(column) else None
            for name, column in zip(names, kept)}
