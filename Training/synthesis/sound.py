"""What every family of sounds is made of: curves, noises, filters, decaying modes and a voice.

Signals are float arrays at RATE; levels do not matter until the file is written. `rng` is a numpy Generator and the
only source of chance, so that the same generator gives the same sound.
"""

import numpy as np
from scipy.fft import next_fast_len
from scipy.interpolate import PchipInterpolator
from scipy.signal import butter, istft, lfilter, sosfilt, stft

RATE = 16000
TOP = 7600  # Hz; partials above are left out so that nothing folds back
SOUND = 343.0  # m/s


def samples(seconds):
    return int(seconds * RATE)


def clock(n):
    return np.arange(n) / RATE


def log_uniform(rng, low, high):
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def chance(rng, probability):
    return rng.random() < probability


# Curves


def curve(n, *points):
    """A smooth curve over n samples through (position 0…1, value) without overshoot."""
    at, value = zip(*points)
    return PchipInterpolator(at, value)(np.linspace(0, 1, n))


def wander(rng, n, hertz):
    """A random curve with a mean of 0 and a deviation of about 1 that turns about `hertz` times a second."""
    knots = max(4, int(n / RATE * hertz) + 3)
    return PchipInterpolator(np.linspace(0, 1, knots), rng.standard_normal(knots))(np.linspace(0, 1, n))


