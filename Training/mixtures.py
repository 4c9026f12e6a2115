"""Files of scenes, as fit.py reads them: how they are numbered, written and kept."""

import multiprocessing
import time

import numpy as np

from mixing.scenes import SECONDS

SCENES = 64  # a file


def save(path, **arrays):
    """Writes an npz file that is there as a whole or not at all."""
    part = path.with_suffix('.part')
    with open(part, 'wb') as file:
        np.savez(file, **arrays)
    part.rename(path)


def needed(hours):
    """How many files hold so many hours."""
    return -(-int(hours * 3600) // (SCENES * SECONDS))


def write(folder, count, seed, jobs, make, prepare, arguments, what):
    """Calls make((path, seed, number)) for so many files, after prepare(*arguments) in each of `jobs` processes."""
    tasks = [(folder / f'{seed}-{number:05d}.npz', seed, number) for number in range(count)]
    start = time.monotonic()
    with multiprocessing.Pool(jobs, prepare, arguments) as pool:
        for done, _ in enumerate(pool.imap_unordered(make, tasks), 1):
            if done % 10 == 0 or done == count:
                hours, took = done * SCENES * SECONDS / 3600, time.monotonic() - start
                print(f'{done} of {count} files, {hours:.1f} h of {what}, {took:.0f} s', flush=True)
