"""What a subscriber sees of a call, and what the path has to bear, as numbers."""

from bisect import bisect_left
from collections import defaultdict

from .traces import BIN_MS

MINUTE_MS = 60_000


class Meter:
    """Adds up the measures of one call. Feed it every change of what is wanted and of what is sent."""

    def __init__(self, trace):
        self.trace = trace
        self.at = self.dark = 0
        self.is_dark = False
        self.view = View()
        self.load = Load(trace.capacity)
        self.changes = Changes()

    def set(self, at, scene, shown):
        """From `at` on, `shown` is sent of what is wanted."""
        self._advance(at)
        self.view.set(scene.wanted, shown)
        self.load.set(scene, shown)
        self.is_dark = is_dark(scene.wanted, shown)
        self.changes.set(at, scene.wanted, shown)

    def _advance(self, to):
        if to > self.at:
            self.view.advance(to - self.at)
            self.load.advance(self.at, to)
            self.dark += (to - self.at) * self.is_dark
            self.at = to

    def result(self, end):
        """Returns the measures, by name. A measure that the call says nothing about is None."""
        self._advance(end)
        minutes = self.view.wanted / MINUTE_MS
        return {
            "toggles": ratio(self.changes.toggles, minutes),
            "dark": self.dark / end,
            "use": ratio(self.load.used, self.load.usable),
            "shortfall": self.load.short / len(self.trace.capacity),
            "quality": ratio(self.view.value, self.view.weight),
            "worst": self.changes.most_in_a_minute(),
        }


def ratio(part, whole):
    return part / whole if whole else None


def mean(values):
    """Returns the mean of the values that are not None, or None."""
    values = [value for value in values if value is not None]
    return ratio(sum(values), len(values))


def mean_of_calls(results):
    """Returns the mean of each measure, and of the most toggles in a minute the most."""
    return {name: (max if name == "worst" else mean)([result[name] for result in results]) for name in results[0]}


def is_dark(wanted, shown):
    """Returns whether nothing is shown of what is wanted."""
    return bool(wanted) and not any(stream.key in shown for stream in wanted)


class View:
    """How much of what is wanted is shown, and how well: a stream's best wanted layer is worth its weight."""

    def __init__(self):
        self.weight = self.value = self.wanted = 0
        self.now = (0, 0, 0)

    def set(self, wanted, shown):
        weight = value = 0
        for stream in wanted:
            weight += stream.weight
            layer = shown.get(stream.key)
            if layer:
                value += stream.weight * layer.value(stream.kind) / stream.best
        self.now = weight, value, len(wanted)

    def advance(self, time, arrives=True):
        """Lets time pass. What does not arrive in time has no value."""
        weight, value, wanted = self.now
        self.weight += weight * time
        self.value += value * time * arrives
        self.wanted += wanted * time


class Load:
    """What is sent, beside what the path can carry."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.used = self.usable = self.short = 0
        self.now = (0, 0, 0)

    def set(self, scene, shown):
        sent = sum(layer.bps for layer in shown.values())
        self.now = sent, scene.audio, sum(stream.ladder[-1].bps for stream in scene.wanted)

    def advance(self, start, end):
        sent, audio, wanted = self.now
        for rate in self.capacity[round(start / BIN_MS): round(end / BIN_MS)]:
            room = max(0, rate - audio)
            self.used += min(sent, room)
            self.usable += min(wanted, room)
            self.short += sent + audio > rate


class Changes:
    """Pauses and resumes of streams that stay wanted.

    When the subscriber pins a stream, its pauses before no longer count towards the most in a minute, because nobody
    promises to keep a new pin waiting for them.
    """

    def __init__(self):
        self.toggles = 0
        self.times = defaultdict(list)
        self.was_on = {}

    def set(self, at, wanted, shown):
        was_on, self.was_on = self.was_on, {stream.key: stream.key in shown for stream in wanted}
        for stream in wanted:
            on = self.was_on[stream.key]
            if was_on.get(stream.key, on) != on:
                self.toggles += 1
                self.times[stream.key, stream.pinned_at].append(at)

    def most_in_a_minute(self):
        return max((most_within(times, MINUTE_MS) for times in self.times.values()), default=0)


def most_within(times, span):
    """Returns the most of the sorted times that any interval of that length, without its end, contains."""
    return max((bisect_left(times, at + span) - first for first, at in enumerate(times)), default=0)
