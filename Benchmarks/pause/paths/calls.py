"""Calls of N participants, seen by one subscriber, as lines of a trace for `vadmon pause` without the estimates.

Layouts, pins, priorities, speakers, mutes, screen shares, last-N and the number of audio streams change all the time,
as often as they do in a lively call. In half of the calls the layers' costs fluctuate by 10 %. The strategy is `grid`,
and nobody opts out.
"""

import math
import random

from . import layers

STEP_MS = 20  # all changes are at multiples of it
COST_FACTORS = (0.7, 1, 1, 1.2)
QUALITIES = ("r180p_15fps", "r360p_30fps", "r90p_7fps")


def write(name, participants, end, seed):
    """Returns the lines of a call that lasts until `end`. The same arguments give the same call."""
    return Writer(random.Random(f"{name}/{participants}/{seed}"), participants, end).lines()


class Writer:
    def __init__(self, draw, count, end):
        self.draw = draw
        self.end = end
        self.people = [f"p{number:02d}" for number in range(count)]
        self.factor = {name: draw.choice(COST_FACTORS) for name in self.people}
        self.sizes = {name: draw.choice((3, 3, 3, 2)) for name in self.people}
        self.fluctuates = draw.random() < 0.5
        self.demands = {}
        self.written = []

    def lines(self):
        self.join()
        self.change_layouts()
        self.change_speakers()
        if self.fluctuates:
            self.change_costs()
        self.have_incidents()
        return sorted((line for line in self.written if line["at"] <= self.end), key=lambda line: line["at"])

    def add(self, at, kind, **members):
        self.written.append({"at": STEP_MS * round(at / STEP_MS), "type": kind, **members})

    def times(self, first, shortest, longest):
        """Yields times from `first` on until the end."""
        at = first
        while at < self.end:
            yield at
            at += self.draw.uniform(shortest, longest)

    def join(self):
        self.add(0, "audio", streams=min(len(self.people), 3))
        for name in self.people:
            self.publish(0, name)

    def publish(self, at, name, factor=1.0, active=True):
        sent = layers.camera(self.sizes[name], factor * self.factor[name])
        self.add(at, "stream", participant=name, layers=[layer.line() | {"active": active} for layer in sent])

    def change_layouts(self):
        self.lay_out(0)
        for at in self.times(self.draw.uniform(20_000, 50_000), 25_000, 70_000):
            self.lay_out(at)

    def lay_out(self, at):
        views = self.views()
        pinned = self.draw.sample(self.people, k=self.draw.choice((0, 0, 1, 2)))
        for name in self.people:
            demand = views[name] | self.wishes()
            if name in pinned:
                demand["pin"] = {"local": self.draw.random() < 0.7}
            if demand != self.demands.get(name):
                self.demands[name] = demand
                self.add(at, "demand", participant=name, **demand)

    def views(self):
        """Returns what each tile shows: all alike, one large, or a page of nine."""
        count = len(self.people)
        layout = self.draw.choice(("grid", "speaker", "page") if count > 4 else ("grid", "speaker"))
        if layout == "grid":
            side = math.ceil(math.sqrt(count))
            return {name: view(1920 // side, 1080 // side) for name in self.people}
        if layout == "speaker":
            large = self.draw.choice(self.people)
            return {name: view(1600, 900) if name == large else view(320, 180) for name in self.people}
        page = self.draw.sample(self.people, k=min(count, 9))
        return {name: view(640, 360) if name in page else {"visible": False} for name in self.people}

    def wishes(self):
        """Returns what few subscribers set for a tile."""
        demand = {}
        if self.draw.random() < 0.15:
            demand["priority"] = self.draw.choice(("low", "medium", "high"))
        if self.draw.random() < 0.05:
            demand["maximum_fps"] = self.draw.choice((10, 15, 20))
        if self.draw.random() < 0.05:
            demand["maximum_quality"] = self.draw.choice(QUALITIES)
        return demand

    def change_speakers(self):
        """Half of the people speak, for a word or for a minute."""
        order = self.draw.sample(self.people, k=len(self.people))
        speakers = self.people[: max(2, len(self.people) // 2)]
        named = max(1, len(self.people) // 2)
        self.add(0, "speakers", participants=order[:named])
        at = 2_000
        while at < self.end:
            name = self.draw.choice(speakers)
            order.remove(name)
            order.insert(0, name)
            self.add(at, "speakers", participants=order[:named])
            at += self.draw.choice((1_500, 4_000, 8_000, 15_000)) * self.draw.uniform(0.7, 1.3)

    def change_costs(self):
        for at in range(1_000, self.end, 2_000):
            for name in self.people:
                self.publish(at, name, self.draw.uniform(0.9, 1.1))

    def have_incidents(self):
        incidents = (self.mute, self.mute, self.share, self.pause, self.limit, self.run_dry, self.save, self.hear,
                     self.hear)
        at = 10_000
        while at < self.end:
            at = self.draw.choice(incidents)(at, self.draw.choice(self.people)) or at
            at += self.draw.uniform(5_000, 20_000)

    def mute(self, at, name):
        self.add(at, "publisher_muted", participant=name, muted=True)
        self.add(at + 8_000, "publisher_muted", participant=name, muted=False)

    def pause(self, at, name):
        self.add(at, "subscriber_paused", participant=name, paused=True)
        self.add(at + 6_000, "subscriber_paused", participant=name, paused=False)

    def share(self, at, name):
        """Returns the end of the share, so that nothing else happens before it."""
        end = at + self.draw.uniform(15_000, 60_000)
        track = {"participant": name, "track": "screenShare"}
        self.add(at, "stream", **track, layers=[layer.line() for layer in layers.screen_share()])
        self.add(end, "remove_stream", **track)
        return end

    def limit(self, at, name):
        self.add(at, "last_n", count=self.draw.randint(1, len(self.people)))
        self.add(at + 9_000, "last_n", count=None)

    def run_dry(self, at, name):
        self.publish(at, name, active=False)
        if not self.fluctuates:  # otherwise the next change of costs starts it again
            self.publish(at + 5_000, name)

    def save(self, at, name):
        self.add(at, "receive_720p", enabled=False)
        self.add(at + 12_000, "receive_720p", enabled=True)

    def hear(self, at, name):
        measured = {"measured_bps": self.draw.choice((20_000, 90_000, 200_000))} if self.draw.random() < 0.5 else {}
        self.add(at, "audio", streams=self.draw.randint(0, 5), **measured)


def view(width, height):
    return {"view": {"width": width, "height": height}}
