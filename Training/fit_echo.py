#!/usr/bin/env python3
"""Fits the outputs that decide while an echo is taken out of what the network sees, and adds them to its weights.

    python3 Training/fit_echo.py WEIGHTS.npz --speech PATH… [--noise PATH…] [--half 0|1] [--hours 12] [--seed 1]

The network was trained on whole frames. Beside a loudspeaker (CSupport/CVoiceActivity/echo.h) its frames have holes,
and what is left of the echo can look like speech. Here the detector listens to simulated calls of Benchmarks/echo:
WEIGHTS gets `echo_memory` and `echo_bias`, a weighted sum of the network's memory that is added to its logits. It is a
logistic regression of near speech, with the plain logits as its offset; the rest of the network stays as it is.

--hours: of the far end alone; half as many of conversations, and a tenth of calls with a headset, are added. --half:
only recordings of this half by their names, so that Benchmarks/echo can measure with the others.
"""

import argparse
import ctypes
import multiprocessing
import pathlib
import sys
import tempfile

import numpy as np
import scipy.optimize
import scipy.special

from exits import DATA, IO, NO_INPUT, USAGE, fail
from export_weights import members, shipped, table
from features import CORE, HOP, ROOT, STEP_HOPS, compiled, constant

sys.path.append(str(ROOT / 'Benchmarks' / 'echo'))
import scenes
import sounds
from compare import Material

MEMORY = constant('network.h', 'VA_MEMORY')
LOOKAHEAD = constant('geometry.h', 'VA_LOOKAHEAD_HOPS')
SHARES = {'long': 1.0, 'conversation': 0.5, 'headset': 0.1}
EVERY = 3      # steps: neighbours say nearly the same
ALARM = 1.5    # the weight of hops without near speech: a false notice annoys more than a late one
DECAY = 1e-3   # of the squares of the weights, for memory of unit variance


def build(stored):
    """The core with these weights and with memories.c in place of hop.c."""
    with tempfile.TemporaryDirectory() as folder:
        weights = pathlib.Path(folder) / 'weights_generated.c'
        weights.write_text(table(members(stored)))
        others = sorted(path for path in CORE.glob('*.c') if path.name not in ('hop.c', weights.name))
        library = compiled([pathlib.Path(__file__).parent / 'memories.c', weights, *others], CORE)
    return library


