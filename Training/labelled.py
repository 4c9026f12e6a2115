#!/usr/bin/env python3
"""Tells what must not be trained on: recordings, speakers and packages of the labelled sets that measure the detector.

    python3 Training/labelled.py FOLDER…    writes labelled.npz: fingerprints of all clips in the folders, labelled ones

material.py and calls.py leave out every recording for which reason() has one: labelled.toml names its package or
speaker, or it sounds like a labelled clip. A fingerprint is the strongest peaks of a clip's spectrum (Wang, "An
Industrial-Strength Audio Search Algorithm", ISMIR 2003). Two peaks and the time between them are a landmark. A
recording holds a part of a clip if many landmarks of both agree on one offset in time. Peaks stand out from the
spectrum around them and lie between 250 and 3,500 Hz, so that neither level, telephone rates nor codecs hide them.
"""

import functools
import pathlib
import re
import tomllib

import numpy as np
from scipy.ndimage import maximum_filter, uniform_filter
from scipy.signal import resample_poly

from exits import Parser

HERE = pathlib.Path(__file__).parent
FINGERPRINTS = HERE / 'labelled.npz'
WINDOW, STEP = 512, 256      # samples at 8 kHz
BANDS = slice(16, 224)       # of 15.6 Hz
PER_SECOND = 16              # peaks kept of a clip
SOUGHT = 40                  # peaks kept of a recording that is compared
SHIFTS = 4                   # ways to cut it into windows, one of which is within 4 ms of the clip's
FAR, WIDE = 31, 31           # steps and bands between the two peaks of a landmark
PARTNERS = 6                 # landmarks that begin at one peak of a clip
BEATS = 8                    # offsets at which two pieces of music agree as well, because both have beats
ENOUGH = 8                   # landmarks that are not chance


@functools.cache
def held():
    with open(HERE / 'labelled.toml', 'rb') as file:
        kinds = tomllib.load(file).values()
    return {what: re.compile(names, re.IGNORECASE) for kind in kinds for what, names in kind.items()}


def at_8_khz(pcm):
    return resample_poly(pcm.astype(np.float32) / 32768, 1, 2)


def peaks(samples, count):
    """(time, band) of the peaks of a spectrum, `count` in each second at most."""
    if len(samples) < WINDOW:
        return np.zeros((0, 2), int)
    windows = np.lib.stride_tricks.sliding_window_view(samples, WINDOW)[::STEP] * np.hanning(WINDOW).astype(np.float32)
    level = np.log(np.abs(np.fft.rfft(windows))[:, BANDS] + 1e-7)
    level -= uniform_filter(level, (151, 1))  # nothing is learned from what lasts
    height = level - uniform_filter(level, (31, 63))
    time, band = np.nonzero((maximum_filter(level, (5, 11)) == level) & (height > 0.8))
    rank = np.lexsort((-height[time, band], time // 32))
    second = time[rank] // 32
    kept = np.sort(rank[np.arange(len(rank)) - np.searchsorted(second, second) < count])
    return np.stack([time[kept], band[kept]], 1)


def landmarks(found, partners=None):
    """(hash, time) of pairs of peaks."""
    time, band = found.T
    used, firsts, seconds = np.zeros(len(time), int), [np.zeros(0, int)], [np.zeros(0, int)]
    for ahead in range(1, len(time)):
        later, higher = time[ahead:] - time[:-ahead], band[ahead:] - band[:-ahead]
        if later.min() > FAR:
            break
        fit = (later > 0) & (later <= FAR) & (np.abs(higher) <= WIDE) & (used[:-ahead] < (partners or len(time)))
        used[:-ahead] += fit
        firsts.append(np.flatnonzero(fit))
        seconds.append(firsts[-1] + ahead)
    first, second = np.concatenate(firsts), np.concatenate(seconds)
    return (band[first] * 64 + band[second] - band[first] + 32) * 32 + time[second] - time[first], time[first]


@functools.cache
def index():
    """The clips' names; hash, time and clip of their landmarks, in the order of the hashes; where each hash begins."""
    with np.load(FINGERPRINTS) as file:
        names, every = file['names'], np.stack([file['steps'], file['bands']], 1).astype(int)
        clips = np.split(every, np.cumsum(file['counts'])[:-1])
    found = [landmarks(np.stack([steps.cumsum(), bands], 1), PARTNERS) for steps, bands in (clip.T for clip in clips)]
    hashes, times = map(np.concatenate, zip(*found))
    order = np.argsort(hashes, kind='stable')
    clip = np.repeat(np.arange(len(found)), [len(hashes) for hashes, _ in found])[order]
    return names, hashes[order], times[order], clip, np.searchsorted(hashes[order], np.arange(2**19 + 1))


def distinct(places, values):
    """How many different values there are at each place, in the order of the places."""
    return np.unique(np.unique(places << 20 | values) >> 20, return_counts=True)


def heard(pcm):
    """(clip, landmarks) of the labelled clip most like a recording, in 16-bit samples at 16 kHz: how many different
    ones, at different times, agree on the best offset, less those at the ninth best."""
    names, hashes, times, clips, begins = index()
    samples = at_8_khz(pcm)
    shifted = (landmarks(peaks(samples[shift * STEP // SHIFTS:], SOUGHT)) for shift in range(SHIFTS))
    sought, at = map(np.concatenate, zip(*shifted))
    first = begins[sought]
    count = begins[sought + 1] - first
    hits = np.arange(count.sum()) + np.repeat(first - np.cumsum(count) + count, count)
    place = clips[hits] << 14 | times[hits] - np.repeat(at, count) + 2**13
    _, where, often = np.unique(place, return_inverse=True, return_counts=True)
    many = often[where] >= 3
    if not many.any():
        return '', 0
    places, different = distinct(place[many], hashes[hits[many]])
    agreeing = np.minimum(different, distinct(place[many], times[hits[many]])[1])  # a click or a tone is one of them
    clip = places[agreeing.argmax()] >> 14
    most = np.append(np.sort(agreeing[places >> 14 == clip])[::-1], np.zeros(BEATS, int))
    return str(names[clip]), int(most[0] - most[BEATS])


def reason(path, pcm):
    """Why a recording must not be trained on; '' if it may."""
    for what, names in held().items():
        if names.search(path.as_posix()):
            return what
    clip, agreeing = heard(pcm)
    return f'sounds like {clip} ({agreeing} landmarks)' if agreeing >= ENOUGH else ''


def write(clips, to=FINGERPRINTS):
    """Writes the fingerprints of clips: (path, 16-bit samples at 16 kHz) of each."""
    found = {f'{path.parent.name}/{path.stem}': peaks(at_8_khz(pcm), PER_SECOND) for path, pcm in clips}
    found = {name: clip for name, clip in found.items() if len(clip)}
    steps = np.concatenate([np.diff(clip[:, 0], prepend=0) for clip in found.values()])
    bands = np.concatenate([clip[:, 1] for clip in found.values()])
    np.savez_compressed(to, names=[*found], counts=[len(clip) for clip in found.values()],
                        steps=steps.astype(np.uint16), bands=bands.astype(np.uint8))


def main():
    from material import decode, recordings  # they ask this module about every recording

    parser = Parser(__doc__)
    parser.add_argument('folders', nargs='+', metavar='FOLDER', type=pathlib.Path)
    decoded = ((path, decode(path)) for path, _ in recordings(parser.parse_args().folders))
    write((path, pcm) for path, pcm in decoded if pcm is not None)


if __name__ == '__main__':
    main()
