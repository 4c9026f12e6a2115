"""What people do with their throats without speaking: crying, laughing, coughing, breathing, whistling.

Speech detectors fire at these first, because they too are harmonics or breath through the resonances of a mouth.
"""

import numpy as np

from .sound import (
    RATE,
    band,
    chance,
    coloured,
    cry,
    curve,
    log_uniform,
    samples,
    sequence,
    shape,
    sine,
    softened,
    swell,
    tract,
    unit,
    wander,
)


def baby(rng):
    """Cries on each breath out, 0.4 … 1.5 s; most with a gasp between, some breaking into noise (hyperphonation)."""
    pitch, length = rng.uniform(300, 620), rng.uniform(0.07, 0.1)
    formants, tilt = tract(length, rng, 0.08), rng.uniform(-8, -3)
    length_of_cry, gasps, rhythm = rng.uniform(0.4, 1.4), chance(rng, 0.7), rng.uniform(0.15, 0.6)

    def once():
        n = samples(length_of_cry * rng.uniform(0.7, 1.3))
        top = pitch * rng.uniform(0.9, 1.15)
        hertz = curve(
            n,
            (0, top * rng.uniform(0.6, 0.9)),
            (rng.uniform(0.1, 0.4), top),
            (0.75, top * rng.uniform(0.85, 1)),
            (1, top * rng.uniform(0.5, 0.8)),
        )
        hertz = hertz * (1 + rng.uniform(0.005, 0.03) * np.sin(2 * np.pi * rng.uniform(4, 9) * np.arange(n) / RATE))
        hertz *= np.exp(0.02 * wander(rng, n, 8))
        mouth = curve(30, (0, 0.8), (0.3, rng.uniform(1, 1.2)), (1, 0.8))
        rough = rng.uniform(0.03, 0.07) if chance(rng, 0.3) else rng.uniform(0.002, 0.015)
        sound = cry(
            rng,
            hertz,
            [f * mouth for f in formants],
            swell(n, 0.06, 0.15) * np.exp(0.15 * wander(rng, n, 4)),
            tilt,
            rng.uniform(0.02, 0.3),
            rough,
            rng.uniform(0, 0.5) * chance(rng, 0.2),
        )
        if not gasps:
            return sound
        m = samples(rng.uniform(0.12, 0.35))
        gasp = shape(coloured(rng, m, -2) * np.hanning(m), [f * 1.1 for f in formants], 0.3)
        return np.concatenate([sound, np.zeros(samples(rng.uniform(0.02, 0.12))), rng.uniform(0.08, 0.35) * unit(gasp)])

    return sequence(once, rng.integers(2, 9), lambda: rhythm * rng.uniform(0.4, 1.6))


def laugh(rng):
    """Four to seven notes of voice and breath a second, each softer and lower than the last; some end in a gasp."""
    pitch, formants = log_uniform(rng, 140, 520), tract(rng.uniform(0.11, 0.18), rng)
    rate, voiced = rng.uniform(4, 7), chance(rng, 0.8)  # the others laugh through the nose, without a voice

    def bout():
        parts, count = [], int(rng.integers(3, 13))
        for place in np.linspace(0, 1, count):
            n, rest = samples(rng.uniform(0.45, 0.7) / rate), samples(rng.uniform(0.3, 0.55) / rate)
            top = pitch * (1 - rng.uniform(0.1, 0.4) * place) * rng.uniform(0.92, 1.08)
            envelope = swell(n, 0.015, 0.05)
            if voiced:
                hertz = top * curve(n, (0, 1.1), (0.3, 1), (1, 0.8))
                note = cry(rng, hertz, formants, envelope, rng.uniform(-10, -5), rng.uniform(0.1, 0.6), 0.01)
            else:
                note = unit(shape(coloured(rng, n, -2) * envelope, formants, 0.3, 0.1))
            puff = unit(shape(coloured(rng, rest, -2) * np.hanning(rest), formants, 0.3, 0.1))
            parts += [(1 - 0.6 * place) * note, rng.uniform(0.03, 0.25) * puff]
        if chance(rng, 0.4):
            n = samples(rng.uniform(0.2, 0.6))
            parts.append(rng.uniform(0.1, 0.4) * unit(shape(coloured(rng, n, -2) * np.hanning(n), formants, 0.3)))
        return np.concatenate(parts)

    return sequence(bout, rng.integers(1, 4), lambda: rng.uniform(0.2, 1.5))