class Recorder:
    def __init__(self, library):
        self.library = ctypes.CDLL(str(library))
        self.library.va_training_memory_row.restype = ctypes.c_size_t
        self.row = self.library.va_training_memory_row()

    def __call__(self, microphone, reference):
        """(memory, plain logits, is an echo taken out) of each step."""
        rows = np.empty((len(microphone) // (STEP_HOPS * HOP), self.row), np.float32)
        pointers = (ctypes.c_void_p(x.ctypes.data) for x in (microphone, reference))
        code = self.library.va_training_memories(*pointers, ctypes.c_size_t(len(microphone)),
                                                 ctypes.c_void_p(rows.ctypes.data))
        if code:
            raise ValueError(f'the core returned {code}')
        return rows[:, :MEMORY], rows[:, MEMORY : MEMORY + STEP_HOPS], rows[:, -1] > 0

    def posteriors(self, samples):
        """Those of float samples, without a reference."""
        samples = np.rint(np.clip(samples, -1, 1) * 32767).astype(np.int16)
        return scipy.special.expit(self(samples, np.zeros_like(samples))[1].ravel())


def labels(near, steps):
    """Near speech in the hops that each step decides: [step, STEP_HOPS]. The first step decides none."""
    hops = np.arange(steps)[:, None] * STEP_HOPS + STEP_HOPS - 1 - LOOKAHEAD + np.arange(STEP_HOPS)
    return near[np.clip(hops, 0, len(near) - 1)] & (hops >= 0)


def samples(job):
    """(memory, plain logits, near speech) of some steps of a scene, in which an echo is taken out."""
    seed, kind, index = job
    scene = scenes.make(seed, kind, index, process.material)
    memory, logits, has_echo = process.recorder(scene.microphone, scene.reference)
    some = np.flatnonzero(has_echo)[::EVERY]
    return memory[some], logits[some], labels(scene.near, len(memory))[some]


class process:
    """What a process of the pool has."""


def start(library, files):
    process.recorder = Recorder(library)
    process.material = Material(sounds.Speech(files['speech']), sounds.Background(files['noise']), [])


def regression(memory, logits, near):
    """(weights, bias, losses before and after) of what is added to the logits."""
    mean, deviation = memory.mean(0), memory.std(0) + 1e-3
    inputs = (memory - mean) / deviation
    weight = np.where(near, 1, ALARM).astype(np.float32)
    weight /= weight.sum()

    def loss(parameters):
        score = logits + (inputs @ parameters[:-1] + parameters[-1])[:, None]
        entropy = (weight * np.logaddexp(0, np.where(near, -score, score))).sum()
        error = (weight * (scipy.special.expit(score) - near)).sum(1).astype(np.float32)
        gradient = np.append(error @ inputs + 2 * DECAY * parameters[:-1], error.sum())
        return entropy + DECAY * (parameters[:-1] ** 2).sum(), gradient.astype(np.float64)

    zero = np.zeros(MEMORY + 1)
    found = scipy.optimize.minimize(lambda p: loss(p.astype(np.float32)), zero, jac=True, method='L-BFGS-B')
    weights = found.x[:-1] / deviation
    return weights.astype(np.float32), np.float32(found.x[-1] - weights @ mean), loss(zero.astype(np.float32))[0], found.fun


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.error = lambda message: fail(USAGE, f'{message}; try --help')
    parser.add_argument('weights', metavar='WEIGHTS', type=pathlib.Path)
    parser.add_argument('--speech', nargs='+', metavar='PATH', required=True)
    parser.add_argument('--noise', nargs='*', metavar='PATH', default=[])
    parser.add_argument('--half', type=int, choices=(0, 1))
    parser.add_argument('--hours', type=float, default=12)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=1, help='processes (1)')
    options = parser.parse_args()
    if options.hours <= 0 or options.seed < 0 or options.jobs < 1:
        parser.error('hours and jobs must be above 0, the seed not below')
    return options


def choose(options, recorder):
    """The recordings to build calls from: {use: files}. What the detector takes for speech may be speech."""
    noise = sounds.readable(options.noise, options.half)[0] if options.noise else []
    return {'speech': sounds.readable(options.speech, options.half)[0],
            'noise': [file for file in noise if sounds.is_noise(file, recorder.posteriors)]}


def save(path, stored):
    part = path.with_suffix('.part')
    with open(part, 'wb') as file:
        np.savez(file, **stored)
    part.rename(path)


def main():
    options = arguments()
    if not options.weights.exists():
        fail(NO_INPUT, f'{options.weights}: no such file; fit.py makes one')
    stored = dict(np.load(options.weights))
    library = build(shipped(options.weights))
    files = choose(options, Recorder(library))
    jobs = [(options.seed, kind, index) for kind, share in SHARES.items()
            for index in range(max(round(options.hours * share * 3600 / scenes.KINDS[kind].seconds), 1))]
    with multiprocessing.Pool(options.jobs, start, (library, files)) as pool:
        parts = pool.map(samples, jobs, chunksize=1)
    memory, logits, near = map(np.concatenate, zip(*parts))
    stored['echo_memory'], stored['echo_bias'], before, after = regression(memory, logits, near)
    save(options.weights, stored)
    print(f'{len(jobs)} calls, {len(memory)} steps with echo, near speech in {near.mean():.0%} of their hops; '
          f'loss {before:.4f} before, {after:.4f} now')


if __name__ == '__main__':
    try:
        main()
    except sounds.Problem as problem:
        fail(NO_INPUT, problem)
    except (ValueError, KeyError) as error:
        fail(DATA, error)
    except OSError as error:
        fail(IO, error)
