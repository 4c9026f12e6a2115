"""Capacity traces: what a path carried, in rows of 100 ms."""

import math
import os
from functools import cached_property
from itertools import accumulate

from .problem import Problem

ROW_MS = 100
BIN_MS = 20  # the resolution of the comparison with what is sent
SHORTEST_MS = 10_000


class Trace:
    """The capacity of a path, one rate for each 100 ms."""

    def __init__(self, name, rates):
        self.name = name
        self.rates = rates
        self.end = ROW_MS * len(rates)
        self._sums = [0, *accumulate(rate * ROW_MS for rate in rates)]

    def mean(self, start, end):
        """Returns the mean rate from `start` to `end`, without what lies outside the trace."""
        start, end = max(0, start), min(self.end, end)
        return (self._carried(end) - self._carried(start)) / (end - start)

    def _carried(self, at):
        row, rest = divmod(at, ROW_MS)
        return self._sums[row] + (self.rates[row] * rest if rest else 0)

    @cached_property
    def capacity(self):
        """The mean rate of the 500 ms around each bin of 20 ms: what is sent is compared with it."""
        return [self.mean(at - 240, at + 260) for at in range(0, self.end, BIN_MS)]


def read_folder(folder):
    """Returns the traces of all CSV files in a folder, in the order of their names."""
    if not folder.is_dir():
        raise Problem(f"{folder}: no such folder", os.EX_NOINPUT)
    paths = sorted(folder.glob("*.csv"))
    if not paths:
        raise Problem(f"{folder} has no traces: put CSV files of seconds,kbit/s there", os.EX_NOINPUT)
    return [read(path) for path in paths]


def read(path):
    """Returns the trace in a CSV file. A first row that is not a number is its heading."""
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"{path}: cannot be read as text: {error}", os.EX_NOINPUT) from error
    heading = 1 if lines and numbers(lines[0]) is None else 0
    rates = [rate(path, heading + row, line, row) for row, line in enumerate(lines[heading:])]
    if ROW_MS * len(rates) < SHORTEST_MS:
        raise Problem(f"{path} has {len(rates)} rows: record at least {SHORTEST_MS // ROW_MS}, one each 100 ms",
                      os.EX_DATAERR)
    return Trace(path.stem, rates)


def rate(path, index, line, row):
    """Returns the rate of a row, after a check of its time."""
    fields = numbers(line)
    if fields is None or fields[1] < 0 or abs(1000 * fields[0] - ROW_MS * row) > 1:
        raise Problem(f"{path}:{index + 1}: write {row * ROW_MS / 1000:.1f} and a rate in kbit/s, not '{line}'",
                      os.EX_DATAERR)
    return 1000 * fields[1]


def numbers(line):
    """Returns the two finite numbers of a row, or None."""
    try:
        fields = [float(field) for field in line.split(",")]
    except ValueError:
        return None
    return fields if len(fields) == 2 and all(map(math.isfinite, fields)) else None
