"""The coordinator itself, as `vadmon pause` runs it: on a whole trace, or step by step."""

import json
import os
import subprocess
from typing import NamedTuple

from .layers import Layer
from .problem import Problem

DECISION, ANSWER = '{"type": "decision"', '{"type": "answer"'
LINES_OF_A_CHECK = [{"at": 0, "type": "estimate", "bps": 0}]


class Decision(NamedTuple):
    at: int
    shown: dict  # the layer of each stream that is forwarded
    probe: tuple | None  # the rate to probe to, and when at the earliest

    @staticmethod
    def read(text):
        line = json.loads(text)
        shown = {(row["participant"], row["track"]): Layer.read(row["forward"])
                 for row in line["streams"] if row["forward"]}
        probe = line["probe"]
        return Decision(milliseconds(line["at"]), shown, probe and (probe["bps"], milliseconds(probe["not_before"])))


def milliseconds(seconds):
    return round(1000 * seconds)


def trace_lines(lines):
    """Returns lines with their times in seconds, as `vadmon pause` reads them."""
    return "".join(json.dumps({**line, "at": line["at"] / 1000}) + "\n" for line in lines)


def configuration(settings):
    return json.dumps({"type": "config", **settings}) + "\n"


def estimate_lines(estimates):
    return [{"at": at, "type": "estimate", "bps": bps} for at, bps in estimates]


def decisions(vadmon, settings, lines):
    """Returns the decisions on a whole trace."""
    run = subprocess.run(command(vadmon), input=configuration(settings) + trace_lines(lines), capture_output=True,
                         text=True)
    if run.returncode:
        raise Problem(f"{vadmon} refuses a trace: {run.stderr.strip()}", os.EX_DATAERR)
    return [Decision.read(line) for line in run.stdout.splitlines() if line.startswith(DECISION)]


def command(vadmon):
    return [vadmon, "pause", "-", "--quiet"]


def check(vadmon, name, settings):
    """Raises a problem if the coordinator does not accept these settings."""
    try:
        decisions(vadmon, settings, LINES_OF_A_CHECK)
    except Problem as problem:
        raise Problem(f"--config {name}: {problem}", os.EX_USAGE) from problem
    except OSError as error:
        raise Problem(f"{vadmon} does not run: {error.strerror}", os.EX_NOINPUT) from error


class LiveCoordinator:
    """A `vadmon pause` that gets one step at a time.

    A decision is printed when a later line is read, and most steps bring none. A refused `layout` a millisecond later
    changes nothing and is answered at once: its answer ends the step's decisions.
    """

    def __init__(self, vadmon, settings):
        self.process = subprocess.Popen(command(vadmon), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(configuration(settings))

    def step(self, now, lines):
        """Returns the decisions since the last step, those at `now` with them."""
        end = {"at": now + 1, "type": "layout", "layout": "gallery"}
        self.process.stdin.write(trace_lines([*lines, end]))
        self.process.stdin.flush()
        found = []
        for line in self.process.stdout:
            if line.startswith(ANSWER):
                return found
            if line.startswith(DECISION):
                found.append(Decision.read(line))
        raise Problem("vadmon pause ended in the middle of a call", os.EX_SOFTWARE)

    def close(self):
        self.process.communicate()
