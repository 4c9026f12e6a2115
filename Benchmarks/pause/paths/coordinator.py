"""The coordinator itself, as `vadmon pause` runs it."""

import json
import os
import subprocess

from .layers import Layer
from .problem import Problem

DECISION = '{"type": "decision"'


def trace_text(lines, settings):
    """Returns a trace of `vadmon pause`: the settings, then the inputs in the order of their times."""
    first = {"type": "config", "strategy": "grid", **settings}
    return "\n".join(map(json.dumps, [first, *({**line, "at": line["at"] / 1000} for line in lines)])) + "\n"


def estimate_lines(estimates):
    return [{"at": at, "type": "estimate", "bps": bps} for at, bps in estimates]


def decisions(vadmon, text):
    """Returns (time, {stream: layer}) for each decision on a trace."""
    run = subprocess.run([vadmon, "pause", "-", "--quiet"], input=text, capture_output=True, text=True)
    if run.returncode:
        raise Problem(f"vadmon pause refuses the call: {run.stderr.strip()}", os.EX_DATAERR)
    return [decision(line) for line in run.stdout.splitlines() if line.startswith(DECISION)]


def decision(text):
    line = json.loads(text)
    return round(1000 * line["at"]), {
        (row["participant"], row["track"]): Layer.read(row["forward"]) for row in line["streams"] if row["forward"]}
