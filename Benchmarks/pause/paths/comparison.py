"""Runs the coordinator and the other policies on calls over recorded traces."""

import sys

from . import calls, closed_loop, coordinator, policies, replay, subscriber
from .estimators import ESTIMATORS, estimates
from .measures import mean_of_calls

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
CLOSED_OTHERS = ("Signal", "Signal with the reserve")


class Comparison:
    """What is compared: settings of the coordinator by title, and the other policies if `others` is true."""

    def __init__(self, vadmon, configs, others, estimators, keep=None):
        self.vadmon, self.configs, self.others, self.estimators = vadmon, configs, others, estimators
        self.keep = keep  # a folder for the calls

    def open_loop(self, trace, lines, scenes, seed):
        """Returns {(estimator, title): measures} of one call."""
        found = {}
        for name in self.estimators:
            told = estimates(ESTIMATORS[name], trace, seed)
            steps = replay.steps(scenes, told)
            inputs = in_order([*lines, *coordinator.estimate_lines(told), {"at": trace.end, "type": "tick"}])
            self.write(f"{trace.name}@{name}-{seed}.jsonl", inputs)
            for title, settings in self.configs.items():
                decisions = coordinator.decisions(self.vadmon, settings, inputs)
                found[name, title] = replay.measure_decisions(decisions, trace, steps)
            if self.others:
                for title, (policy, takes_reserve) in OTHERS.items():
                    found[name, title] = replay.measure_policy(policy(), takes_reserve, trace, steps)
                knowing = replay.knowing(steps, trace)
                found[name, KNOWS] = replay.measure_policy(policies.Immediate(), True, trace, knowing)
        return found

    def write(self, name, inputs):
        if self.keep:
            text = coordinator.configuration({}) + coordinator.trace_lines(inputs)
            self.keep.joinpath(name).write_text(text)

    def closed_loop(self, trace, lines, scenes, seed):
        """Returns {title: measures} of one call."""
        senders = {title: closed_loop.Coordinator(self.vadmon, settings) for title, settings in self.configs.items()}
        if self.others:
            senders |= {title: closed_loop.Modelled(OTHERS[title][0](), OTHERS[title][1]) for title in CLOSED_OTHERS}
            senders[AUDIO_ALONE] = closed_loop.AudioAlone()
        return {title: closed_loop.measure(sender, trace, lines, scenes, seed) for title, sender in senders.items()}


def in_order(lines):
    return sorted(lines, key=lambda line: line["at"])


def on_traces(traces, participants, seeds, measure):
    """Returns {row: [measures of each trace]}, each the mean of the calls that the seeds give."""
    rows = {}
    for number, trace in enumerate(traces, 1):
        print(f"{participants} participants, trace {number} of {len(traces)}: {trace.name}", file=sys.stderr)
        found = [measure(trace, *written(trace, participants, seed), seed) for seed in seeds]
        for row in found[0]:
            rows.setdefault(row, []).append(mean_of_calls([each[row] for each in found]))
    return rows


def written(trace, participants, seed):
    """Returns a call's lines and its scenes."""
    lines = calls.write(trace.name, participants, trace.end, seed)
    return lines, subscriber.scenes(lines)
