"""Speech and noise from any folders of WAV, FLAC, Ogg and Opus files, as mono at 16 kHz."""

import math
import re
import sys
import zlib
from functools import lru_cache
from pathlib import Path

import numpy as np
import soundfile
from scipy.ndimage import binary_closing, binary_opening, uniform_filter1d
from scipy.signal import butter, resample_poly, sosfilt

sys.path.append(str(Path(__file__).resolve().parents[2] / "Training"))
from mixing import voices  # noqa: E402, F401  (the training's whispers: linear prediction with noise for a source)

RATE = 16000
HOP = 160
EXCERPT_SECONDS = 15  # at most this much of a recording is read for an utterance
SILENT_RMS = 1e-4  # music below this is a pause
ENDINGS = {".wav", ".flac", ".ogg", ".opus"}
RUMBLE = butter(2, 80, "high", fs=RATE, output="sos")


class Problem(Exception):
    """What the user can do something about."""


def find(paths):
    """Lists the recordings among `paths` and in folders below them, in an order that does not depend on the disk."""
    found = []
    for path in map(Path, paths):
        if not path.exists():
            raise Problem(f"{path}: no such file or folder")
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        found += [file for file in files if file.is_file() and (file == path or file.suffix.lower() in ENDINGS)]
    if not found:
        raise Problem(f"{' '.join(map(str, paths))}: no recordings ({', '.join(sorted(ENDINGS))})")
    return found


# The speaker in the names of speechocean762 (…SSSSSnnnn) and LibriSpeech (speaker-chapter-sentence).
SPEAKER = re.compile(r"(?:^|\D)(?:(\d{5})\d{4}|(\d+)-\d+-\d{4})$")


def half_of(key):
    """Returns the half, 0 or 1, to which what this key names belongs."""
    return zlib.crc32(key.encode()) % 2


def speaker_of(file):
    """Returns the speaker that the name gives, or None."""
    found = SPEAKER.search(file.stem)
    return found and (found[1] or found[2])


def is_of_half(file, half):
    """Tells whether a recording belongs to a half, 0 or 1: what was fitted on one is measured on the other. Recordings
    of one speaker are in one half where the name gives the speaker; else the name decides. `half` None: all belong."""
    return half is None or half_of(speaker_of(file) or file.name) == half


