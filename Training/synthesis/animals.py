"""Animals: a source and a filter each.

Speech detectors fire at these first, because they too are harmonics through resonances.
"""

import numpy as np

from .sound import (
    RATE,
    add,
    chance,
    coloured,
    cry,
    curve,
    log_uniform,
    partials,
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

BIRD_TOP = 7500  # Hz; no bird sings above it here


# Dogs. Sizes by tract length: 7 cm (terrier) … 22 cm (mastiff).


def dog(rng):
    length = rng.uniform(0.07, 0.22)
    pitch = 520 * (0.1 / length) ** 0.8 * np.exp(0.2 * rng.standard_normal())
    return length, float(np.clip(pitch, 160, 900))


def bark(rng):
    length, pitch = dog(rng)
    duration, breath, rough = rng.uniform(0.08, 0.28), rng.uniform(0.2, 1.0), rng.uniform(0.01, 0.06)
    formants = tract(length, rng)
    rise, fall, peak = rng.uniform(0.5, 0.9), rng.uniform(0.4, 0.8), rng.uniform(0.1, 0.4)
    tilt, sub = rng.uniform(-9, -3), rng.uniform(0, 0.5) * chance(rng, 0.4)

    def once():
        n = samples(duration * rng.uniform(0.8, 1.25))
        top = pitch * rng.uniform(0.9, 1.1)
        hertz = curve(n, (0, top * rise), (peak, top), (1, top * fall))
        envelope = curve(n, (0, 0), (0.08, 0.9), (peak, 1), (0.7, 0.45), (1, 0))
        # the jaw opens and shuts: resonances rise and fall again
        jaw = curve(20, (0, 0.75), (0.35, 1.0), (1, 0.7))
        return rng.uniform(0.5, 1) * cry(
            rng, hertz, [f * jaw for f in formants], envelope, tilt, breath, rough, sub, 0.25
        )

    gap = rng.uniform(0.12, 0.9)
    bursts = [
        sequence(once, rng.integers(1, 7), lambda: gap * rng.uniform(0.7, 1.4)) for _ in range(rng.integers(1, 4))
    ]
    return np.concatenate([np.pad(b, (0, samples(rng.uniform(0.2, 1.5)))) for b in bursts])


def growl(rng):
    length, _ = dog(rng)

    def once():
        n = samples(rng.uniform(0.6, 3))
        base = rng.uniform(40, 110)
        hertz = base * np.exp(0.12 * wander(rng, n, 3))
        envelope = swell(n, 0.15, 0.3) * np.exp(0.3 * wander(rng, n, 5))
        return cry(
            rng,
            hertz,
            tract(length * 1.2, rng),
            envelope,
            rng.uniform(-8, -4),
            rng.uniform(0.2, 0.9),
            0.06,
            rng.uniform(0, 0.8),
            0.3,
        )

    return sequence(once, rng.integers(1, 5), lambda: rng.uniform(0.1, 0.9))


def howl(rng):
    length, pitch = dog(rng)

    def once():
        n = samples(rng.uniform(1, 5))
        top = float(np.clip(pitch, 250, 750)) * rng.uniform(0.9, 1.2)
        hertz = curve(n, (0, top * 0.5), (0.15, top * 0.95), (0.3, top), (0.8, top * 0.9), (1, top * 0.55))
        hertz = hertz * (1 + 0.01 * np.sin(2 * np.pi * rng.uniform(3, 7) * np.arange(n) / RATE))
        formants = [f * rng.uniform(0.6, 0.8) for f in tract(length, rng)]
        return cry(rng, hertz, formants, swell(n, 0.2, 0.4), rng.uniform(-16, -9), rng.uniform(0.02, 0.15), 0.004)

    return sequence(once, rng.integers(1, 4), lambda: rng.uniform(0.3, 1.5))


def whine(rng):
    length, _ = dog(rng)
    base = rng.uniform(500, 1600)

    def once():
        n = samples(rng.uniform(0.15, 1.2))
        top = base * rng.uniform(0.8, 1.25)
        hertz = curve(n, (0, top * rng.uniform(0.7, 1)), (rng.uniform(0.2, 0.6), top), (1, top * rng.uniform(0.5, 0.9)))
        return rng.uniform(0.3, 1) * cry(
            rng, hertz, tract(length, rng), swell(n, 0.05, 0.1), rng.uniform(-18, -8), rng.uniform(0.03, 0.2), 0.005
        )

    return sequence(once, rng.integers(2, 9), lambda: rng.uniform(0.05, 0.8))


# Cats, farm and yard


def meow(rng):
    length, pitch = rng.uniform(0.06, 0.1), rng.uniform(350, 800)

    def once():
        n = samples(rng.uniform(0.3, 1.4))
        top = pitch * rng.uniform(0.8, 1.2)
        hertz = curve(n, (0, top * 0.75), (rng.uniform(0.25, 0.5), top), (1, top * rng.uniform(0.55, 0.9)))
        # m – i – a – u: the mouth opens and shuts again
        opening = curve(40, (0, 0.55), (0.2, 0.8), (0.5, 1.2), (1, 0.6))
        formants = tract(length, rng, 0.08)
        tracks = [formants[0] * opening, formants[1] * (2 - opening) ** 0.6] + formants[2:]
        return cry(
            rng,
            hertz,
            tracks,
            curve(n, (0, 0), (0.25, 0.8), (0.5, 1), (0.8, 0.6), (1, 0)),
            rng.uniform(-10, -5),
            rng.uniform(0.02, 0.2),
            rng.uniform(0.003, 0.03),
        )

    return sequence(once, rng.integers(1, 6), lambda: rng.uniform(0.3, 1.8))


def moo(rng):
    length, pitch = rng.uniform(0.28, 0.5), rng.uniform(70, 200)

    def once():
        n = samples(rng.uniform(0.8, 2.8))
        hertz = curve(n, (0, pitch * 0.7), (0.3, pitch), (0.7, pitch * rng.uniform(1, 1.5)), (1, pitch * 0.8))
        mouth = curve(40, (0, 0.6), (0.4, 1), (1, 0.9))
        return cry(
            rng,
            hertz,
            [f * mouth for f in tract(length, rng)],
            swell(n, 0.25, 0.3),
            rng.uniform(-10, -5),
            rng.uniform(0.05, 0.3),
            rng.uniform(0.01, 0.04),
            rng.uniform(0, 0.4),
        )

    return sequence(once, rng.integers(1, 4), lambda: rng.uniform(0.5, 2))


def sheep(rng):
    """Sheep and goats: a bleat trembles 5 … 13 times a second."""
    length, pitch = rng.uniform(0.12, 0.24), rng.uniform(130, 450)

    def once():
        n = samples(rng.uniform(0.4, 1.6))
        tremble = np.sin(2 * np.pi * rng.uniform(5, 13) * np.arange(n) / RATE)
        hertz = curve(n, (0, pitch * 0.9), (0.2, pitch), (1, pitch * 0.8)) * (1 + rng.uniform(0.02, 0.1) * tremble)
        envelope = swell(n, 0.05, 0.15) * (1 + rng.uniform(0.2, 0.7) * tremble)
        return cry(rng, hertz, tract(length, rng), envelope, rng.uniform(-8, -4), rng.uniform(0.1, 0.4), 0.02)

    return sequence(once, rng.integers(1, 6), lambda: rng.uniform(0.4, 2))


def rooster(rng):
    length, pitch = rng.uniform(0.06, 0.12), rng.uniform(400, 800)

    def once():
        parts = []
        for last in (False, False, True, True)[rng.integers(0, 2) :]:
            n = samples(rng.uniform(0.5, 1.2) if last and len(parts) > 2 else rng.uniform(0.1, 0.35))
            top = pitch * (rng.uniform(1.1, 1.4) if last else 1)
            hertz = curve(n, (0, top * 0.8), (0.3, top), (1, top * rng.uniform(0.5, 0.9)))
            parts += [cry(rng, hertz, tract(length, rng), swell(n, 0.02, 0.08), -4, 0.2, 0.02), np.zeros(samples(0.04))]
        return np.concatenate(parts)

    return sequence(once, rng.integers(1, 4), lambda: rng.uniform(0.8, 3))


def crow(rng):
    length, pitch = rng.uniform(0.05, 0.09), rng.uniform(250, 600)

    def once():
        n = samples(rng.uniform(0.15, 0.5))
        hertz = curve(n, (0, pitch * 0.85), (0.3, pitch), (1, pitch * 0.7))
        return cry(rng, hertz, tract(length, rng), swell(n, 0.03, 0.08), -2, rng.uniform(0.4, 1.2), 0.07, 0.5, 0.3)

    return sequence(once, rng.integers(2, 8), lambda: rng.uniform(0.15, 1))


def pig(rng):
    """Grunts: rough, low, through a long snout; some squeal."""
    length, pitch = rng.uniform(0.17, 0.28), rng.uniform(50, 140)

    def once():
        squeal = chance(rng, 0.15)
        n = samples(rng.uniform(0.4, 1.2) if squeal else rng.uniform(0.08, 0.4))
        base = rng.uniform(600, 1400) if squeal else pitch * rng.uniform(0.8, 1.25)
        hertz = base * curve(n, (0, 0.8), (0.4, 1), (1, 0.75))
        return rng.uniform(0.4, 1) * cry(
            rng,
            hertz,
            tract(length, rng),
            swell(n, 0.03, 0.06),
            rng.uniform(-6, -3),
            rng.uniform(0.3, 1),
            rng.uniform(0.03, 0.07),
            rng.uniform(0, 0.6),
            0.3,
        )

    return sequence(once, rng.integers(3, 12), lambda: rng.uniform(0.05, 0.7))


def horse(rng):
    """A whinny: a scream that falls for a second or two and shakes 8 … 14 times a second; or a snort of the lips."""
    length, pitch = rng.uniform(0.2, 0.35), rng.uniform(600, 1400)

    def snort():
        n = samples(rng.uniform(0.3, 0.9))
        flutter = 1 + 0.8 * np.sign(np.sin(2 * np.pi * rng.uniform(15, 35) * np.arange(n) / RATE))
        return unit(shape(coloured(rng, n, -2) * flutter, tract(length, rng), 0.4, 0.2) * swell(n, 0.03, 0.2))

    def whinny():
        n = samples(rng.uniform(0.9, 2.2))
        shake = np.sin(2 * np.pi * rng.uniform(8, 14) * np.arange(n) / RATE) * curve(n, (0, 0), (0.3, 1), (1, 1))
        hertz = pitch * curve(n, (0, 0.7), (0.15, 1), (0.6, 0.7), (1, rng.uniform(0.25, 0.45)))
        hertz = hertz * (1 + rng.uniform(0.04, 0.12) * shake)
        envelope = swell(n, 0.08, 0.3) * (1 + rng.uniform(0.3, 0.8) * shake)
        rough = rng.uniform(0.005, 0.03)
        return cry(rng, hertz, tract(length, rng), envelope, rng.uniform(-6, -2), rng.uniform(0.1, 0.4), rough)

    return sequence(lambda: snort() if chance(rng, 0.3) else whinny(), rng.integers(1, 4), lambda: rng.uniform(0.3, 2))


def monkey(rng):
    """Pants and hoots that grow into screams, like a chimpanzee's, or the chatter of a small monkey."""
    small = chance(rng, 0.4)
    length = rng.uniform(0.05, 0.09) if small else rng.uniform(0.13, 0.18)
    base = rng.uniform(700, 1500) if small else rng.uniform(220, 420)
    count, growth = rng.integers(4, 16), rng.uniform(1, 2.2)
    duration = rng.uniform(0.04, 0.12) if small else rng.uniform(0.12, 0.35)
    parts = [np.zeros(samples(0.1))]
    for grown in np.linspace(0, 1, count):
        n = samples(duration * rng.uniform(0.8, 1.3) * (1 + grown))
        top = base * growth**grown * rng.uniform(0.92, 1.08)
        hertz = top * curve(n, (0, 0.8), (0.4, 1), (1, rng.uniform(0.75, 1)))
        round_lips = 0.7 + 0.3 * grown
        call = cry(rng, hertz, [f * round_lips for f in tract(length, rng)], swell(n, 0.03, 0.05), rng.uniform(-9, -4),
                   rng.uniform(0.05, 0.4), rng.uniform(0.003, 0.04) * (1 + grown))
        parts.append((0.3 + 0.7 * grown) * call)
        if not small:  # and the breath is drawn in again
            m = samples(duration * rng.uniform(0.5, 0.9))
            breath = shape(coloured(rng, m, -2), tract(length, rng), 0.3) * np.hanning(m)
            parts.append(rng.uniform(0.05, 0.3) * unit(breath))
        parts.append(np.zeros(samples(rng.uniform(0.03, 0.25))))
    return np.concatenate(parts)


def parrot(rng):
    """Squawks, and mimicry: a few harmonics through two moving resonances, in the rhythm of words that are none."""
    base = rng.uniform(500, 1600)

    def once():
        squawk = chance(rng, 0.5)
        n = samples(rng.uniform(0.25, 0.8) if squawk else rng.uniform(0.08, 0.3))
        start, end = rng.uniform(0.7, 1.2), rng.uniform(0.6, 1.1)
        hertz = base * rng.uniform(0.7, 1.4) * curve(n, (0, start), (0.4, 1), (1, end))
        mouth = [rng.uniform(800, 2000) * curve(20, (0, rng.uniform(0.7, 1.3)), (1, 1)), rng.uniform(2200, 4000)]
        rough = rng.uniform(0.03, 0.08) if squawk else rng.uniform(0.002, 0.02)
        call = cry(rng, hertz, mouth, swell(n, 0.01, 0.03), rng.uniform(-5, -1), 0.2, rough, 0, 0.2)
        return rng.uniform(0.4, 1) * call

    return sequence(once, rng.integers(2, 12), lambda: rng.uniform(0.03, 0.6))


def poultry(rng):
    """Hens cluck, ducks quack, geese honk: short nasal calls whose third or fourth is drawn out."""
    length, pitch, duration = rng.uniform(0.05, 0.16), log_uniform(rng, 200, 700), rng.uniform(0.05, 0.25)
    tilt, rough = rng.uniform(-5, -1), rng.uniform(0.01, 0.06)

    def once():
        n = samples(duration * (rng.uniform(2, 4) if chance(rng, 0.2) else rng.uniform(0.7, 1.2)))
        hertz = pitch * rng.uniform(0.9, 1.1) * curve(n, (0, 0.85), (0.3, 1), (1, 0.7))
        return rng.uniform(0.4, 1) * cry(
            rng, hertz, tract(length, rng, 0.05), swell(n, 0.01, 0.04), tilt, 0.2, rough, 0, 0.2
        )

    return sequence(once, rng.integers(3, 16), lambda: rng.uniform(0.05, 0.6))


def fly(rng):
    """Flies, bees and mosquitoes: wing beats of 120 … 700 Hz that come near and go."""
    n = samples(rng.uniform(3, 12))
    hertz = log_uniform(rng, 120, 700) * np.exp(0.05 * wander(rng, n, 3))
    near = np.exp(1.2 * wander(rng, n, rng.uniform(0.3, 2)))
    return near * (unit(partials(rng, hertz, rng.uniform(-8, -3), 0.01)) + 0.05 * coloured(rng, n, -2))


# Birds, insects, frogs: no tract, one or two pure tones


def birdsong(rng):
    """A few motifs of swept tones, repeated with gaps; two birds in some."""
    n = samples(rng.uniform(4, 15))
    out = np.zeros(n)
    for _ in range(rng.integers(1, 4)):
        centre = log_uniform(rng, 1500, 6000)
        motif = []
        for _ in range(rng.integers(1, 6)):
            m = samples(rng.uniform(0.03, 0.3))
            f = centre * np.exp(0.25 * rng.standard_normal(3))
            hertz = np.clip(curve(m, (0, f[0]), (rng.uniform(0.3, 0.7), f[1]), (1, f[2])), 900, BIRD_TOP)
            if chance(rng, 0.3):
                hertz = hertz * (
                    1 + rng.uniform(0.02, 0.12) * np.sin(2 * np.pi * rng.uniform(15, 60) * np.arange(m) / RATE)
                )
            note = sine(hertz) * swell(m, 0.01, 0.02)
            motif += [note * rng.uniform(0.4, 1)] * int(rng.choice([1, 1, 2, 5])) if m < samples(0.1) else [note]
            motif.append(np.zeros(samples(rng.uniform(0.01, 0.12))))
        motif = np.concatenate(motif) * rng.uniform(0.2, 1)
        at = int(rng.uniform(0, n / 3))
        while at < n:
            add(out, motif, at)
            at += len(motif) + samples(rng.uniform(0.3, 3))
    return out


def crickets(rng):
    n = samples(rng.uniform(4, 15))
    out = np.zeros(n)
    t = np.arange(n) / RATE
    for _ in range(rng.integers(1, 6)):
        pulse, chirp = rng.uniform(20, 60), rng.uniform(0.5, 4)
        gate = np.maximum(np.sin(2 * np.pi * pulse * t + rng.uniform(0, 6)), 0) ** 2
        if chance(rng, 0.7):
            gate = gate * (
                np.sin(2 * np.pi * chirp * t + rng.uniform(0, 6) + 0.3 * wander(rng, n, 0.5)) > rng.uniform(-0.3, 0.6)
            )
        carrier = np.sin(2 * np.pi * rng.uniform(2200, 6500) * t + 0.5 * wander(rng, n, 10))
        out += rng.uniform(0.1, 1) * gate * carrier
    return out + 0.02 * coloured(rng, n, -3)


def frogs(rng):
    n = samples(rng.uniform(3, 12))
    out = np.zeros(n)
    for _ in range(rng.integers(1, 6)):
        pitch, formants = rng.uniform(30, 250), [rng.uniform(300, 1000), rng.uniform(1200, 3000)]
        duration, gap = rng.uniform(0.06, 0.6), rng.uniform(0.15, 2)
        level, at = rng.uniform(0.2, 1), rng.uniform(0, gap)
        while at < n / RATE:
            m = samples(duration * rng.uniform(0.8, 1.2))
            croak = cry(
                rng,
                curve(m, (0, pitch * 0.8), (1, pitch * rng.uniform(1, 1.3))),
                formants,
                swell(m, 0.02, 0.04),
                -3,
                0.1,
                0.02,
                0,
                0.25,
            )
            add(out, level * croak, samples(at))
            at += duration + gap * rng.uniform(0.6, 1.5)
    return out


FAMILIES = softened(
    {  # and how often each is drawn
        'bark': (bark, 10),
        'growl': (growl, 2),
        'howl': (howl, 2),
        'whine': (whine, 3),
        'meow': (meow, 4),
        'moo': (moo, 2),
        'sheep': (sheep, 2),
        'rooster': (rooster, 1),
        'crow': (crow, 2),
        'pig': (pig, 2),
        'horse': (horse, 4),
        'monkey': (monkey, 4),
        'parrot': (parrot, 3),
        'poultry': (poultry, 3),
    }
) | {
    'fly': (fly, 2),
    'birdsong': (birdsong, 5),
    'crickets': (crickets, 2),
    'frogs': (frogs, 2),
}
