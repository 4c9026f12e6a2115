"""What comes out of a loudspeaker: speech as a television sends it into a room, and what an echo canceller leaves of a
caller's voice. The first is speech to a detector, the second is not.
"""

import numpy as np
from scipy.ndimage import uniform_filter1d
from scipy.signal import butter, istft, sosfilt, stft

from features import RATE
from synthesis.sound import log_uniform

from .rooms import impulse_response, within

LOWEST_HZ, HIGHEST_HZ = (120, 350), (2500, 6500)  # of small loudspeakers
FRAMES = dict(fs=RATE, nperseg=320, noverlap=160)  # 20 ms every 10 ms, as cancellers have them
BURST_FRAMES = 5, 30         # of 10 ms: that the residue is heard, at a time
SILENCE_FRAMES = 10, 150     # … and that it is not
BANDS = 12, 40               # in which a canceller decides, of equal widths
OPEN = 0.15, 0.5             # share of the bands that let something through
HOLD_FRAMES = 3              # that a decision lasts


def loudspeaker(samples, rng):
    """Through a small loudspeaker and a room."""
    edges = log_uniform(rng, *LOWEST_HZ), log_uniform(rng, *HIGHEST_HZ)
    narrow = sosfilt(butter(2, edges, 'band', fs=RATE, output='sos'), samples)
    return within(narrow.astype(np.float32), impulse_response(rng))


def bursts(frames, rng):
    """1 in the frames in which something is left, 0 between."""
    heard, at = np.zeros(frames), int(rng.integers(0, SILENCE_FRAMES[1]))
    while at < frames:
        length = int(rng.integers(BURST_FRAMES[0], BURST_FRAMES[1] + 1))
        heard[at : at + length] = 1
        at += length + int(log_uniform(rng, *SILENCE_FRAMES))
    return heard


def residue(samples, rng):
    """The far end's speech behind an echo canceller: bursts with holes in the spectrum."""
    bins, _, spectra = stft(loudspeaker(samples, rng), **FRAMES)
    bands, frames = int(rng.integers(*BANDS)), spectra.shape[1]
    is_open = rng.random((bands, frames // HOLD_FRAMES + 1)) < rng.uniform(*OPEN)
    held = np.repeat(is_open, HOLD_FRAMES, axis=1)[:, :frames].astype(float)
    band = np.arange(len(bins)) * bands // len(bins)
    gains = uniform_filter1d(held, 2, axis=1)[band] * bursts(frames, rng)
    _, out = istft(spectra * gains, **FRAMES)
    return np.pad(out, (0, max(0, len(samples) - len(out))))[: len(samples)].astype(np.float32)
