"""Models of how other systems divide an estimate, each a simple form of what its sources do.

A policy is asked at every estimate and every change of what is wanted. It returns one number for each wanted stream:
the layer's place in the stream's ladder, or -1 for paused. Times are in milliseconds.
"""

import math

NEVER = -math.inf


def share(wanted, budget, current=None, growth=None, limits=None):
    """Divides the budget layer by layer, each stream in rank order as long as its next step fits.

    What is above the layers in `current` must fit `growth` instead. `limits` has the highest layer of each stream.
    """
    levels, used, limits = [-1] * len(wanted), 0, limits or top(wanted)
    for place in range(1 + max(limits, default=-1)):
        for number, stream in enumerate(wanted):
            if levels[number] != place - 1 or place > limits[number]:
                continue
            step = stream.ladder[place].bps - (stream.ladder[place - 1].bps if place else 0)
            room = budget if current is None or place <= current[number] else growth
            if used + step <= room:
                levels[number] = place
                used += step
    return levels


def top(wanted):
    return [len(stream.ladder) - 1 for stream in wanted]


def cost(wanted, levels):
    return sum(stream.ladder[level].bps for stream, level in zip(wanted, levels) if level >= 0)


def shown(wanted, levels):
    """Returns the layer of each stream that is not paused."""
    return {stream.key: stream.ladder[level] for stream, level in zip(wanted, levels) if level >= 0}


class Policy:
    """A policy that remembers what it sends."""

    def __init__(self):
        self.sent = {}

    def levels(self, now, estimate, wanted, changed):
        levels = self.choose(now, estimate, wanted, changed)
        if levels is not None:
            self.sent = {stream.key: level for stream, level in zip(wanted, levels)}
        return self.current(wanted)

    def current(self, wanted):
        """Returns what was chosen last, within the present ladders."""
        return [min(self.sent.get(stream.key, -1), len(stream.ladder) - 1) for stream in wanted]

    def choose(self, now, estimate, wanted, changed):
        """Returns the new levels, or None to keep them."""
        raise NotImplementedError


class Immediate(Policy):
    """Decides again on each estimate."""

    def choose(self, now, estimate, wanted, changed):
        return share(wanted, estimate)


class Jitsi(Policy):
    """Ignores an estimate within 15 % of the one that it last acted on, for 5 s at most."""

    acted, acted_at = None, NEVER

    def choose(self, now, estimate, wanted, changed):
        if self.acted is None or abs(estimate - self.acted) > 0.15 * self.acted or now - self.acted_at > 5_000:
            self.acted, self.acted_at = estimate, now
        elif not changed:
            return None
        return share(wanted, self.acted)


class Mediasoup(Policy):
    """Decides once a second, or when the estimate fell below 75 % or rose above 150 % of the one that it acted on. A
    stream whose size was lowered gets no larger size for 10 s."""

    acted, acted_at = None, NEVER

    def __init__(self):
        super().__init__()
        self.lowered = {}

    def choose(self, now, estimate, wanted, changed):
        jumped = self.acted and not 0.75 * self.acted <= estimate <= 1.5 * self.acted
        if now - self.acted_at < 1_000 and not jumped and not changed:
            return None
        self.acted, self.acted_at = estimate, now
        current = self.current(wanted)
        levels = share(wanted, estimate, limits=[self.limit(now, *each) for each in zip(wanted, current)])
        for stream, old, new in zip(wanted, current, levels):
            if old >= 0 and (new < 0 or stream.ladder[new].spatial < stream.ladder[old].spatial):
                self.lowered[stream.key] = now
        return levels

    def limit(self, now, stream, level):
        if now - self.lowered.get(stream.key, NEVER) >= 10_000:
            return len(stream.ladder) - 1
        size = stream.ladder[max(level, 0)].spatial
        return max(place for place, layer in enumerate(stream.ladder) if layer.spatial <= size)


class Signal(Policy):
    """Keeps layers by the present estimate, and adds layers by the lowest of the last 2.5 to 5 s. It decides once a
    second, or when the estimate falls below 90 % of what is sent."""

    lowest = lowest_before = None
    turns_at, acted_at = 2_500, NEVER
    used = 0

    def choose(self, now, estimate, wanted, changed):
        growth = self.evidence(now, estimate)
        if now - self.acted_at < 1_000 and 0.9 * self.used <= estimate and not changed:
            return None
        self.acted_at = now
        levels = share(wanted, estimate, self.current(wanted), growth)
        self.used = cost(wanted, levels)
        return levels

    def evidence(self, now, estimate):
        if self.lowest is None:
            self.lowest = self.lowest_before = estimate
        if now > self.turns_at:
            self.lowest_before, self.lowest, self.turns_at = self.lowest, estimate, now + 2_500
        self.lowest = min(self.lowest, estimate)
        return min(self.lowest, self.lowest_before)


class LiveKit(Policy):
    """Sends everything until 5 % are lacking for 0.4 s. Then it shares that estimate, and grows only when a probe 3 s
    later, then half as long again each time up to 2 min, finds room for 1.2 x the cheapest missing step."""

    limit, short_since = None, None
    probe_at, interval = math.inf, 3_000

    def choose(self, now, estimate, wanted, changed):
        levels = self.current(wanted)
        if changed or not self.sent:
            levels = top(wanted) if self.limit is None else share(wanted, self.limit)
        levels = self.cut(now, estimate, wanted, levels)
        if levels == top(wanted):
            self.limit, self.probe_at = None, math.inf
        elif now >= self.probe_at:
            levels = self.probe(now, estimate, wanted, levels)
        return levels

    def cut(self, now, estimate, wanted, levels):
        if estimate >= 0.95 * cost(wanted, levels):
            self.short_since = None
            return levels
        self.short_since = now if self.short_since is None else self.short_since
        if now - self.short_since < 400:
            return levels
        self.limit, self.short_since, self.interval = estimate, None, 3_000
        self.probe_at = now + self.interval
        return share(wanted, estimate)

    def probe(self, now, estimate, wanted, levels):
        cheapest = min(step for step in steps(wanted, levels) if step is not None)
        if estimate >= cost(wanted, levels) + max(1.2 * cheapest, 200_000):
            self.limit, self.interval = estimate, 3_000
            levels = raised(wanted, levels, estimate)
        else:
            self.interval = min(120_000, 1.5 * self.interval)
        self.probe_at = now + self.interval
        return levels


def steps(wanted, levels):
    """Returns what each stream's next layer costs more, or None at its top."""
    return [None if level + 1 == len(stream.ladder)
            else stream.ladder[level + 1].bps - (stream.ladder[level].bps if level >= 0 else 0)
            for stream, level in zip(wanted, levels)]


def raised(wanted, levels, budget):
    """Raises one step at a time, first whoever lacks most, while a step fits."""
    levels, used = list(levels), cost(wanted, levels)
    while True:
        costs = steps(wanted, levels)
        fit = [number for number, step in enumerate(costs) if step is not None and used + step <= budget]
        if not fit:
            return levels
        first = min(fit, key=lambda number: levels[number] - len(wanted[number].ladder))
        levels[first] += 1
        used += costs[first]