def read(file, start=0.0, seconds=None):
    """Returns mono float32 at 16 kHz."""
    try:
        with soundfile.SoundFile(file) as sound:
            rate = sound.samplerate
            frames = None if seconds is None else int((start + seconds) * rate)
            try:
                skipped = sound.seek(int(start * rate)) if start else 0
            except soundfile.LibsndfileError:  # libsndfile finds no way through some Opus files
                sound.seek(0)
                skipped = 0
            samples = sound.read(-1 if frames is None else frames - skipped, dtype="float32", always_2d=True)
            samples = samples.mean(axis=1)[int(start * rate) - skipped:]
    except soundfile.LibsndfileError as error:
        raise Problem(f"{file}: {error.error_string}") from None
    if rate != RATE:
        common = math.gcd(rate, RATE)
        samples = resample_poly(samples, RATE // common, rate // common).astype(np.float32)
    return samples


@lru_cache(maxsize=4096)
def duration(file):
    try:
        return soundfile.info(file).duration
    except soundfile.LibsndfileError as error:
        raise Problem(f"{file}: {error.error_string}") from None


def hop_levels(samples):
    """Returns the level of each hop in dBFS, at least -120."""
    hops = len(samples) // HOP
    return 10 * np.log10(np.mean(samples[:hops * HOP].reshape(hops, HOP) ** 2, axis=1, dtype=np.float64) + 1e-12)


def active_hops(samples):
    """Tells by energy which hops of a nearly clean recording are speech: those well above its quietest tenth and not
    far below its loudest twentieth, with pauses up to 100 ms filled and bursts under 30 ms left out."""
    level = uniform_filter1d(hop_levels(sosfilt(RUMBLE, samples)), 3)
    if not len(level):
        return np.zeros(0, bool)
    floor, loud = np.percentile(level, [10, 95])
    above = level > np.clip(floor + 9, loud - 33, loud - 14)
    filled = binary_closing(np.pad(above, 12), np.ones(11))[12:-12]
    return binary_opening(filled, np.ones(3))


def phrases(active):
    """Returns (start, end) in hops of the stretches of speech with pauses below 300 ms."""
    closed = binary_closing(np.pad(active, 32), np.ones(31))[32:-32]
    edges = np.flatnonzero(np.diff(np.concatenate([[0], closed.astype(int), [0]])))
    return list(zip(edges[::2], edges[1::2]))


class Speech:
    def __init__(self, files):
        self.files = files

    def utterance(self, random):
        """Returns a phrase whose speech has an RMS near 1 (±1.5 dB), with fades, and its active hops."""
        for _ in range(1000):
            file = self.files[random.integers(len(self.files))]
            spare = duration(file) - EXCERPT_SECONDS
            start = random.uniform(0, spare) if spare > 0 else 0.0
            samples = read(file, start, EXCERPT_SECONDS)
            active = active_hops(samples)
            long_enough = [(a, b) for a, b in phrases(active) if b - a >= 40]
            if not long_enough:
                continue
            first, end = long_enough[random.integers(len(long_enough))]
            first, end = max(first - 4, 0), min(end + 8, len(active))
            phrase, active = samples[first * HOP:end * HOP].copy(), active[first:end]
            rms = np.sqrt(np.mean(phrase.reshape(-1, HOP)[active] ** 2))
            phrase[:HOP // 2] *= np.linspace(0, 1, HOP // 2, dtype=np.float32)
            phrase[-2 * HOP:] *= np.linspace(1, 0, 2 * HOP, dtype=np.float32)
            return phrase * (10 ** (random.normal(0, 1.5) / 20) / rms), active
        raise Problem("the speech contains no phrase of 0.4 s: a thousand excerpts were tried")


def excerpt(random, file, length):
    """Returns `length` samples of a recording from a random place on, repeated where it is shorter."""
    spare = duration(file) - length / RATE
    samples = read(file, random.uniform(0, spare) if spare > 0 else 0.0, length / RATE + 0.1)
    if len(samples) < length:
        samples = np.tile(samples, length // max(len(samples), 1) + 2)[random.integers(max(len(samples), 1)):]
    return samples[:length]


def music(random, files, length):
    """Returns an excerpt that is not silent, with an RMS of 1."""
    for _ in range(1000):
        samples = excerpt(random, files[random.integers(len(files))], length)
        rms = np.sqrt(np.mean(samples**2))
        if rms > SILENT_RMS:
            return samples / rms
    raise Problem("the music is silent: a thousand excerpts were tried")


def coloured(random, length):
    """Returns noise whose power falls with a random power of the frequency, from 0 (white) to 2 (brown)."""
    spectrum = np.fft.rfft(random.standard_normal(length, dtype=np.float32))
    frequency = np.maximum(np.fft.rfftfreq(length, 1 / RATE), 40)
    return np.fft.irfft(spectrum * frequency ** -random.uniform(0, 1), length).astype(np.float32)


class Background:
    """Noise: half of it recorded, if there are recordings, the rest coloured."""

    def __init__(self, files):
        self.files = files

    def __call__(self, random, length):
        """Returns noise with an RMS of 1, and its name."""
        name, noise = "coloured", None
        if self.files and random.random() < 0.5:
            file = self.files[random.integers(len(self.files))]
            name, noise = file.name, excerpt(random, file, length)
        if noise is None or not noise.any():
            noise = coloured(random, length)
        return noise / np.sqrt(np.mean(noise**2)), name


def readable(paths, half=None):
    """Returns the recordings of a half that can be read, and how many cannot."""
    files, good = [file for file in find(paths) if is_of_half(file, half)], []
    for file in files:
        try:
            read(file, 0.0, EXCERPT_SECONDS)
            duration(file)
            good.append(file)
        except Problem:
            pass
    if not good:
        raise Problem(f"{' '.join(map(str, paths))}: no recording can be read")
    return good, len(files) - len(good)


NOISE_SECONDS = 10
NOISE_LEVELS_DBFS = -25, -35, -45, -55, -65  # as loud as scenes have it


def is_noise(file, posteriors):
    """Tells whether the plain detector, `posteriors`(samples), takes all of a recording of at least 3 s for noise, loud
    or quiet: in no ten seconds are more than 2 % of the hops above .3."""
    if duration(file) < 3:
        return False
    samples = read(file)
    samples = np.resize(samples, max(len(samples), NOISE_SECONDS * RATE))
    samples /= np.sqrt(np.mean(samples**2)) + 1e-9
    part = 100 * NOISE_SECONDS
    for level in NOISE_LEVELS_DBFS:
        hops = posteriors(samples * np.float32(10 ** (level / 20)))
        starts = [*range(0, len(hops) - part, part), len(hops) - part]
        if max(np.percentile(hops[start:start + part], 98) for start in starts) >= 0.3:
            return False
    return True
