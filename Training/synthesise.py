#!/usr/bin/env python3
"""Makes training sounds out of nothing but speech synthesisers and arithmetic, so that no recordings are needed.

    python3 Training/synthesise.py OUT [--speech 1500] [--noise 1200] [--music 200] [--seed 1] [--jobs 2] [--only FAMILY …]

Writes 16 kHz mono FLAC to OUT/speech, OUT/noise and OUT/music, named by family: bark-0012.flac, espeak-de-0031.flac.
Files of the same name are replaced. The same seed gives the same files, whatever the number of files or jobs.
--only: just these families, for instance `--only bark baby` or `--only speech`.
Needs `pip install -r Training/requirements.txt` and Debian's speech synthesisers: says which are missing.
About eight hours of sound with the numbers above.
"""

import multiprocessing
import os
import pathlib
import shutil
import time
import zlib

os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')  # one thread a job

import numpy as np
import soundfile

from exits import DATA, IO, Parser, fail
from synthesis import ambience, animals, music, objects, people, signals, speech
from synthesis.sound import RATE, band

SPEECH = {'speech': (speech.talk, 1)}
NOISE = {
    **people.FAMILIES,
    **animals.FAMILIES,
    **ambience.FAMILIES,
    **objects.FAMILIES,
    **signals.FAMILIES,
    'babble': (speech.babble, 1),
}
MUSIC = music.FAMILIES
FAMILIES = {**SPEECH, **NOISE, **MUSIC}
LOWEST = 25             # Hz; microphones pass no direct current, some synthesisers do


def missing():
    """The Debian packages that hold what is not on this machine."""
    needed = {**speech.REQUIRED, **music.REQUIRED}
    return [package for what, package in needed.items() if not (shutil.which(what) or pathlib.Path(what).exists())]


def shares(families, total):
    """How many files of each family: by weight, rounded so that the sum is `total`."""
    weights = np.cumsum([weight for _, weight in families.values()])
    edges = np.round(total * weights / weights[-1]).astype(int)
    return dict(zip(families, np.diff(edges, prepend=0)))


def make(task):
    """Makes one file, from a generator that depends on seed, family and number alone; returns its seconds."""
    folder, family, number, seed = task
    rng = np.random.default_rng([seed, zlib.crc32(family.encode()), number])
    x = FAMILIES[family][0](rng)
    name, x = x if family == 'speech' else (family, x)
    x = band(x, LOWEST, RATE / 2)
    loudest = np.abs(x).max()
    if not (np.isfinite(loudest) and loudest > 0):
        raise ValueError(f'{name} number {number} of seed {seed} came out silent or broken: is its synthesiser whole?')
    peak = 10 ** (rng.uniform(-6, -1) / 20)
    path = folder / f'{name}-{number:04d}.flac'
    part = path.with_suffix('.part')
    soundfile.write(part, x * (peak / loudest), RATE, 'PCM_16', format='FLAC')
    part.rename(path)  # whoever reads OUT meanwhile never sees half a file
    return len(x) / RATE


def arguments():
    parser = Parser(__doc__)
    parser.add_argument('out', metavar='OUT', type=pathlib.Path)
    for name, default in ('speech', 1500), ('noise', 1200), ('music', 200), ('seed', 1), ('jobs', 2):
        parser.add_argument(f'--{name}', type=int, default=default, metavar='N')
    parser.add_argument('--only', nargs='+', choices=sorted(FAMILIES), default=list(FAMILIES), metavar='FAMILY')
    options = parser.parse_args()
    if min(options.speech, options.noise, options.music, options.seed) < 0 or options.jobs < 1:
        parser.error('numbers must not be negative, and at least one job is needed')
    return options


def main():
    options = arguments()
    if packages := missing():
        fail(DATA, 'some synthesisers are missing; run: apt-get install ' + ' '.join(packages))
    tasks = []
    for kind, families in ('speech', SPEECH), ('noise', NOISE), ('music', MUSIC):
        folder = options.out / kind
        folder.mkdir(parents=True, exist_ok=True)
        tasks += [
            (folder, family, number, options.seed)
            for family, count in shares(families, getattr(options, kind)).items()
            if family in options.only
            for number in range(count)
        ]
    start, seconds = time.monotonic(), 0.0
    with multiprocessing.Pool(options.jobs, os.nice, (10,)) as pool:
        for done, length in enumerate(pool.imap_unordered(make, tasks), 1):
            seconds += length
            if done % 200 == 0 or done == len(tasks):
                took = time.monotonic() - start
                print(f'{done} of {len(tasks)} files, {seconds / 3600:.2f} h of sound, {took:.0f} s', flush=True)


if __name__ == '__main__':
    try:
        main()
    except ValueError as error:
        fail(DATA, error)
    except (OSError, soundfile.SoundFileError) as error:
        fail(IO, f'{error}: make OUT writable and give it 2 GB')
