#!/usr/bin/env python3
"""Writes down what the network sees beside a loudspeaker, for the weights that decide there.

    python3 Training/calls.py WORK --speech PATH… --music PATH… [--noise PATH…] [--half 0|1] [--hours 32] [--seed 1]
                              [--jobs 2]

The network was trained on whole frames. Beside a loudspeaker (CSupport/CVoiceActivity/echo.h) its frames have holes, and
what is left of the echo can look like speech. Here the detector listens to simulated calls of Benchmarks/echo. WORK gets
files in the form of mix.py, with which fit.py goes on from the plain weights:

    python3 Training/fit.py WORK --start WEIGHTS.npz --share 0.7 --steps 2000

Two fifths of the hours are conversations, some of them in a reverberant room, with music or a video as the far end, or
while somebody turns the volume. One in 64 has a headset. In the rest the far end is alone, in a quarter of it at the
start of a call. Hops that the plain weights decide weigh nothing. A file depends on the seed, its number and the
recordings alone; files that are there are kept. --half: only recordings of this half, so that Benchmarks/echo can measure
with the others.
"""

import os
import sys

os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')  # one thread a job

import numpy as np

import features
import mixtures
from exits import IO, NO_INPUT, Parser, fail
from features import BESIDE_ECHO, CORE, INPUTS, MEASURED, RATE, ROOT, STEP_HOPS, compiled
from material import trainable
from mixing.scenes import HOPS

ECHO = ROOT / 'Benchmarks' / 'echo'
sys.path.append(str(ECHO))
import scenes
import sounds
from compare import Material
from methods import Core

SHARES = {'conversation': 14, 'reverberant conversation': 4, 'music conversation': 4, 'video conversation': 4,
          'volume conversation': 2, 'long': 2, 'reverberant': 1, 'volume': 1, 'start': 9, 'quiet reference': 2,
          'headset': 1}  # calls of a file


def full_scale(samples):
    return samples.astype(np.float32) / 32768


def pieces(call):
    """(inputs, label, weight, has_talk) of a call, in scenes of SECONDS."""
    rows = features.rows(full_scale(call.microphone), RATE, len(call.near) // STEP_HOPS, full_scale(call.reference))
    decided = np.repeat((rows[:, MEASURED] > 0) & (rows[:, BESIDE_ECHO] > 0), STEP_HOPS)
    for first in range(0, len(call.near), HOPS):
        steps, hops = slice(first // STEP_HOPS, (first + HOPS) // STEP_HOPS), slice(first, first + HOPS)
        yield rows[steps, :INPUTS], call.near[hops], decided[hops], scenes.KINDS[call.kind].near


def make(task):
    path, seed, number = task
    if path.exists():
        return
    calls = (scenes.make(seed, kind, number * count + index, process.material)
             for kind, count in SHARES.items() for index in range(count))
    inputs, label, weight, has_talk = map(np.stack, zip(*(piece for call in calls for piece in pieces(call))))
    mixtures.save(path, inputs=inputs.astype(np.float16), label=label, weight=weight.astype(np.float16), has_talk=has_talk)


class process:
    """What a process of the pool has."""


def prepare(files):
    os.nice(10)
    process.material = Material(sounds.Speech(files['speech']), sounds.Background(files['noise']), files['music'])


def choose(options):
    """The recordings to build calls from: {use: files}. What the detector takes for speech may be speech."""
    core = Core(compiled([ECHO / 'detect.c', *sorted(CORE.glob('*.c'))], CORE))
    noise = sounds.readable(options.noise, options.half)[0] if options.noise else []
    speech = [file for file in sounds.readable(options.speech, options.half)[0] if trainable(file) is not None]
    if not speech:
        raise sounds.Problem('labelled sets hold all of the speech: name other folders')
    return {'speech': speech,
            'music': [file for file in sounds.readable(options.music, options.half)[0] if trainable(file) is not None],
            'noise': [file for file in noise
                      if trainable(file) is not None and sounds.is_noise(file, core.posteriors)]}


def arguments():
    parser = Parser(__doc__)
    parser.add_argument('--speech', nargs='+', metavar='PATH', required=True)
    parser.add_argument('--music', nargs='+', metavar='PATH', required=True)
    parser.add_argument('--noise', nargs='*', metavar='PATH', default=[])
    parser.add_argument('--half', type=int, choices=(0, 1))
    return mixtures.options(parser, 32)


def main():
    options = arguments()
    features.build()
    files = choose(options)
    print('; '.join(f'{use}: {len(chosen)} recordings' for use, chosen in files.items()), flush=True)
    mixtures.write(options, make, prepare, (files,), 'calls')


if __name__ == '__main__':
    try:
        main()
    except sounds.Problem as problem:
        fail(NO_INPUT, problem)
    except OSError as error:
        fail(IO, f'{error}: give WORK room, 16 MB an hour')
