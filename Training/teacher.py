"""The optional teacher: Silero VAD (MIT) as published on PyPI. It finds the speech in clean recordings, and noise
recordings in which somebody speaks after all. As an elder (mix.py) it also says how sure one can be in a scene. No
weight of it is used.
"""

import pathlib

import numpy as np
from scipy.signal import resample_poly

from features import HOP, RATE

STEP, CONTEXT, STATE = 512, 64, (2, 128)  # samples a step, samples it looks back, its memory
BATCH = 64  # recordings at once, of like length


class Silero:
    def __init__(self):
        import importlib.util

        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        package = pathlib.Path(importlib.util.find_spec('silero_vad').origin).parent  # importing it needs torch
        self.session = onnxruntime.InferenceSession(str(package / 'data' / 'silero_vad.onnx'), options)

    def batch(self, recordings):
        """[recording, step] posteriors, the shorter recordings followed by silence."""
        steps = max(-(-len(x) // STEP) for x in recordings)
        samples = np.zeros((len(recordings), CONTEXT + steps * STEP), np.float32)
        for row, x in zip(samples, recordings):
            row[CONTEXT : CONTEXT + len(x)] = x
        state = np.zeros((STATE[0], len(recordings), STATE[1]), np.float32)
        posteriors = np.zeros((len(recordings), steps), np.float32)
        for step in range(steps):
            at = step * STEP
            inputs = {'input': samples[:, at : at + CONTEXT + STEP], 'state': state, 'sr': np.array(RATE)}
            posterior, state = self.session.run(None, inputs)
            posteriors[:, step] = posterior[:, 0]
        return posteriors

    def posteriors(self, recordings):
        """For each recording, samples at 16 kHz with full scale 1, a posterior per whole hop."""
        order = sorted(range(len(recordings)), key=lambda i: len(recordings[i]))
        found = [None] * len(recordings)
        for first in range(0, len(order), BATCH):
            chosen = order[first : first + BATCH]
            for i, posterior in zip(chosen, self.batch([recordings[i] for i in chosen])):
                found[i] = posterior[np.arange(len(recordings[i]) // HOP) * HOP // STEP]
        return found

    def seen(self, samples, rate):
        """P(speech) of each whole hop of a scene, like an Elder's."""
        divisor = np.gcd(rate, RATE)
        return self.posteriors([resample_poly(samples, RATE // divisor, rate // divisor).astype(np.float32)])[0]
