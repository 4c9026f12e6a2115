"""What happens to a signal on its way: equalisers, noise, hum. Levels are in dB re full scale."""

import numpy as np
from scipy.signal import butter, lfilter, sosfilt

from features import RATE
from synthesis.sound import log_uniform

NYQUIST = RATE / 2
SPEEDS = [(1, 1)] * 4 + [(8, 9), (9, 10), (10, 11), (12, 13), (13, 12), (11, 10), (10, 9), (9, 8)]  # up, down


def gain(db):
    return 10 ** (db / 20)


def rms(samples):
    return float(np.sqrt((samples.astype(float) ** 2).mean())) + 1e-6


def peaking(hertz, db, quality):
    """(b, a) of a peaking equaliser (R. Bristow-Johnson, Audio EQ Cookbook)."""
    amplitude, w = 10 ** (db / 40), 2 * np.pi * hertz / RATE
    alpha = np.sin(w) / (2 * quality)
    b = np.array([1 + alpha * amplitude, -2 * np.cos(w), 1 - alpha * amplitude])
    a = np.array([1 + alpha / amplitude, -2 * np.cos(w), 1 - alpha / amplitude])
    return b / a[0], a / a[0]


def microphone(samples, rng):
    """The colour of a microphone: a few peaks, most often a high-pass, sometimes dull."""
    for _ in range(rng.integers(1, 4)):
        b, a = peaking(log_uniform(rng, 80, 6500), rng.uniform(-9, 9), rng.uniform(0.4, 1.5))
        samples = lfilter(b, a, samples)
    if rng.random() < 0.5:
        samples = sosfilt(butter(1, rng.uniform(30, 250) / NYQUIST, 'high', output='sos'), samples)
    if rng.random() < 0.15:
        samples = sosfilt(butter(2, rng.uniform(3000, 7500) / NYQUIST, 'low', output='sos'), samples)
    return samples.astype(np.float32)


def coloured_noise(count, rng):
    """Noise of any colour, perhaps a band of it, perhaps swelling; RMS 1."""
    pole = rng.uniform(0, 0.98)
    noise = lfilter([1 - pole], [1, -pole], rng.standard_normal(count))
    if rng.random() < 0.5:
        low = rng.uniform(50, 2000)
        high = min(low * rng.uniform(1.5, 8), 7800)
        noise = sosfilt(butter(1, [low / NYQUIST, high / NYQUIST], 'band', output='sos'), noise)
    if rng.random() < 0.5:
        turns = rng.uniform(0.05, 6) * np.arange(count) / RATE + rng.random()
        noise = noise * (1 + 0.8 * np.sin(2 * np.pi * turns))
    return (noise / rms(noise)).astype(np.float32)


def hum(count, rng):
    """The mains and its harmonics; RMS about 1."""
    mains, time = rng.choice([50, 60]), np.arange(count) / RATE
    total = sum(
        rng.uniform(0, 1) / k * np.sin(2 * np.pi * (mains * k * time + rng.random())) for k in range(1, rng.integers(2, 12)))
    return total.astype(np.float32)
