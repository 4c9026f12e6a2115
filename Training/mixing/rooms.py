"""Rooms: impulse responses of a direct sound, a few early reflections and a decaying, darkening tail."""

import numpy as np
from scipy.signal import lfilter, oaconvolve

from features import RATE
from synthesis.sound import log_uniform

T60 = 0.12, 1.1            # s, from a car to a large hall
LONGEST = 0.8              # s kept
PRE_DELAY = 0.001, 0.012   # s
REFLECTIONS = 2, 9
REFLECTION_DELAY = 0.001, 0.04  # s
DARK_T60 = 0.3, 0.8        # of the reverberation time, for what the low-pass takes away
DIRECT_TO_REVERBERANT = -6, 18  # dB
FAR_RATIO = -10, 3              # the same, of who sits far from the microphone
POLE = 0.65                # of the low-pass: about 1.1 kHz
DECAY = 3 * np.log(10)     # 60 dB


def impulse_response(rng, far=False):
    """float32; sample 0 is the direct sound, of 1."""
    t60 = log_uniform(rng, *T60)
    time = np.arange(int(min(t60, LONGEST) * RATE)) / RATE
    noise = rng.standard_normal(len(time)) * np.exp(-DECAY * time / t60)
    low = lfilter([1 - POLE], [1, -POLE], noise)
    tail = low + (noise - low) * np.exp(-DECAY * time / (t60 * rng.uniform(*DARK_T60)))
    delay = int(rng.uniform(*PRE_DELAY) * RATE)
    response = np.concatenate([np.zeros(delay), tail])
    early = 4 * np.sqrt((tail[:500] ** 2).mean())
    for _ in range(rng.integers(*REFLECTIONS)):
        response[int(rng.uniform(*REFLECTION_DELAY) * RATE)] += rng.normal() * early
    ratio = rng.uniform(*(FAR_RATIO if far else DIRECT_TO_REVERBERANT))
    response *= 10 ** (-ratio / 20) / np.sqrt((response**2).sum())
    response[0] += 1
    return response.astype(np.float32)


def within(samples, response):
    """The samples as heard in the room; as long as they were."""
    return oaconvolve(samples, response)[: len(samples)].astype(np.float32)
