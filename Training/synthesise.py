#!/usr/bin/env python3
"""Makes training sounds out of nothing but speech synthesisers and arithmetic, so that no recordings are needed.

    python3 Training/synthesise.py OUT [--speech 1500] [--noise 1200] [--music 200] [--seed 1] [--jobs 2] [--only FAMILY …]

Writes 16 kHz mono FLAC to OUT/speech, OUT/noise and OUT/music, named by family: bark-0012.flac, espeak-de-0031.flac.
Files of the same name are replaced. The same seed gives the same files, whatever the counts and the jobs.
--only: just these families of noise and music (`bark`, `solo`), or one of `speech`.
Needs `pip install -r Training/requirements.txt` and, from Debian, what REQUIRED names.
"""
import argparse
import multiprocessing
import os
import pathlib
import shutil
import sys
import time
import zlib

os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')      # one thread a job

import numpy as np
import soundfile

from synthesis import ambience, animals, music, objects, signals, speech
from synthesis.sound import RATE

REQUIRED = {        # what must be there: the Debian package that holds it
    'espeak-ng': 'espeak-ng', 'flite': 'flite', 'festival': 'festival', 'fluidsynth': 'fluidsynth',
    music.SOUNDFONTS[0]: 'fluid-soundfont-gm', music.SOUNDFONTS[1]: 'timgm6mb-soundfont',
}
NOISE = {**animals.FAMILIES, **ambience.FAMILIES, **objects.FAMILIES, **signals.FAMILIES,
         'babble': (speech.babble, 1)}


def shares(families, total):
    """How many files of each family: by weight, rounded so that the sum is `total`."""
    weights = np.cumsum([w for _, w in families.values()])
    edges = np.round(total * weights / weights[-1]).astype(int)
    return dict(zip(families, np.diff(edges, prepend=0)))


def make(task):
    """Makes one file; the generator depends on seed, family and number alone."""
    folder, family, number, seed = task
    rng = np.random.default_rng([seed, zlib.crc32(family.encode()), number])
    if family == 'speech':
        family, x = speech.talk(rng)
    else:
        x = {**NOISE, **music.FAMILIES}[family][0](rng)
    loudest = np.abs(x).max()
    if not np.isfinite(loudest) or loudest == 0:
        sys.exit(f'synthesise: {family} number {number} of seed {seed} came out silent or broken')
    peak = 10 ** (rng.uniform(-6, -1) / 20)
    path = folder / f'{family}-{number:04d}.flac'
    part = path.with_suffix('.part')
    soundfile.write(part, x * (peak / loudest), RATE, 'PCM_16', format='FLAC')
    part.rename(path)           # whoever reads OUT meanwhile never sees half a file
    return len(x) / RATE


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out', metavar='OUT', type=pathlib.Path)
    parser.add_argument('--speech', type=int, default=1500)
    parser.add_argument('--noise', type=int, default=1200)
    parser.add_argument('--music', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--only', nargs='+')
    options = parser.parse_args()

    missing = [package for what, package in REQUIRED.items() if not (shutil.which(what) or pathlib.Path(what).exists())]
    if missing:
        sys.exit('synthesise: missing programs; run: apt-get install ' + ' '.join(missing))
    plan = [('speech', {'speech': options.speech}), ('noise', shares(NOISE, options.noise)), ('music', shares(music.FAMILIES, options.music))]
    tasks = []
    for folder, families in plan:
        (options.out / folder).mkdir(parents=True, exist_ok=True)
        tasks += [(options.out / folder, family, number, options.seed) for family, count in families.items()
                  if not options.only or family in options.only for number in range(count)]
    start, seconds = time.monotonic(), 0.0
    with multiprocessing.Pool(options.jobs, os.nice, (10,)) as pool:
        for done, length in enumerate(pool.imap_unordered(make, tasks, 4), 1):
            seconds += length
            if done % 200 == 0 or done == len(tasks):
                print(f'{done} of {len(tasks)} files, {seconds / 3600:.2f} h of sound, {time.monotonic() - start:.0f} s', flush=True)


if __name__ == '__main__':
    main()
