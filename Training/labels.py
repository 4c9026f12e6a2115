"""Where speech is in a clean recording: per hop of 10 ms a label, and a weight that says how sure it is."""

import numpy as np
from scipy.ndimage import binary_closing, binary_opening, maximum_filter1d
from scipy.signal import butter, sosfilt

from features import HOP, RATE

HIGH_PASS = butter(2, 80 / (RATE / 2), 'high', output='sos')  # rumble is not speech
FLOOR_DB = -90           # dBFS; what a quieter hop counts as
LOUD, QUIET = 95, 8      # percentiles that stand for the speech and for the background
BELOW_LOUD_DB = 36       # speech reaches this far below its loud hops …
ABOVE_QUIET_DB = 8       # … but must stand out of the background,
LEAST_RANGE_DB = 14      # unless little of the recording is background
WORD_PAUSE = 10          # hops: shorter pauses belong to the word (people who label do not mark them)
SPECK = 2                # hops: what is no longer is a click
TEACHER_ON, TEACHER_SURE = 0.35, 0.9
TEACHER_REACH = 6        # hops: the teacher is that much late, or smooth
DOUBT_ENERGY, DOUBT_TEACHER = 0.2, 0.7  # weights where only the energy, or only the teacher, says speech


def hop_levels(samples):
    """dBFS of each whole hop."""
    hops = len(samples) // HOP
    power = (samples[: hops * HOP].reshape(hops, HOP).astype(float) ** 2).mean(1)
    return np.maximum(10 * np.log10(power + 1e-12), FLOOR_DB)


def close(active, hops):
    """Fills pauses of up to `hops`; what stands before the first active hop and after the last is not a pause."""
    padded = np.pad(active, hops)
    return binary_closing(padded, np.ones(hops + 1))[hops : len(padded) - hops]


def loud_hops(samples):
    """Hops that stand out by their energy, with the pauses within words filled."""
    levels = hop_levels(sosfilt(HIGH_PASS, samples))
    if not len(levels):
        return np.zeros(0, bool)
    loud, quiet = np.percentile(levels, [LOUD, QUIET])
    threshold = max(loud - BELOW_LOUD_DB, min(quiet + ABOVE_QUIET_DB, loud - LEAST_RANGE_DB))
    return binary_opening(close(levels > threshold, WORD_PAUSE), np.ones(SPECK + 1))


def label(samples, teacher=None):
    """(label, weight) of each hop of a clean utterance, full scale 1. `teacher`: a posterior per hop, if there is one:
    it decides what is speech, the energy decides where it begins and ends."""
    active = loud_hops(samples)
    weight = np.ones(len(active), np.float32)
    if teacher is None or not len(active):
        return active, weight
    near = maximum_filter1d((teacher > TEACHER_ON).astype(np.uint8), 2 * TEACHER_REACH + 1) > 0
    weight[active & ~near] = DOUBT_ENERGY
    weight[~active & (teacher > TEACHER_SURE)] = DOUBT_TEACHER
    return active & near, weight