def sneeze(rng):
    """A drawn breath or two, then a burst: voiced 'ah' for most, a plosive of high-passed noise for all."""
    formants = tract(rng.uniform(0.14, 0.18), rng)

    def once():
        parts = []
        for _ in range(rng.integers(0, 3)):
            n = samples(rng.uniform(0.15, 0.6))
            breath = shape(coloured(rng, n, -2) * curve(n, (0, 0), (0.8, 1), (1, 0)), formants, 0.3, 0.1)
            parts += [rng.uniform(0.03, 0.15) * unit(breath), np.zeros(samples(rng.uniform(0.02, 0.15)))]
        if chance(rng, 0.6):
            n = samples(rng.uniform(0.06, 0.25))
            pitch = rng.uniform(120, 380)
            hertz = curve(n, (0, pitch * 0.8), (1, pitch * rng.uniform(1.1, 1.6)))
            parts.append(
                rng.uniform(0.2, 0.7) * cry(rng, hertz, formants, curve(n, (0, 0), (0.5, 1), (1, 0.4)), -6, 0.6, 0.02)
            )
        n = samples(rng.uniform(0.1, 0.35))
        burst = band(coloured(rng, n, 0), rng.uniform(500, 2000), 8000) * 1.0
        burst = burst + 0.6 * unit(shape(coloured(rng, n, -3), formants, 0.25))
        parts.append(burst * curve(n, (0, 0), (rng.uniform(0.02, 0.08), 1), (0.4, rng.uniform(0.3, 0.7)), (1, 0)))
        if chance(rng, 0.4):
            n = samples(rng.uniform(0.1, 0.3))
            hertz = curve(n, (0, rng.uniform(150, 300)), (1, rng.uniform(90, 200)))
            parts.append(0.3 * cry(rng, hertz, formants, curve(n, (0, 1), (1, 0)), -8, 0.5, 0.02))
        return np.concatenate(parts)

    return sequence(once, rng.integers(1, 4), lambda: rng.uniform(0.4, 1.5))


