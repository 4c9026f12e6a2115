#!/usr/bin/env python3
"""Compares VideoPauseCoordinator with other policies on recorded paths.

    Benchmarks/pause/paths.py TRACES [--config NAME:KEY=VALUE,… …] [--participants 4 9 25] [--svg FILE]
    Benchmarks/pause/paths.py TRACES --closed [--config …]
    Benchmarks/pause/paths.py --recovery [--config …]
    Benchmarks/pause/paths.py --noise 5 10 20 [--config …]

TRACES is a folder of CSV files with a row of `seconds,kbit/s` for each 100 ms. Each is the path of --calls calls, four
unless told otherwise, in which a subscriber watches the cameras and screen shares of the other participants. Prints
Markdown tables: each cell is the mean over the traces, with its 95 % interval unless --plain is given. Builds vadmon,
unless --vadmon names one that is built. paths/README.md describes the calls, the estimators, the policies and the
measures. Needs Python 3.11 or later and nothing else.

Seventeen traces of 5 min and nine participants take 2½ minutes on one core, and 1½ with --closed.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from paths import coordinator, picture, report, traces
from paths.comparison import Comparison, on_traces
from paths.estimators import ESTIMATORS
from paths.measures import mean_of_calls
from paths.problem import Problem

ROOT = Path(__file__).resolve().parents[2]
DEFAULT = "this coordinator"


def built():
    """Builds vadmon and returns its path."""
    subprocess.run(["make", "-C", str(ROOT), "build"], check=True, stdout=sys.stderr)
    return ROOT / "build/program/bin/vadmon"


def config(text):
    """Returns the name and the settings of `name:key=value,…`."""
    name, colon, pairs = text.partition(":")
    settings = dict(pair.partition("=")[::2] for pair in pairs.split(","))
    if not name or not all(key and value for key, value in settings.items()):
        raise argparse.ArgumentTypeError(f"write name:key=value,…, not '{text}'")
    return name, {key: value_of(text) for key, text in settings.items()}


def value_of(text):
    """Returns a number or a truth value, or the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def natural(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", type=Path, nargs="?", help="a folder of CSV files")
    parser.add_argument("--closed", action="store_true", help="the closed loop instead: late packets, not shortfalls")
    parser.add_argument("--recovery", action="store_true",
                        help="how soon pictures are back in the closed loop instead; no traces")
    parser.add_argument("--noise", type=natural, nargs="+", metavar="PERCENT",
                        help="estimates with so much noise around a constant capacity instead; no traces")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the open loop's results as well")
    parser.add_argument("--config", type=config, action="append", metavar="NAME:KEY=VALUE,…", default=[],
                        help="the coordinator with other settings, in a row of its own; may be repeated")
    parser.add_argument("--vadmon", type=Path, metavar="FILE", help="a vadmon that is built already")
    parser.add_argument("--participants", type=natural, nargs="+", default=[9])
    parser.add_argument("--estimators", nargs="+", choices=ESTIMATORS, default=list(ESTIMATORS))
    parser.add_argument("--no-others", action="store_true", help="only the coordinator")
    parser.add_argument("--plain", action="store_true", help="no intervals")
    parser.add_argument("--calls", type=natural, default=4, help="how many on each trace")
    parser.add_argument("--seed", type=natural, default=1, help="of the first call and of its noise")
    options = parser.parse_args()
    needs_none = options.recovery or options.noise
    if not options.traces and not needs_none:
        parser.error("name a folder of traces, or give --recovery or --noise")
    if options.svg and (options.closed or needs_none):
        parser.error("--svg draws the open loop: leave out --closed, --recovery and --noise")
    if options.svg and not options.svg.parent.is_dir():
        parser.error(f"--svg {options.svg}: the folder does not exist; make it first")
    options.configs = {DEFAULT: {}, **dict(options.config)}
    return options


def print_table(heading, *arguments, **keywords):
    print(f"\n{heading}:\n\n{report.table(*arguments, **keywords)}")


def print_noise(comparison, options):
    for percent in options.noise:
        print_table(f"Noise of {percent} %", comparison.noise(percent / 100), report.NOISE)


def print_recovery(comparison, options):
    print_table("Recovery, closed loop", comparison.recovery(), report.RECOVERY, with_intervals=not options.plain)


def compare(comparison, recorded, options):
    seeds = range(options.seed, options.seed + options.calls)
    drawn = {}
    for count in options.participants:
        if options.closed:
            rows = on_traces(recorded, count, seeds, comparison.closed_loop)
            print_table(f"{count} participants, closed loop", rows, report.CLOSED, with_intervals=not options.plain)
            continue
        found = on_traces(recorded, count, seeds, comparison.open_loop)
        for name in options.estimators:
            heading = f"{count} participants, {ESTIMATORS[name].title} estimator"
            rows = {title: results for (estimator, title), results in found.items() if estimator == name}
            print_table(heading, rows, report.OPEN, with_intervals=not options.plain)
            drawn[heading] = {title: mean_of_calls(results) for title, results in rows.items()}
    if options.svg:
        options.svg.write_text(picture.svg(drawn, options.configs, DEFAULT))


def main():
    options = arguments()
    recorded = traces.read_folder(options.traces) if options.traces else []
    vadmon = (options.vadmon or built()).resolve()
    for name, settings in options.configs.items():
        coordinator.check(vadmon, name, settings)
    comparison = Comparison(vadmon, options.configs, not options.no_others, options.estimators)
    if options.recovery:
        print_recovery(comparison, options)
    elif options.noise:
        print_noise(comparison, options)
    else:
        compare(comparison, recorded, options)


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        print(f"paths: {problem}", file=sys.stderr)
        sys.exit(problem.code)
    except OSError as error:
        print(f"paths: {error.filename}: {error.strerror}", file=sys.stderr)
        sys.exit(os.EX_IOERR)
