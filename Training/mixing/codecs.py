"""Codecs: signals as a connection or a file gives them back. Programs do the work, and G.711 is a formula."""

import subprocess

import numpy as np
from scipy.signal import butter, sosfilt

from features import RATE

MU, A = 255, 87.6          # G.711
FFMPEG = [                 # arguments, without the bit rate, and bit rates
    (['-c:a', 'libopus', '-application', 'voip', '-f', 'ogg'], ['8k', '12k', '16k', '24k', '32k']),
    (['-c:a', 'libopus', '-application', 'audio', '-f', 'ogg'], ['8k', '12k', '16k', '24k', '32k']),
    (['-c:a', 'libmp3lame', '-f', 'mp3'], ['16k', '24k', '32k', '48k']),
]
NARROW_OPUS = ['-c:a', 'libopus', '-application', 'voip', '-f', 'ogg'], ['6k', '8k', '10k', '12k']
AMR_MODES = range(8)       # 4.75 … 12.2 kbit/s
DELAY = 0.25               # s, at most
ALIGNED = 6                # s that tell the delay
PHONE_HZ = 8000
PHONE_BAND = 250, 3400     # Hz, ITU-T G.712


def mu_law(samples):
    """8 bits by G.711's mu-law."""
    squeezed = np.log1p(MU * np.abs(np.clip(samples, -1, 1))) / np.log1p(MU)
    levels = np.round(squeezed * 127) / 127
    return (np.sign(samples) * np.expm1(levels * np.log1p(MU)) / MU).astype(np.float32)


def a_law(samples):
    """8 bits by G.711's A-law."""
    size, straight = np.abs(np.clip(samples, -1, 1)) * A, 1 + np.log(A)
    squeezed = np.where(size < 1, size, 1 + np.log(np.maximum(size, 1))) / straight
    levels = (np.floor(np.minimum(squeezed * 128, 127)) + 0.5) / 128 * straight  # there is no level of 0
    return np.copysign(np.where(levels < 1, levels, np.exp(levels - 1)) / A, samples).astype(np.float32)


def aligned(original, late, rate=RATE):
    """`late` without the codec's delay, which the correlation of their first seconds tells, as long as `original`."""
    count, size = ALIGNED * rate, 1 << (2 * ALIGNED * rate).bit_length()  # room for both without wrapping round
    spectrum = np.fft.rfft(late[:count], size) * np.conj(np.fft.rfft(original[:count], size))
    late = late[np.argmax(np.fft.irfft(spectrum, size)[: int(DELAY * rate)]) :][: len(original)]
    return np.pad(late, (0, len(original) - len(late)))


def run(command, data):
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout


def by_ffmpeg(samples, rate, arguments, bit_rate):
    raw = ['-f', 'f32le', '-ar', str(rate), '-ac', '1']
    ffmpeg = ['ffmpeg', '-v', 'quiet']
    coded = run([*ffmpeg, *raw, '-i', '-', *arguments, '-b:a', bit_rate, '-'], samples.astype(np.float32).tobytes())
    return np.frombuffer(run([*ffmpeg, '-i', '-', *raw, '-'], coded), np.float32)


def by_sox(samples, kind, *arguments):
    raw = ['-t', 'raw', '-r', str(PHONE_HZ), '-e', 'signed', '-b', '16', '-c', '1', '-']
    pcm = np.round(np.clip(samples, -1, 1) * 32767).astype('<i2').tobytes()
    coded = run(['sox', '-D', '-V1', *raw, '-t', kind, *arguments, '-'], pcm)
    decoded = run(['sox', '-D', '-V1', '-t', kind, '-r', str(PHONE_HZ), '-', *raw], coded)
    return np.frombuffer(decoded, '<i2').astype(np.float32) / 32768


def restored(samples, decoded, rate, scale):
    """What a codec made of samples / scale, in place; the samples themselves where the codec is missing."""
    return samples if len(decoded) < 0.9 * len(samples) else aligned(samples, decoded, rate) * scale


def codec(samples, rng):
    """At RATE through G.711, Opus or MP3 and back."""
    if rng.random() < 0.35:
        return mu_law(samples)
    arguments, rates = FFMPEG[rng.choice(len(FFMPEG), p=[0.35, 0.35, 0.3])]
    bit_rate, scale = str(rng.choice(rates)), max(np.abs(samples).max(), 1e-6) / 0.9
    return restored(samples, by_ffmpeg(samples / scale, RATE, arguments, bit_rate), RATE, scale)


def telephone(samples, rng):
    """At PHONE_HZ through a telephone: G.711 by either law, GSM full rate, AMR-NB or narrow-band Opus."""
    if rng.random() < 0.5:
        samples = sosfilt(butter(3, PHONE_BAND, 'band', fs=PHONE_HZ, output='sos'), samples).astype(np.float32)
    kind = rng.integers(5)
    if kind < 2:
        return (mu_law, a_law)[kind](samples)
    scale = max(np.abs(samples).max(), 1e-6) * 10 ** (rng.uniform(0.5, 30) / 20)  # peaks of -30 to -0.5 dBFS
    if kind == 2:
        decoded = by_sox(samples / scale, 'gsm')
    elif kind == 3:
        decoded = by_sox(samples / scale, 'amr-nb', '-C', str(rng.choice(AMR_MODES)))
    else:
        decoded = by_ffmpeg(samples / scale, PHONE_HZ, NARROW_OPUS[0], str(rng.choice(NARROW_OPUS[1])))
    return restored(samples, decoded, PHONE_HZ, scale)
