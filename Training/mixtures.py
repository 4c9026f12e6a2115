"""Files of scenes, as fit.py reads them: how they are numbered, written and kept."""

import multiprocessing
import pathlib
import time

import numpy as np

from exits import NO_INPUT, fail
from mixing.scenes import SECONDS

SCENES = 64  # a file
FEWEST = 2   # files: what is trained is examined on one of them


def save(path, **arrays):
    """Writes an npz file that is there as a whole or not at all."""
    part = path.with_suffix('.part')
    with open(part, 'wb') as file:
        np.savez(file, **arrays)
    part.rename(path)


def options(parser, hours):
    """The options of a script that writes such files: those that the parser has, and `hours` by default."""
    parser.add_argument('work', metavar='WORK', type=pathlib.Path)
    parser.add_argument('--hours', type=float, default=hours)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2, metavar='N')
    given = parser.parse_args()
    if not (given.hours > 0 and given.jobs > 0 and given.seed >= 0):
        parser.error('hours and jobs must be above 0, the seed not below')
    return given


def write(options, make, prepare, arguments, what):
    """Calls make((path, seed, number)) for each file, after prepare(*arguments) in each process."""
    folder = options.work / 'mixtures'
    folder.mkdir(parents=True, exist_ok=True)
    count = max(-(-int(options.hours * 3600) // (SCENES * SECONDS)), FEWEST)
    tasks = [(folder / f'{options.seed}-{number:05d}.npz', options.seed, number) for number in range(count)]
    start = time.monotonic()
    with multiprocessing.Pool(options.jobs, prepare, arguments) as pool:
        for done, _ in enumerate(pool.imap_unordered(make, tasks), 1):
            if done % 10 == 0 or done == count:
                hours, took = done * SCENES * SECONDS / 3600, time.monotonic() - start
                print(f'{done} of {count} files, {hours:.1f} h of {what}, {took:.0f} s', flush=True)


def written(work):
    """The files in WORK: the first, which is only for examination, and the others."""
    first, *others = sorted((work / 'mixtures').glob('*.npz')) or [None]
    if not others:
        fail(NO_INPUT, f'{work}/mixtures holds fewer than {FEWEST} files: run mix.py first')
    return first, others
