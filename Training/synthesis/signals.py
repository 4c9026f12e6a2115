"""Sounds made to be heard: sirens, beeps, ring tones, dialling, bells, horns."""

import numpy as np

from .sound import (
    RATE,
    add,
    band,
    chance,
    clock,
    coloured,
    curve,
    log_uniform,
    modes,
    partials,
    samples,
    sine,
    swell,
    unit,
)

DTMF = [(low, high) for low in (697, 770, 852, 941) for high in (1209, 1336, 1477, 1633)]  # Hz, ITU-T Q.23
DIALS = [
    (350, 440),
    (425,),
    (440, 480),
    (480, 620),
    (400, 450),
    (450,),
]  # Hz, the world's dial, ring-back and busy tones


def siren(rng):
    """Wail, yelp or two tones, with the horn's harmonics; some drive past."""
    n = samples(rng.uniform(4, 15))
    t, low = clock(n), rng.uniform(350, 800)
    high, rate = low * rng.uniform(1.3, 2.4), log_uniform(rng, 0.1, 5)
    kind = rng.integers(3)
    turn = t * rate % 1
    if kind == 0:
        hertz = low + (high - low) * (0.5 - 0.5 * np.cos(2 * np.pi * turn))
    elif kind == 1:
        hertz = low + (high - low) * np.minimum(turn / 0.7, 1) * np.clip((1 - turn) / 0.1, 0, 1)
    else:
        hertz = np.where(turn < 0.5, low, min(high, low * 1.35))
    speed = rng.uniform(0, 25) * chance(rng, 0.5)
    away = speed * (t - t[-1] * rng.uniform(0.3, 0.7))
    reach = np.sqrt(15**2 + away**2)
    x = partials(rng, hertz / (1 + speed * away / reach / 343), rng.uniform(-14, -3))
    return band(x, 200, log_uniform(rng, 1500, 8000)) * 15 / reach


def alarm(rng):
    """Beeps in a pattern: alarm clocks, smoke detectors, ovens, lorries backing up."""
    n = samples(rng.uniform(3, 12))
    out, hertz, on = np.zeros(n), log_uniform(rng, 500, 4200), log_uniform(rng, 0.04, 0.8)
    gap, group, rest, tilt = (
        on * rng.uniform(0.4, 2),
        rng.integers(1, 6),
        rng.uniform(0, 1.5),
        rng.choice([-40, -12, -6, -3]),
    )
    second = hertz * rng.choice([1, 1, 1, 1.25, 0.8])
    at = rng.uniform(0, 0.5)
    while at < n / RATE:
        for i in range(group):
            m = samples(on)
            add(out, partials(rng, np.full(m, second if i % 2 else hertz), tilt) * swell(m, 0.003, 0.003), samples(at))
            at += on + gap
        at += rest
    return out


def ring(rng):
    """Telephones: two bells with a clapper at 20 … 25 Hz, a warble, or a short tune."""
    n = samples(rng.uniform(4, 12))
    out, kind = np.zeros(n), rng.integers(3)
    on, off = rng.uniform(0.4, 2), rng.uniform(0.5, 3)
    base = log_uniform(rng, 600, 2500)
    tune = base * 2 ** (rng.integers(-7, 12, rng.integers(3, 12)) / 12)
    note, partial = rng.uniform(0.06, 0.25), np.array([1, 2.1, 2.9, 4.2])
    strike = [
        modes(rng, 4000, base * partial * k, [0.5, 0.3, 0.2, 0.1], [1, 0.6, 0.5, 0.3])
        for k in (1, rng.uniform(1.1, 1.3))
    ]
    tilt, warble = rng.uniform(-20, -6), rng.uniform(8, 25)
    at = rng.uniform(0, 0.5)
    while at < n / RATE:
        m = samples(on)
        if kind == 0:
            burst = np.zeros(m)
            for i, hit in enumerate(np.arange(0, on, 1 / warble)):
                add(burst, strike[i % 2], samples(hit))
        elif kind == 1:
            burst = partials(rng, base * np.where(clock(m) * warble % 1 < 0.5, 1.0, 1.25), tilt)
        else:
            burst = np.concatenate(
                [partials(rng, np.full(samples(note), f), tilt) * swell(samples(note), 0.005, 0.02) for f in tune]
            )
        add(out, burst * swell(len(burst), 0.005, 0.02), samples(at))
        at += len(burst) / RATE + off
    return out


