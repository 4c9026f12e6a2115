"""What counts as a right switch, a late one and a false one."""

import functools
import operator
from dataclasses import dataclass

import numpy as np

GRACE_SECONDS = 0.3  # a switch this long after a turn's end may still belong to it


@dataclass
class Result:
    delays: list  # seconds from the start of a turn until its speaker is dominant
    missed: int  # turns that ended without
    false: int  # switches to somebody who has no turn, or back and forth inside overlapping turns
    right_seconds: float  # somebody has a turn and such a one is dominant
    turn_seconds: float  # somebody has a turn
    seconds: float

    def __add__(self, other):
        return Result(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))


def holder(switches, at):
    """Who is dominant at a time, or None."""
    before = [who for ms, who in switches if ms / 1000 <= at]
    return before[-1] if before else None


def delays_and_missed(turns, switches):
    """Of each turn whose speaker is not dominant when it starts."""
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
    """A switch is right the first time in its turn, or when the one left behind has no turn any more."""
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
    """Seconds in which somebody has a turn, and those of them in which the dominant is one who has."""
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
    # Nobody can be switched from before the first turn: the first nomination is no switch.
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
    """The median delay, ms (NaN without any), and the false switches an hour."""
    s = total(results)
    return [s["delay_ms"]["p50"] if s["delay_ms"]["p50"] is not None else np.nan, s["false_per_hour"]]


def intervals(results, yardstick, draws=1000):
    """What 95 % of draws of as many meetings, with replacement, give; also for the difference to the yardstick's
    results of the same meetings."""
    rng, drawn = np.random.default_rng(1), []
    for _ in range(draws):
        chosen = rng.integers(len(results), size=len(results))
        own, other = (np.array(headline([each[i] for i in chosen])) for each in (results, yardstick))
        drawn.append([*own, *(own - other)])
    names = ("delay_p50_ms", "false_per_hour", "delay_p50_ms_difference", "false_per_hour_difference")
    kept = [column[~np.isnan(column)] for column in np.transpose(drawn)]
    return {name: [round(float(x), 1) for x in np.percentile(column, (2.5, 97.5))] if len(column) else None
            for name, column in zip(names, kept)}
