"""How steady a policy is while the path carries the same all the time, and only the estimate is noisy."""

import random

from . import coordinator, policies, subscriber
from .estimators import Noise
from .layers import CAMERA_SIZES, Layer
from .measures import Meter, mean_of_calls
from .traces import ROW_MS, Trace

CAPACITIES = (310_000, 460_000, 610_000, 760_000, 905_000, 1_300_000, 2_000_000, 3_500_000)  # from two base layers on
MEMORIES = (0.5, 0.95)
SEEDS = (1, 2, 3)
PERIOD = 200
BEGIN, END = 10_000, 310_000  # what is measured
LOWEST = 30_000
LAYERS = [Layer(spatial, 0, height, 30, bps) for spatial, (height, bps) in enumerate(CAMERA_SIZES)]
LINES = [{"at": 0, "type": "stream", "participant": f"p{number}", "layers": [layer.line() for layer in LAYERS]}
         for number in range(6)]
[SCENE] = subscriber.scenes(LINES)


def estimates(capacity, deviation, memory, seed):
    noise = Noise(random.Random(f"noise/{seed}"), deviation, memory)
    return [(at, max(LOWEST, noise.apply(capacity))) for at in range(0, END, PERIOD)]


def of_policy(policy, told):
    """Returns (time, what is shown) for each estimate."""
    wanted = SCENE.wanted
    return [(at, policies.shown(wanted, policy.levels(at, bps, wanted, at == 0))) for at, bps in told]


def of_coordinator(vadmon, settings, told):
    lines = [*LINES, *coordinator.estimate_lines(told)]
    return [(decision.at, decision.shown) for decision in coordinator.decisions(vadmon, settings, lines)]


def measured(capacity, sent):
    """Returns the measures of what is sent after the beginning."""
    meter = Meter(Trace("constant", [capacity] * ((END - BEGIN) // ROW_MS)))
    settled = [shown for at, shown in sent if at <= BEGIN][-1]
    for at, shown in [(BEGIN, settled), *(each for each in sent if each[0] > BEGIN)]:
        meter.set(at - BEGIN, SCENE, shown)
    return meter.result(END - BEGIN)


def measure(send, deviation):
    """Returns the mean of the measures over all capacities, of `send`, which turns (capacity, estimates) into what is
    sent."""
    return mean_of_calls([measured(capacity, send(capacity, estimates(capacity, deviation, memory, seed)))
                          for capacity in CAPACITIES for memory in MEMORIES for seed in SEEDS])