def cough(rng):
    """A burst as the glottis opens, noise while air flows, for some a voiced end; in fits of one to five."""
    formants, voiced = tract(rng.uniform(0.13, 0.18), rng), chance(rng, 0.6)
    pitch = rng.uniform(90, 320)

    def once():
        n = samples(rng.uniform(0.15, 0.4))
        noise = unit(shape(coloured(rng, n, -1), formants, rng.uniform(0.15, 0.35), 0.2))
        sound = noise * curve(n, (0, 0), (0.03, 1), (0.2, 0.45), (0.6, 0.15), (1, 0))
        if voiced:
            m = samples(rng.uniform(0.06, 0.18))
            hertz = curve(m, (0, pitch * 1.2), (1, pitch * 0.8))
            tail = cry(rng, hertz, formants, curve(m, (0, 0), (0.3, 1), (1, 0)), -6, rng.uniform(0.4, 1.2), 0.05)
            end = np.zeros(n + m // 2)
            end[:n] = sound
            end[n - (m - m // 2) :] += rng.uniform(0.1, 0.4) * tail
            sound = end
        return rng.uniform(0.5, 1) * sound

    fits = [sequence(once, rng.integers(1, 6), lambda: rng.uniform(0.02, 0.35)) for _ in range(rng.integers(1, 4))]
    return np.concatenate([np.pad(f, (0, samples(rng.uniform(0.3, 2)))) for f in fits])


def throat(rng):
    """Throat clearing: one to three rasps of 0.15 … 0.6 s, low and rough, behind a closed or half open mouth."""
    formants, pitch = tract(rng.uniform(0.14, 0.18), rng), rng.uniform(70, 240)

    def once():
        n = samples(rng.uniform(0.15, 0.6))
        hertz = pitch * curve(n, (0, 0.9), (0.3, 1.1), (1, 0.8)) * np.exp(0.1 * wander(rng, n, 15))
        envelope = curve(n, (0, 0), (0.1, 1), (0.7, rng.uniform(0.5, 0.9)), (1, 0))
        rasp = cry(rng, hertz, formants, envelope, rng.uniform(-10, -5), rng.uniform(0.4, 1.5), rng.uniform(0.03, 0.07),
                   rng.uniform(0.2, 0.8), 0.25)
        return rng.uniform(0.5, 1) * band(rasp, 60, rng.uniform(1500, 8000))

    def bout():
        return sequence(once, rng.integers(1, 4), lambda: rng.uniform(0.03, 0.25))

    return sequence(bout, rng.integers(1, 4), lambda: rng.uniform(0.5, 2.5))


def sigh(rng):
    """A long breath out, for half of them with a voice that falls; groans and moans are the loud ones."""
    formants = tract(rng.uniform(0.13, 0.18), rng)

    def once():
        n = samples(rng.uniform(0.5, 1.8))
        envelope = curve(n, (0, 0), (rng.uniform(0.1, 0.3), 1), (1, 0))
        if chance(rng, 0.5):
            hertz = rng.uniform(100, 320) * curve(n, (0, 1), (1, rng.uniform(0.5, 0.8)))
            mouth = curve(20, (0, 1.1), (1, 0.8))
            return cry(rng, hertz, [f * mouth for f in formants], envelope, -12, rng.uniform(0.5, 2), 0.01)
        return unit(shape(coloured(rng, n, -3) * envelope, formants, 0.35, 0.1))

    return sequence(once, rng.integers(1, 5), lambda: rng.uniform(0.5, 2.5))


def snore(rng):
    """In: the palate flutters at 20 … 90 Hz; out: a puff of noise."""
    formants, flutter = tract(rng.uniform(0.15, 0.2), rng), rng.uniform(22, 90)
    whistle = chance(rng, 0.3)

    def once():
        n = samples(rng.uniform(0.7, 1.8))
        hertz = flutter * np.exp(0.1 * wander(rng, n, 4))
        rasp = cry(
            rng,
            hertz,
            formants,
            curve(n, (0, 0), (0.6, 1), (0.95, 0.8), (1, 0)),
            rng.uniform(-5, -2),
            0.5,
            0.05,
            0.3,
            0.3,
        )
        m = samples(rng.uniform(0.6, 1.5))
        out = unit(shape(coloured(rng, m, -3) * np.hanning(m), formants, 0.4, 0.1))
        if whistle:
            pitch = rng.uniform(600, 1800) * np.exp(0.05 * wander(rng, m, 5))
            out = out + 0.5 * sine(pitch) * np.hanning(m)
        return np.concatenate([rasp, np.zeros(samples(rng.uniform(0.05, 0.4))), rng.uniform(0.05, 0.4) * out])

    return sequence(once, rng.integers(2, 6), lambda: rng.uniform(0.2, 1))


def breathing(rng):
    formants, effort = tract(rng.uniform(0.14, 0.19), rng), rng.uniform(0.35, 1.6)

    def once():
        parts = []
        for scale in (rng.uniform(1, 1.3), rng.uniform(0.8, 1)):
            n = samples(effort * rng.uniform(0.7, 1.2))
            air = shape(
                coloured(rng, n, rng.uniform(-4, -1)) * curve(n, (0, 0), (0.4, 1), (1, 0)),
                [f * scale for f in formants],
                0.35,
                0.15,
            )
            parts += [rng.uniform(0.4, 1) * unit(air), np.zeros(samples(effort * rng.uniform(0.05, 0.4)))]
        return np.concatenate(parts)

    return sequence(once, rng.integers(2, 9), lambda: effort * rng.uniform(0.1, 0.5))


def yawn(rng):
    pitch = rng.uniform(110, 350)
    n = samples(rng.uniform(1, 2.5))
    formants = tract(rng.uniform(0.15, 0.2), rng)
    air = shape(coloured(rng, n, -3) * curve(n, (0, 0), (0.8, 1), (1, 0.2)), formants, 0.3, 0.1)
    m = samples(rng.uniform(0.8, 2.2))
    hertz = curve(m, (0, pitch), (0.3, pitch * 1.2), (1, pitch * 0.5))
    mouth = curve(30, (0, 1.2), (1, 0.7))
    voice = cry(
        rng, hertz, [f * mouth for f in formants], curve(m, (0, 0.3), (0.3, 1), (1, 0)), -14, rng.uniform(0.3, 1), 0.01
    )
    return np.concatenate([np.zeros(samples(0.3)), 0.3 * unit(air), voice, np.zeros(samples(0.3))])


def whistle(rng):
    """A tune on the lips: one partial of 500 … 3000 Hz with glides, and air."""
    notes = log_uniform(rng, 600, 1800) * 2 ** (rng.choice([-5, -3, -1, 0, 2, 4, 5, 7, 9], rng.integers(2, 16)) / 12)
    parts = []
    for before, here in zip(np.roll(notes, 1), notes):
        n = samples(rng.uniform(0.1, 0.7))
        hertz = curve(n, (0, before if parts and chance(rng, 0.5) else here * 0.97), (0.25, here), (1, here))
        hertz = hertz * (1 + 0.008 * np.sin(2 * np.pi * rng.uniform(4, 7) * np.arange(n) / RATE))
        air = shape(coloured(rng, n, -2), [here], 0.3, 0.02)
        tone = sine(hertz) + rng.uniform(0.05, 0.3) * unit(air)
        parts += [tone * swell(n, 0.03, 0.04), np.zeros(samples(rng.choice([0, 0.02, 0.3])))]
    return np.concatenate([np.zeros(samples(0.1)), *parts, np.zeros(samples(0.2))])


def mouth(rng):
    """Sips, sniffs, chewing, swallowing, lip smacks: wet clicks and short air through the mouth or nose."""
    formants, kind = tract(rng.uniform(0.12, 0.18), rng), rng.integers(3)

    def once():
        if kind == 0:  # crunch or smack
            n = samples(rng.uniform(0.04, 0.2))
            grains = (rng.random(n) < rng.uniform(0.005, 0.08)) * rng.lognormal(0, 1, n)
            x = shape(grains * np.hanning(n), formants, 0.3, 0.2)
        elif kind == 1:  # sniff
            n = samples(rng.uniform(0.1, 0.5))
            x = shape(coloured(rng, n, -1) * curve(n, (0, 0), (0.3, 1), (1, 0)), [f * 1.2 for f in formants], 0.4, 0.3)
        else:  # sip: air drawn over liquid, which bubbles
            n = samples(rng.uniform(0.2, 0.9))
            bubbling = np.maximum(wander(rng, n, rng.uniform(20, 60)), 0) * np.hanning(n)
            x = shape(coloured(rng, n, 0) * bubbling, [f * curve(20, (0, 0.9), (1, 1.4)) for f in formants], 0.25, 0.1)
        return rng.uniform(0.3, 1) * unit(x)

    pause = rng.uniform(0.15, 1)
    return sequence(once, rng.integers(2, 12), lambda: pause * rng.uniform(0.6, 1.5))


FAMILIES = softened(
    {  # and how often each is drawn
        'baby': (baby, 10),
        'laugh': (laugh, 8),
        'cough': (cough, 8),
        'throat': (throat, 5),
        'sneeze': (sneeze, 6),
        'sigh': (sigh, 3),
        'snore': (snore, 3),
        'breathing': (breathing, 4),
        'yawn': (yawn, 1),
    }
) | {
    'mouth': (mouth, 4),
    'whistle': (whistle, 2),
}
