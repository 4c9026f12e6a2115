"""Signals as lists of float, full scale 1: filters, levels, and files."""

import math
import struct
import subprocess
import wave
from pathlib import Path


def db(decibels):
    """The amplitude ratio of a level in dB."""
    return 10 ** (decibels / 20)


def rms(signal):
    return math.sqrt(sum(x * x for x in signal) / len(signal))


def scaled(signal, gain):
    return [x * gain for x in signal]


def mixed(*signals):
    """The sum; the first signal gives the length."""
    total = list(signals[0])
    for signal in signals[1:]:
        for index, x in enumerate(signal[: len(total)]):
            total[index] += x
    return total


def biquad(signal, kind, frequency, rate, q=0.707):
    """Second-order filter ("low", "high", "band"), Robert Bristow-Johnson's cookbook."""
    w = 2 * math.pi * frequency / rate
    alpha, cosine = math.sin(w) / (2 * q), math.cos(w)
    b = {
        "low": ((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2),
        "high": ((1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2),
        "band": (alpha, 0.0, -alpha),
    }[kind]
    a0, a1, a2 = 1 + alpha, -2 * cosine, 1 - alpha
    b0, b1, b2, a1, a2 = (x / a0 for x in (*b, a1, a2))
    out, x1, x2, y1, y2 = [], 0.0, 0.0, 0.0, 0.0
    for x in signal:
        y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
        x1, x2, y1, y2 = x, x1, y, y1
        out.append(y)
    return out


def to_int16(signal):
    """Rounded, not dithered, so that a sample comes out the same every time."""
    return [max(-32768, min(32767, round(x * 32768))) for x in signal]


def read_wav(path):
    """(rate, samples) of a 16-bit mono WAV."""
    with wave.open(str(path)) as file:
        assert file.getnchannels() == 1 and file.getsampwidth() == 2
        data = file.readframes(file.getnframes())
        return file.getframerate(), [x / 32768 for (x,) in struct.iter_unpack("<h", data)]


def write_wav(path, rate, channels):
    """16-bit WAV of equally long channels."""
    frames = [x for frame in zip(*(to_int16(c) for c in channels)) for x in frame]
    with wave.open(str(path), "wb") as file:
        file.setnchannels(len(channels))
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(struct.pack(f"<{len(frames)}h", *frames))


def write_audio(path, rate, channels):
    """Writes what the ending says: .flac, or .wav, which at 8 kHz is μ-law as in telephony."""
    plain = Path(path).with_suffix(".plain.wav")
    write_wav(plain, rate, channels)
    encoding = ["-e", "mu-law"] if rate == 8000 else []
    if Path(path).suffix == ".flac":
        subprocess.run(["flac", "-s", "-f", "-8", "-o", path, plain], check=True)
    else:
        subprocess.run(["sox", "-D", plain, *encoding, path], check=True)
    plain.unlink()