def swell(n, attack, release):
    """1 with a raised-cosine start and end; both in seconds."""
    gain = np.ones(n)
    rise, fall = min(samples(attack), n // 2), min(samples(release), n // 2)
    gain[:rise] *= 0.5 - 0.5 * np.cos(np.pi * np.arange(rise) / max(rise, 1))
    gain[n - fall :] *= 0.5 + 0.5 * np.cos(np.pi * np.arange(fall) / max(fall, 1))
    return gain


def add(out, x, at):
    """Adds x into out from sample `at`; what lies outside is dropped."""
    if at < 0:
        x, at = x[-at:], 0
    end = min(len(out), at + len(x))
    if end > at:
        out[at:end] += x[: end - at]


def sine(hertz):
    """A sine whose frequency follows a curve."""
    return np.sin(2 * np.pi * np.cumsum(hertz) / RATE)


def unit(x):
    """x at an RMS of 1."""
    return x / (np.sqrt(np.mean(x**2)) + 1e-12)


# Noise and filters


def coloured(rng, n, slope):
    """Noise whose density falls by `slope` dB an octave (0 white, -3 pink, -6 brown), flat below 30 Hz."""
    bins = np.fft.rfftfreq(max(n, 2), 1 / RATE)
    spectrum = np.fft.rfft(rng.standard_normal(max(n, 2))) * (np.maximum(bins, 30) / 1000) ** (slope / 6.02)
    return unit(np.fft.irfft(spectrum, max(n, 2))[:n])


def band(x, low, high, order=2):
    """Butterworth band-pass; an edge outside 20 Hz … TOP is left open."""
    if low > 20:
        x = sosfilt(butter(order, low, 'high', fs=RATE, output='sos'), x)
    if high < TOP:
        x = sosfilt(butter(order, max(high, 30), 'low', fs=RATE, output='sos'), x)
    return x


def resonate(x, hertz, width):
    """Two-pole resonator with a gain of 1 at its peak."""
    radius = np.exp(-np.pi * width / RATE)
    angle = 2 * np.pi * min(hertz, TOP) / RATE
    gain = (1 - radius) * np.sqrt(1 - 2 * radius * np.cos(2 * angle) + radius**2)
    return lfilter([gain], [1, -2 * radius * np.cos(angle), radius**2], x)


def modes(rng, n, hertz, decay, level):
    """A struck body: decaying sines; `decay` in seconds to -60 dB."""
    t = clock(n)
    out = np.zeros(n)
    for f, d, a in zip(hertz, decay, level):
        if 20 < f < TOP:
            out += a * np.exp(-6.91 * t / d) * np.sin(2 * np.pi * f * t + rng.uniform(0, 6.28))
    return out * swell(n, 0.0005, 0.005)


def room(rng, x, seconds):
    """x with a diffuse tail that falls by 60 dB in `seconds`; as long as x."""
    n = samples(seconds)
    tail = band(rng.standard_normal(n) * 10 ** (-3 * np.arange(n) / n), 100, 5000)
    size = 1 << (len(x) + n).bit_length()
    wet = np.fft.irfft(np.fft.rfft(x, size) * np.fft.rfft(tail, size), size)[: len(x)]
    return 0.5 * unit(x) + unit(wet)


def warp(x, rate, speed, tilt=0.0):
    """x, sampled at `rate`, played at `speed`, a curve over its length: pitch, timbre and tempo move together.

    tilt: dB an octave between 100 Hz and 6 kHz, 0 dB at 1 kHz.
    """
    size = next_fast_len(len(x) + rate // 10, True)
    bins = np.fft.rfftfreq(size, 1 / rate)
    cutoff = min(0.98 * RATE / 2 / speed.max(), rate / 2)
    gain = np.clip((cutoff - bins) / (0.05 * cutoff), 0, 1) * (np.clip(bins, 100, 6000) / 1000) ** (tilt / 6.02)
    fine = 4 * np.fft.irfft(np.fft.rfft(x, size) * gain, 4 * size)[: 4 * len(x)]  # so fine that lines may join samples
    speed = np.interp(np.linspace(0, 1, len(fine)), np.linspace(0, 1, len(speed)), speed)
    times = np.cumsum(1 / speed) / (4 * rate)  # seconds at which each fine sample sounds
    return np.interp(np.arange(int(times[-1] * RATE)) / RATE, times, fine)


# A voice: source and filter


def partials(rng, hertz, tilt, roughness=0.0, subharmonic=0.0, uneven=0.0):
    """The source: harmonics of the curve `hertz` that fall by `tilt` dB an octave.

    roughness: deviation of the period from one to the next, as a fraction, and of its strength.
    subharmonic: how strongly every other period differs, 0 … 1.
    uneven: deviation of each harmonic's level in dB, with phases at random: a machine. 0: pulses, as a throat makes.
    """
    n, mean = len(hertz), float(np.mean(hertz))
    if roughness:
        hertz = hertz * (1 + roughness * wander(rng, n, mean / 2))
    lowest, highest = max(20.0, hertz.min()), max(20.0, hertz.max())
    count = int(TOP / lowest) + 1
    phase = 2 * np.pi * np.cumsum(hertz) / RATE
    levels = np.arange(1, count + 1) ** (tilt / 6.02) * 10 ** (uneven * rng.standard_normal(count) / 20)
    starts = rng.uniform(0, 2 * np.pi, count) if uneven else rng.uniform(0, 0.03) * np.arange(1, count + 1) ** 2
    turn = np.exp(1j * phase)
    harmonic, out = np.ones(n, complex), np.zeros(n)
    for k, (level, start) in enumerate(zip(levels, starts), 1):
        harmonic *= turn
        part = level * (np.cos(start) * harmonic.imag + np.sin(start) * harmonic.real)
        if k * highest > TOP - 400:
            part *= np.clip((TOP - k * hertz) / 400, 0, 1)
        out += part
    if subharmonic:
        out *= 1 + subharmonic * np.sin(phase / 2)
    if roughness:
        out *= 1 + 4 * roughness * wander(rng, n, mean)
    return out


def tract(length, rng, spread=0.12, count=6):
    """Formants in Hz of a tube of `length` metres, closed at one end; each moved by a deviation of `spread`."""
    return [float((2 * k + 1) * SOUND / 4 / length * np.exp(spread * rng.standard_normal())) for k in range(count)]


def shape(x, formants, width, floor=0.0):
    """x through resonances; a formant is a frequency in Hz or a curve (any number of points over x's length).

    width: bandwidth as a fraction of the frequency (60 Hz at least). floor: what passes between resonances.
    """
    bins, _, frames = stft(x, RATE, nperseg=400, noverlap=300, nfft=512)
    gain = np.full(frames.shape, floor)
    along = np.linspace(0, 1, frames.shape[1])
    for rank, formant in enumerate(formants):
        points = np.atleast_1d(formant)
        centre = np.interp(along, np.linspace(0, 1, len(points)), points)
        half = np.maximum(width * centre, 60) / 2
        gain = gain + 0.8**rank / (1 + ((bins[:, None] - centre) / half) ** 2)  # 12 dB an octave away from it
    _, y = istft(frames * gain, RATE, nperseg=400, noverlap=300, nfft=512)
    return np.pad(y, (0, max(0, len(x) - len(y))))[: len(x)]


def cry(rng, hertz, formants, envelope, tilt=-8, breath=0.1, roughness=0.01, subharmonic=0.0, width=0.15):
    """A call: voiced source plus breath through the same resonances. `hertz` and `envelope` are curves."""
    n = len(hertz)
    source = unit(partials(rng, hertz, tilt, roughness, subharmonic))
    source += breath * coloured(rng, n, -3)
    return unit(shape(source * envelope, formants, width, 0.05)) if n > 400 else source * envelope


def softened(families):
    """Families {name: (call, share)} with as little treble as throats give: 6 or 12 dB an octave less from 0.7 … 6 kHz."""

    def soft(call):
        def sound(rng):
            x = call(rng)
            return band(x, 0, log_uniform(rng, 700, 6000), int(rng.integers(1, 3)))

        return sound

    return {name: (soft(call), share) for name, (call, share) in families.items()}


def sequence(call, count, pause, longest=18):
    """Up to `count` calls, with pauses of `pause()` seconds after each, as long as they begin within `longest` seconds."""
    parts = [np.zeros(samples(0.1))]
    for _ in range(count):
        parts += [call(), np.zeros(samples(pause()))]
        if sum(map(len, parts)) > samples(longest):
            break
    return np.concatenate(parts)
