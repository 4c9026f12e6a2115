"""What the subscriber of a call wants, most important first: docs/video-pause.md, computed a second time.

The models of other systems choose among these streams, and every policy is measured against them.
"""

import math
from typing import NamedTuple

from .layers import Layer

RESERVED_PER_STREAM = 48_000
SENT_PER_STREAM = 40_000  # what an audio stream really takes
AUDIO_STREAMS = 3
HEADROOM_PERCENT = 120
PRIORITIES = {"high": 0, "medium": 1, "low": 2, None: 3}
# (height, frames per second) of the qualities that calls.py requests
QUALITIES = {"r90p_7fps": (90, 7.5), "r180p_15fps": (180, 15), "r360p_30fps": (360, 30)}
LAYERS_360P = 360


class Wanted(NamedTuple):
    key: tuple  # participant and track
    kind: str
    weight: int
    ladder: tuple  # of layers, the cheapest first
    best: float  # the value of the best layer of the ladder
    pinned_at: int | None  # when the subscriber last pinned it


class Scene(NamedTuple):
    """What is wanted from a time on."""

    at: int
    wanted: tuple
    reserve: int
    audio: int  # what audio takes of the path


def scenes(lines):
    """Returns a scene for each time at which something changes."""
    subscriber, found = Subscriber(), []
    for place, line in enumerate(lines):
        subscriber.apply(line)
        if place + 1 == len(lines) or lines[place + 1]["at"] > line["at"]:
            found.append(Scene(line["at"], subscriber.wanted(), subscriber.reserve, subscriber.audio))
    return found


class Subscriber:
    def __init__(self):
        self.layers, self.demands, self.pinned_at = {}, {}, {}
        self.muted, self.paused = set(), set()
        self.speakers, self.last_n, self.is_720p = [], None, True
        self.reserve = self.audio = 0

    def apply(self, line):
        key = line.get("participant"), line.get("track", "video")
        match line["type"]:
            case "stream":
                self.layers[key] = [Layer.read(layer) for layer in line["layers"] if layer.get("active", True)]
            case "remove_stream":
                for state in (self.layers, self.demands):
                    state.pop(key, None)
            case "demand":
                if line.get("pin", {}).get("local"):
                    self.pinned_at[key] = line["at"]
                self.demands[key] = line
            case "publisher_muted":
                (self.muted.add if line["muted"] else self.muted.discard)(key)
            case "subscriber_paused":
                (self.paused.add if line["paused"] else self.paused.discard)(key)
            case "speakers":
                self.speakers = line["participants"]
            case "last_n":
                self.last_n = line["count"]
            case "receive_720p":
                self.is_720p = line["enabled"]
            case "audio":
                streams = min(line["streams"], AUDIO_STREAMS)
                needed = max(line.get("measured_bps", 0), RESERVED_PER_STREAM * streams)
                self.reserve = -(-needed * HEADROOM_PERCENT // 100)
                self.audio = SENT_PER_STREAM * streams

    def wanted(self):
        keys = [key for key, sent in self.layers.items() if sent and self.is_shown(key)]
        keys = sorted(keys, key=self.rank)[: self.last_n]
        return tuple(self.stream(key) for key in keys)

    def stream(self, key):
        ladder = self.ladder(key)
        best = max(layer.value(kind(key)) for layer in ladder)
        return Wanted(key, kind(key), self.weight(key), ladder, best, self.pinned_at.get(key))

    def is_shown(self, key):
        return (key not in self.muted and key not in self.paused and self.demand(key).get("visible", True))

    def demand(self, key):
        return self.demands.get(key, {})

    def rank(self, key):
        """Pins, the subscriber's own before others' and the newest first; shares; priority; speakers; area; name."""
        demand = self.demand(key)
        pin, size = demand.get("pin"), demand.get("view", {"width": 0, "height": 0})
        return ((0 if pin["local"] else 1, -demand["at"]) if pin else (2, 0),
                kind(key) != "screenShare", PRIORITIES[demand.get("priority")], self.turn(key),
                -size["width"] * size["height"], key)

    def turn(self, key):
        """Returns how many have spoken since the participant did."""
        return self.speakers.index(key[0]) if key[0] in self.speakers else len(self.speakers)

    def weight(self, key):
        if "pin" in self.demand(key) or kind(key) == "screenShare":
            return 4
        turn = self.turn(key)
        return {0: 3, 1: 2, 2: 2}.get(turn, 1) if turn < len(self.speakers) else 1

    def ladder(self, key):
        """Returns the layers within what the subscriber can use, or the cheapest if none is so small."""
        sent = self.layers[key]
        height, fps = self.limits(key, sorted({layer.height for layer in sent}))
        fit = [layer for layer in sent if layer.height <= height and layer.fps <= fps]
        return tuple(fit or [min(sent, key=lambda layer: layer.bps)])

    def limits(self, key, heights):
        """Returns the most pixels of height and frames per second that are wanted of a stream in these heights."""
        demand = self.demand(key)
        height, fps = heights[-1], demand.get("maximum_fps", math.inf)
        if "view" in demand:
            height = min((each for each in heights if each >= demand["view"]["height"]), default=height)
        if "maximum_quality" in demand:
            most, rate = QUALITIES[demand["maximum_quality"]]
            height, fps = min(height, largest(heights, most)), min(fps, rate)
        if not self.is_720p and kind(key) == "camera":
            height = min(height, largest(heights, LAYERS_360P))
        return height, fps


def kind(key):
    return "camera" if key[1] == "video" else "screenShare"


def largest(heights, most):
    """Returns the largest height of at most `most`, or the smallest of all."""
    return max((height for height in heights if height <= most), default=heights[0])
