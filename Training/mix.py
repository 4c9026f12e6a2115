#!/usr/bin/env python3
"""Mixes scenes of 20 s from the recordings of material.py and writes down what the network sees of them.

    python3 Training/mix.py WORK [--hours 55] [--seed 1] [--jobs 2] [--teacher silero marblenet]

Writes WORK/mixtures/1-00000.npz …, each of 64 scenes: inputs [scene, step, FRAME + PITCH] as float16, label, weight and
the detector's posterior as it is now, live and smoothed, [scene, hop], and has_talk [scene]; with --teacher also `taught`
[scene, hop, teacher], what each of these (teacher.py) says of a hop. A file depends on the seed, its number, the detector
and the teachers alone: a run that was broken off goes on where it was, and more hours add files. Files that are there are
kept, so other teachers need another WORK. An hour takes 35 MB.
"""

import os
import shutil

os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')  # one thread a job

import numpy as np

import detector
import features
import mixtures
from exits import IO, NO_INPUT, UNAVAILABLE, Parser, fail
from mixing.bank import Bank
from mixing.scenes import HOPS, Mixer
from mixtures import SCENES
from teacher import TEACHERS

STEPS = HOPS // features.STEP_HOPS


def prepare(work, names):
    """Of each process."""
    global mixer, teachers
    os.nice(10)
    teachers = [TEACHERS[name]() for name in names]
    mixer = Mixer(*(Bank(work, kind) for kind in ('speech', 'noise', 'music')))


def whole(seen):
    """[scene, HOPS] posteriors: the last ones wait for their look-ahead, and go on as before."""
    return np.stack([np.pad(one[:HOPS], (0, max(0, HOPS - len(one))), mode='edge') for one in seen]).astype(np.float16)


def make(task):
    path, seed, number = task
    if path.exists():
        return
    rng = np.random.default_rng([seed, number])
    scenes = [mixer.scene(rng) for _ in range(SCENES)]
    rows = np.stack([features.rows(scene.samples, scene.rate, STEPS) for scene in scenes])
    measured = np.repeat(rows[:, :, features.MEASURED] > 0, features.STEP_HOPS, axis=1)  # of silence nothing is learned
    heard = [(scene.samples, scene.rate) for scene in scenes]
    live, smoothed = zip(*(detector.posteriors(*scene) for scene in heard))
    mixtures.save(
        path,
        inputs=rows[:, :, : features.INPUTS].astype(np.float16),
        label=np.stack([scene.speech for scene in scenes]),
        weight=(np.stack([scene.weight for scene in scenes]) * measured).astype(np.float16),
        posterior=whole(live),
        smoothed=whole(smoothed),
        has_talk=np.array([scene.has_talk for scene in scenes]),
        **({'taught': np.stack([whole(teacher.seen(heard)) for teacher in teachers], -1)} if teachers else {}))


def arguments():
    parser = Parser(__doc__)
    parser.add_argument('--teacher', nargs='+', default=[], choices=TEACHERS)
    return mixtures.options(parser, 55)


def main():
    options = arguments()
    for program in 'ffmpeg', 'sox':
        if not shutil.which(program):
            fail(UNAVAILABLE, f'{program} is not on PATH; it provides codecs: apt-get install {program}')
    for kind in 'speech', 'noise', 'music':
        if not (options.work / f'{kind}.s16').exists():
            fail(NO_INPUT, f'{options.work}/{kind}.s16 is missing: run material.py first')
    features.build()
    detector.core()
    mixtures.write(options, make, prepare, (options.work, options.teacher), 'mixtures')


if __name__ == '__main__':
    try:
        main()
    except OSError as error:
        fail(IO, f'{error}: give WORK room, 35 MB an hour')