def dialling(rng):
    """DTMF digits, and the network's dial, ring-back and busy tones."""
    n = samples(rng.uniform(2, 8))
    out = np.zeros(n)
    at, on, digits = rng.uniform(0, 0.5), rng.uniform(0.05, 0.25), chance(rng, 0.6)
    gap = rng.uniform(0.05, 0.3)
    pair = DIALS[rng.integers(len(DIALS))]
    if not digits:
        on, gap = rng.choice([0.25, 0.5, 1, 2, 5]), rng.choice([0.25, 0.5, 1, 4])
    while at < n / RATE:
        m = samples(on)
        tones = DTMF[rng.integers(16)] if digits else pair
        add(out, sum(np.sin(2 * np.pi * f * clock(m)) for f in tones) * swell(m, 0.003, 0.003), samples(at))
        at += on + gap
    return out + rng.uniform(0, 0.03) * coloured(rng, n, -1)


def bell(rng):
    """Church bells, bicycle bells, doorbells: partials of a minor-third bell, struck again and again."""
    n = samples(rng.uniform(4, 15))
    out = np.zeros(n)
    bells = [log_uniform(rng, 120, 2500)]
    for _ in range(rng.integers(0, 4)):
        bells.append(bells[0] * 2 ** (rng.integers(-5, 8) / 12))
    ratio = np.array([0.5, 1, 1.19, 1.5, 2, 2.5, 2.67, 3, 4.2, 5.4])
    decay, gap = log_uniform(rng, 0.4, 8), log_uniform(rng, 0.2, 2.5)
    at = rng.uniform(0, 0.5)
    while at < n / RATE:
        f = bells[rng.integers(len(bells))]
        hit = modes(
            rng, samples(min(decay, 8)), f * ratio, decay / ratio**0.7, [0.4, 0.7, 0.6, 0.3, 1, 0.3, 0.3, 0.3, 0.2, 0.1]
        )
        add(out, rng.uniform(0.6, 1) * hit, samples(at))
        at += gap * rng.uniform(0.8, 1.2)
    return out


def horn(rng):
    """Car horns, two reeds a third apart; ship and train horns; whistles with their pea."""
    n = samples(rng.uniform(2, 8))
    out, at, base = np.zeros(n), rng.uniform(0, 0.5), log_uniform(rng, 80, 600)
    reeds, tilt = base * np.array([1, rng.choice([1.25, 1.2, 1.33])])[: rng.integers(1, 3)], rng.uniform(-6, -2)
    whistle = chance(rng, 0.3)
    while at < n / RATE:
        m = samples(rng.uniform(0.15, 2))
        if whistle:
            trill = 1 + rng.uniform(0.01, 0.06) * np.sin(2 * np.pi * rng.uniform(15, 50) * clock(m))
            sound = sine(base * 6 * trill * curve(m, (0, 0.9), (0.1, 1), (1, 0.97))) * trill**8
            sound += 0.1 * coloured(rng, m, 0)
        else:
            sound = sum(partials(rng, np.full(m, f), tilt, 0.003) for f in reeds)
        add(out, unit(sound) * swell(m, 0.02, 0.05), samples(at))
        at += m / RATE + rng.uniform(0.1, 2)
    return out


FAMILIES = {
    'siren': (siren, 4),
    'alarm': (alarm, 4),
    'ring': (ring, 4),
    'dialling': (dialling, 3),
    'bell': (bell, 3),
    'horn': (horn, 3),
}
