"""Voices that recordings seldom have: whispers, falsetto, shouts, children, creak.

Linear prediction takes speech apart into its source, the throat, and its envelope, the mouth. Another source through
the same mouth speaks the same words at the same times, so that the labels hold. Samples are float arrays at RATE.
"""

import numpy as np
from scipy.ndimage import median_filter
from scipy.signal import istft, stft

from features import RATE
from synthesis.sound import coloured, log_uniform, partials, unit

FRAMES = dict(fs=RATE, nperseg=400, noverlap=300, nfft=512)  # 25 ms every 6 ms
ORDER = 18                   # of the prediction: a resonance for each kHz, and the source's tilt
WHITE = 1e-5                 # of the power, added as white noise so that the prediction stays stable
PITCH_WINDOW, PITCH_STEP = 640, 160  # samples: two periods of the lowest pitch
PITCH_HZ = 70, 400           # of the recorded voices
VOICED = 0.5                 # autocorrelation from which a window has a pitch
QUIET = 0.02                 # of the loudest window's RMS: what is below has no pitch
TYPICAL_HZ = 150             # where no window has a pitch

FALSETTO_HZ = 350, 700
SHOUT_HZ = 280, 700
CHILD_HZ, CHILD_FORMANTS = (230, 420), (1.15, 1.4)
CREAK_HZ = 35, 75


def envelopes(spectra):
    """The amplitude of a linear prediction of each frame; spectra [bin, frame]."""
    correlation = np.fft.irfft(np.abs(spectra) ** 2, axis=0)[: ORDER + 1]
    correlation[0] += WHITE * correlation[0] + 1e-20
    taps, error = np.zeros_like(correlation), correlation[0].copy()
    taps[0] = 1
    for i in range(1, ORDER + 1):  # Levinson and Durbin
        reflection = -(taps[:i] * correlation[i:0:-1]).sum(0) / error
        taps[1 : i + 1] += reflection * taps[:i][::-1]
        error *= 1 - reflection**2
    return np.sqrt(error) / np.abs(np.fft.rfft(taps, FRAMES['nfft'], axis=0))


def scaled(envelope, factor):
    """The envelope of a tract that is shorter by `factor`: every resonance at `factor` times its frequency."""
    bins = np.arange(len(envelope)) / factor
    low = np.minimum(bins.astype(int), len(envelope) - 2)
    part = (bins - low)[:, None]
    return (1 - part) * envelope[low] + part * envelope[low + 1]


