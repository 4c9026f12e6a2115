import os
import unittest
from pathlib import Path

from paths.layers import Layer
from paths.subscriber import Scene, Wanted
from paths.traces import Trace

VADMON = Path(os.environ["VADMON"]).resolve() if "VADMON" in os.environ else None
with_vadmon = unittest.skipUnless(VADMON, "VADMON names no program")

LOW, MIDDLE, HIGH = Layer(0, 0, 180, 30, 100_000), Layer(1, 0, 360, 30, 300_000), Layer(2, 0, 720, 30, 900_000)


def constant(rate, seconds=20, name="test-constant"):
    return Trace(name, [rate] * (10 * seconds))


def stream(name, *ladder, weight=1, pinned_at=None):
    ladder = ladder or (LOW, MIDDLE, HIGH)
    return Wanted((name, "video"), "camera", weight, ladder, max(layer.value("camera") for layer in ladder), pinned_at)


def scene(*wanted, at=0, reserve=0, audio=0):
    return Scene(at, wanted, reserve, audio)
