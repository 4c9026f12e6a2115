#!/usr/bin/env python3
"""Compares VideoPauseCoordinator with other policies on recorded paths."""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from paths import calls, coordinator, policies, replay, report, subscriber, traces
from paths.estimators import ESTIMATORS, estimates
from paths.measures import mean_of_calls
from paths.problem import Problem

ROOT = Path(__file__).resolve().parents[2]
# title: (policy, takes the coordinator's reserve for audio off the estimate, knows the capacity)
OTHERS = {
    "Signal": (policies.Signal, False, False),
    "Signal with the reserve": (policies.Signal, True, False),
    "LiveKit": (policies.LiveKit, False, False),
    "Jitsi": (policies.Jitsi, False, False),
    "mediasoup": (policies.Mediasoup, False, False),
    "decides again on each estimate": (policies.Immediate, False, False),
    "knows the capacity": (policies.Immediate, True, True),
}


def built():
    """Builds vadmon, optimised, and returns its path."""
    command = ["swift", "build", "--package-path", str(ROOT), "-c", "release"]
    subprocess.run([*command, "--product", "vadmon"], check=True, stdout=sys.stderr)
    folder = subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True, text=True).stdout
    return Path(folder.strip(), "vadmon")


def measure(vadmon, trace, kind, lines, scenes, seed, options):
    """Returns {policy: measures} for one call on one trace."""
    told = estimates(kind, trace, seed)
    steps = replay.steps(scenes, told)
    end = [{"at": trace.end, "type": "tick"}]
    inputs = sorted([*lines, *coordinator.estimate_lines(told), *end], key=lambda line: line["at"])
    found = {}
    for title, settings in options.config.items():
        decisions = coordinator.decisions(vadmon, coordinator.trace_text(inputs, settings))
        found[title] = replay.measure_decisions(decisions, trace, steps)
    truth = replay.knowing(steps, trace)
    for title, (policy, takes_reserve, knows) in ({} if options.no_others else OTHERS).items():
        found[title] = replay.measure_policy(policy(), takes_reserve, trace, truth if knows else steps)
    return found


def setting(text):
    """Returns the name and the settings of `name:key=value,…`."""
    name, _, pairs = text.partition(":")
    settings = {}
    for pair in filter(None, pairs.split(",")):
        key, equals, value = pair.partition("=")
        if not equals:
            raise argparse.ArgumentTypeError(f"write name:key=value,…, not '{text}'")
        try:
            settings[key] = json.loads(value)
        except ValueError:
            settings[key] = value
    return name, settings


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", type=Path, help="a folder of CSV files: seconds,kbit/s for each 100 ms")
    parser.add_argument("--vadmon", type=Path, help="a vadmon that is built already")
    parser.add_argument("--config", type=setting, action="append", metavar="NAME:KEY=VALUE,…", default=[],
                        help="the coordinator with other settings, in a row of its own; may be repeated")
    parser.add_argument("--participants", type=int, nargs="+", default=[9])
    parser.add_argument("--estimators", nargs="+", choices=ESTIMATORS, default=list(ESTIMATORS))
    parser.add_argument("--families", action="store_true", help="a table for each family of traces as well")
    parser.add_argument("--no-others", action="store_true", help="only the coordinator")
    parser.add_argument("--plain", action="store_true", help="no intervals")
    parser.add_argument("--calls", type=int, default=4, help="how many on each trace")
    parser.add_argument("--seed", type=int, default=1, help="of the first call and of its estimators' noise")
    options = parser.parse_args()
    options.config = {"this coordinator": {}, **dict(options.config)}
    return options


def results(vadmon, recorded, count, options):
    """Returns {estimator: {policy: [(family, measures)]}}, with the mean measures of the calls on each trace."""
    rows = {name: {} for name in options.estimators}
    for trace in recorded:
        found = {name: {} for name in options.estimators}
        for seed in range(options.seed, options.seed + options.calls):
            lines = calls.write(trace.name, count, trace.end, seed)
            scenes = subscriber.scenes(lines)
            for name in options.estimators:
                for title, each in measure(vadmon, trace, ESTIMATORS[name], lines, scenes, seed, options).items():
                    found[name].setdefault(title, []).append(each)
        for name, policies_found in found.items():
            for title, each in policies_found.items():
                rows[name].setdefault(title, []).append((trace.family, mean_of_calls(each)))
    return rows


def main():
    options = arguments()
    recorded = traces.read_folder(options.traces)
    vadmon = options.vadmon or built()
    for count in options.participants:
        rows = results(vadmon, recorded, count, options)
        for name in options.estimators:
            families = sorted({trace.family for trace in recorded}) if options.families else []
            for family in [None, *families]:
                print(f"\n{count} participants, {ESTIMATORS[name].title} estimator, {family or 'all traces'}:\n")
                print(report.table({title: [result for each, result in found if family in (None, each)]
                                    for title, found in rows[name].items()}, with_intervals=not options.plain))


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        print(f"paths: {problem}", file=sys.stderr)
        sys.exit(problem.code)
