"""Runs the coordinator and the other policies on calls over recorded traces."""

import sys
from typing import NamedTuple

from . import calls, closed_loop, coordinator, noise, policies, recovery, replay, subscriber
from .estimators import ESTIMATORS, estimates
from .measures import mean_of_calls
from .traces import Trace

# title: (policy, takes the coordinator's reserve for audio off the estimate)
OTHERS = {
    "Signal": (policies.Signal, False),
    "Signal with the reserve": (policies.Signal, True),
    "LiveKit": (policies.LiveKit, False),
    "Jitsi": (policies.Jitsi, False),
    "mediasoup": (policies.Mediasoup, False),
    "decides again on each estimate": (policies.Immediate, False),
}
KNOWS = "knows the capacity"
AUDIO_ALONE = "audio alone"
REPORTED = "with congestion reported, a queue of 1.2 s"
CLOSED_OTHERS = ("Signal", "Signal with the reserve")


class Call(NamedTuple):
    """A call on a trace: its lines for `vadmon pause` without the estimates, and what is wanted."""

    trace: Trace
    participants: int
    seed: int
    lines: list
    scenes: list

    @staticmethod
    def write(trace, participants, seed):
        lines = calls.write(trace.name, participants, trace.end, seed)
        return Call(trace, participants, seed, lines, subscriber.scenes(lines))


class Comparison:
    """What is compared: settings of the coordinator by title, and the other policies if `others` is true."""

    def __init__(self, vadmon, configs, others, estimators):
        self.vadmon, self.configs, self.others, self.estimators = vadmon, configs, others, estimators

    def open_loop(self, call):
        """Returns {(estimator, title): measures}."""
        found = {}
        for name in self.estimators:
            told = estimates(ESTIMATORS[name], call.trace, call.seed)
            steps = replay.steps(call.scenes, told)
            end = {"at": call.trace.end, "type": "tick"}
            inputs = sorted([*call.lines, *coordinator.estimate_lines(told), end], key=lambda line: line["at"])
            for title, settings in self.configs.items():
                decisions = coordinator.decisions(self.vadmon, settings, inputs)
                found[name, title] = replay.measure_decisions(decisions, call.trace, steps)
            if self.others:
                found |= {(name, title): each for title, each in self._measured_others(call.trace, steps).items()}
        return found

    def _measured_others(self, trace, steps):
        found = {title: replay.measure_policy(policy(), takes_reserve, trace, steps)
                 for title, (policy, takes_reserve) in OTHERS.items()}
        return found | {KNOWS: replay.measure_policy(policies.Immediate(), True, trace, replay.knowing(steps, trace))}

    def closed_loop(self, call):
        """Returns {title: measures}."""
        return {title: closed_loop.measure(sender, call.trace, call.lines, call.scenes, call.seed)
                for title, sender in self._senders()}

    def _senders(self):
        for title, settings in self.configs.items():
            yield title, closed_loop.Coordinator(self.vadmon, settings)
        defaults = next(iter(self.configs.values()))
        yield REPORTED, closed_loop.Coordinator(self.vadmon, defaults, reports_congestion=True)
        for title in CLOSED_OTHERS if self.others else ():
            policy, takes_reserve = OTHERS[title]
            yield title, closed_loop.Modelled(policy(), takes_reserve)
        if self.others:
            yield AUDIO_ALONE, closed_loop.AudioAlone()

    def recovery(self):
        """Returns {title: [measures of each seed]}."""
        found = {title: lambda settings=settings: closed_loop.Coordinator(self.vadmon, settings)
                 for title, settings in self.configs.items()}
        if self.others:
            found |= {title: lambda each=each: closed_loop.Modelled(each[0](), each[1]) for title, each in OTHERS.items()}
        return {title: [recovery.measure(make, seed) for seed in recovery.SEEDS] for title, make in found.items()}

    def noise(self, deviation):
        """Returns {title: [measures]}."""
        found = {title: lambda _, told, settings=settings: noise.of_coordinator(self.vadmon, settings, told)
                 for title, settings in self.configs.items()}
        if self.others:
            found |= {title: lambda _, told, policy=policy: noise.of_policy(policy(), told)
                      for title, (policy, takes_reserve) in OTHERS.items() if not takes_reserve}
            found[KNOWS] = lambda capacity, _: noise.of_policy(policies.Immediate(), [(0, capacity)])
        return {title: [noise.measure(send, deviation)] for title, send in found.items()}


def on_traces(traces, participants, seeds, measure):
    """Returns {row: [measures of each trace]}, each the mean of the calls that the seeds give."""
    rows = {}
    for number, trace in enumerate(traces, 1):
        print(f"{participants} participants, trace {number} of {len(traces)}: {trace.name}", file=sys.stderr)
        found = [measure(Call.write(trace, participants, seed)) for seed in seeds]
        for row in found[0]:
            rows.setdefault(row, []).append(mean_of_calls([each[row] for each in found]))
    return rows