def autocorrelation(windows):
    """Of the last axis, up to the longest period."""
    return np.fft.irfft(np.abs(np.fft.rfft(windows, 2 * PITCH_WINDOW)) ** 2)[..., : RATE // PITCH_HZ[0] + 1]


def pitches(samples):
    """(pitch in Hz, is there one) of each PITCH_STEP; the pitch goes on through what has none."""
    count = max(1, (len(samples) - PITCH_WINDOW) // PITCH_STEP + 1)
    padded = np.pad(samples, (0, max(0, PITCH_WINDOW - len(samples))))
    windows = np.lib.stride_tricks.sliding_window_view(padded, PITCH_WINDOW)[::PITCH_STEP][:count]
    correlation = autocorrelation(windows * np.hanning(PITCH_WINDOW))
    taper = autocorrelation(np.hanning(PITCH_WINDOW))
    relative = correlation / (correlation[:, :1] + 1e-12) * (taper[0] / taper)
    first = RATE // PITCH_HZ[1]
    nearest = relative * (1 - 0.25 * np.linspace(0, 1, relative.shape[1]))  # rather one period than two
    lag = first + nearest[:, first:].argmax(1)
    loud = np.sqrt(correlation[:, 0]) > QUIET * np.sqrt(correlation[:, 0].max())
    voiced = (relative[np.arange(count), lag] > VOICED) & loud
    if not voiced.any():
        return np.full(count, float(TYPICAL_HZ)), voiced
    at = np.arange(count)
    return np.interp(at, at[voiced], median_filter(RATE / lag[voiced], 5, mode='nearest')), voiced


def over(values, count):
    """Values of pitches() as a curve over `count` samples."""
    return np.interp(np.arange(count), np.arange(len(values)) * PITCH_STEP + PITCH_WINDOW / 2, values)


def spoken(samples, source, formants=1.0, gain=1.0):
    """The words of `samples` by another source. formants: factor of the resonances; gain: of the envelope, [bin, 1]."""
    _, _, spectra = stft(samples, **FRAMES)
    _, _, sources = stft(source, **FRAMES)
    flat = sources / (np.sqrt((np.abs(sources) ** 2).mean(0)) + 1e-9)
    _, out = istft(flat * scaled(envelopes(spectra), formants) * gain, **FRAMES)
    return np.pad(out, (0, max(0, len(samples) - len(out))))[: len(samples)].astype(np.float32)


def tilt(db, corner):
    """Gain [bin, 1] that rises by `db` an octave above `corner` Hz up to 4 kHz."""
    bins = np.clip(np.fft.rfftfreq(FRAMES['nfft'], 1 / RATE), corner, 4000)
    return ((bins / corner) ** (db / 6.02))[:, None]


def voiced_source(hertz, voiced, rng, breath, roughness=0.005):
    """Pulses where there is a pitch, noise elsewhere."""
    share = over(voiced, len(hertz))
    return share * unit(partials(rng, hertz, 0, roughness)) + (1 - share + breath) * coloured(rng, len(hertz), 0)


def at_pitch(samples, target, rng, breath, **shape):
    """The words with the pitch moved to `target` Hz in the median."""
    hertz, voiced = pitches(samples)
    median = np.median(hertz[voiced]) if voiced.any() else TYPICAL_HZ
    hertz = over(np.clip(hertz * (target / median), 0.6 * target, 1.6 * target), len(samples))
    return spoken(samples, voiced_source(hertz, voiced, rng, breath), **shape)


def whispered(samples, rng):
    """Noise speaks: vowels lose more than consonants, and low frequencies most."""
    _, voiced = pitches(samples)
    bins = np.maximum(np.fft.rfftfreq(FRAMES['nfft'], 1 / RATE), 60)
    low = np.minimum(1, bins / rng.uniform(400, 1000)) ** (rng.uniform(6, 14) / 6.02)  # 6 … 14 dB an octave
    out = spoken(samples, coloured(rng, len(samples), 0), rng.uniform(1, 1.1), low[:, None])
    return out * 10 ** (-rng.uniform(4, 14) / 20 * over(voiced, len(samples)))


def falsetto(samples, rng):
    """A high, thin voice of few harmonics."""
    dull = tilt(rng.uniform(-6, 0), 700)
    return at_pitch(samples, log_uniform(rng, *FALSETTO_HZ), rng, rng.uniform(0.02, 0.2), gain=dull)


def shouted(samples, rng):
    """High and bright (Lombard, 1911), into a microphone that clips."""
    out = at_pitch(samples, log_uniform(rng, *SHOUT_HZ), rng, rng.uniform(0, 0.1), formants=rng.uniform(1, 1.15),
                   gain=tilt(rng.uniform(2, 6), 500))
    ceiling = rng.uniform(0.25, 1.0) * np.abs(out).max()
    return np.clip(out, -ceiling, ceiling)


def childlike(samples, rng):
    """A short tract and a high pitch."""
    return at_pitch(samples, log_uniform(rng, *CHILD_HZ), rng, rng.uniform(0.03, 0.2),
                    formants=rng.uniform(*CHILD_FORMANTS))


def creaky(samples, rng):
    """Single pulses of the throat, unevenly spaced."""
    hertz, voiced = pitches(samples)
    uneven = log_uniform(rng, *CREAK_HZ) * np.exp(0.15 * rng.standard_normal(len(hertz)))
    turns = over(uneven, len(samples)).cumsum() / RATE
    pulses = unit(np.diff(np.floor(turns), prepend=0))
    share = over(voiced, len(samples))
    return spoken(samples, share * pulses + (1.02 - share) * coloured(rng, len(samples), 0))


def as_recorded(samples, rng):
    return samples


VOICES = [  # and how many of a hundred speakers have them
    (as_recorded, 69), (whispered, 10), (falsetto, 5), (shouted, 4), (childlike, 10), (creaky, 2)]


def draw(rng):
    """A speaker's voice: a function of (samples, rng)."""
    voices, shares = zip(*VOICES)
    return voices[rng.choice(len(voices), p=np.array(shares) / sum(shares))]
