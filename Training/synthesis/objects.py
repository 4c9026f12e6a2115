"""Things that are struck, rubbed, typed on or dropped: short events in human or mechanical rhythms."""

import numpy as np

from .sound import (
    RATE,
    add,
    band,
    chance,
    clock,
    coloured,
    log_uniform,
    modes,
    partials,
    resonate,
    room,
    samples,
    sine,
    swell,
    unit,
    wander,
)


def scene(rng, low, high):
    return np.zeros(samples(rng.uniform(low, high)))


def rhythm(rng, seconds, gap, unevenness):
    """Times of events about `gap` seconds apart; unevenness 0 (a machine) … 1 (at random)."""
    at = rng.uniform(0, min(gap, seconds / 2))
    while at < seconds:
        yield at
        at += gap * ((1 - unevenness) + unevenness * rng.exponential())


def click(rng, seconds, low, high, fall):
    n = samples(seconds)
    return unit(band(coloured(rng, n, 0), low, high) * np.exp(-fall * clock(n)))


def keyboard(rng):
    """Each key is two clicks, down and up, through the resonances of key and desk; words, then pauses to think."""
    out = scene(rng, 3, 15)
    body = [rng.uniform(200, 800), rng.uniform(1200, 2800), rng.uniform(3000, 6000)]
    weight, gap, down_up = rng.dirichlet([1, 1, 1]), rng.uniform(0.08, 0.3), rng.uniform(0.05, 0.14)
    at = rng.uniform(0, 0.5)
    while at < len(out) / RATE:
        for _ in range(rng.integers(2, 12)):
            for later, level in ((0, rng.uniform(0.6, 1)), (down_up * rng.uniform(0.7, 1.4), rng.uniform(0.2, 0.6))):
                n = samples(0.06)
                tap = coloured(rng, n, 0) * np.exp(-rng.uniform(150, 400) * clock(n))
                tap = sum(w * unit(resonate(tap, f * rng.uniform(0.9, 1.1), f / 6)) for w, f in zip(weight, body))
                add(out, level * tap, samples(at + later))
            at += gap * rng.lognormal(0, 0.4)
        at += rng.exponential(0.5)
    return out


def mouse(rng):
    out = scene(rng, 2, 8)
    tone = rng.uniform(1500, 4500)
    for at in rhythm(rng, len(out) / RATE, rng.uniform(0.3, 1.5), 0.8):
        for _ in range(rng.integers(1, 3)):
            for later, level in ((0, 1), (rng.uniform(0.06, 0.15), 0.6)):
                add(out, level * click(rng, 0.02, tone / 2, tone * 2, 500), samples(at + later))
            at += rng.uniform(0.15, 0.25)
    return out


def footsteps(rng):
    """Heel, then sole; the floor sets the resonance, gravel adds grains."""
    out = scene(rng, 3, 12)
    floor, width, gravel = log_uniform(rng, 60, 500), rng.uniform(0.3, 1.2), chance(rng, 0.35)
    for at in rhythm(rng, len(out) / RATE, rng.uniform(0.3, 0.8), 0.1):
        for later, level in ((0, 1), (rng.uniform(0.05, 0.14), rng.uniform(0.2, 0.7))):
            n = samples(0.2)
            thud = coloured(rng, n, -3) * np.exp(-rng.uniform(25, 60) * clock(n))
            add(out, level * unit(resonate(thud, floor * rng.uniform(0.9, 1.1), floor * width)), samples(at + later))
            add(out, 0.3 * level * click(rng, 0.04, 1500, 7000, 120), samples(at + later))
        if gravel:
            for grain in rng.uniform(0, 0.25, 40):
                add(out, rng.uniform(0.05, 0.6) * click(rng, 0.01, 1000, 7000, 600), samples(at + grain))
    return room(rng, out, rng.uniform(0.2, 1.2)) if chance(rng, 0.4) else out


def knock(rng):
    """Knuckles on wood: groups of two to six."""
    out = scene(rng, 2, 8)
    wood = [log_uniform(rng, 90, 350) * k for k in (1, rng.uniform(1.5, 2.3), rng.uniform(2.6, 4), rng.uniform(4.5, 7))]
    decay = rng.uniform(0.08, 0.35)
    for at in rhythm(rng, len(out) / RATE, rng.uniform(1, 3), 0.4):
        gap = rng.uniform(0.1, 0.35)
        for i in range(rng.integers(2, 7)):
            tap = modes(rng, samples(0.4), wood, [decay / (1 + k / 2) for k in range(4)], rng.uniform(0.2, 1, 4))
            add(
                out,
                rng.uniform(0.6, 1) * (tap + 0.3 * np.pad(click(rng, 0.02, 500, 5000, 300), (0, len(tap) - 320))),
                samples(at + i * gap * rng.uniform(0.9, 1.1)),
            )
    return out


def slam(rng):
    """A door falls shut: latch, boom, rattle, and the room."""
    out = scene(rng, 2, 6)
    for at in rhythm(rng, len(out) / RATE, rng.uniform(1.5, 4), 0.5):
        boom = modes(rng, samples(0.8), rng.uniform(40, 400, 8), rng.uniform(0.1, 0.6, 8), rng.uniform(0.2, 1, 8))
        add(out, 2 * unit(boom), samples(at))
        add(out, rng.uniform(0.5, 2) * click(rng, 0.15, 200, 6000, 40), samples(at))
        for rattle in rng.uniform(0, 0.3, rng.integers(0, 8)):
            add(out, 0.3 * click(rng, 0.02, 1500, 6000, 300), samples(at + rattle))
    return room(rng, out, rng.uniform(0.3, 2))


def dishes(rng):
    """Cutlery, glass, plates: high inharmonic partials that ring for 30 ms … 1 s."""
    out = scene(rng, 2, 12)
    things = []
    for _ in range(rng.integers(1, 7)):
        base = log_uniform(rng, 500, 3500)
        things.append((base * np.cumprod([1, *rng.uniform(1.15, 1.9, 8)]), log_uniform(rng, 0.04, 1.0)))
    for at in rhythm(rng, len(out) / RATE, log_uniform(rng, 0.05, 1), 0.9):
        hertz, decay = things[rng.integers(len(things))]
        ring = modes(
            rng,
            samples(min(1.2, decay * 1.5)),
            hertz * rng.uniform(0.98, 1.02),
            decay * rng.uniform(0.4, 1.2, 9),
            rng.uniform(0, 1, 9),
        )
        add(out, rng.lognormal(-0.5, 0.7) * ring, samples(at))
        add(out, rng.uniform(0, 0.3) * click(rng, 0.01, 2000, 8000, 700), samples(at))
    return out


def paper(rng):
    """Rustle of paper or plastic: crackle whose density comes and goes."""
    out = scene(rng, 2, 10)
    n = len(out)
    density = np.maximum(0.3 + wander(rng, n, rng.uniform(0.8, 4)), 0.02) ** 1.5
    impulses = (rng.random(n) < np.minimum(density * log_uniform(rng, 0.003, 0.08), 1)) * rng.lognormal(0, 1, n)
    low = log_uniform(rng, 500, 2500)
    out = unit(band(impulses * rng.choice([-1, 1], n), low, low * rng.uniform(3, 8)))
    return out + rng.uniform(0, 0.5) * density * band(coloured(rng, n, 0), 1500, 7500)


def applause(rng):
    """Clappers, one to two hundred, each at his own rate and with his own hands."""
    out = scene(rng, 3, 15)
    n, people = len(out), int(log_uniform(rng, 1, 200))
    for _ in range(min(people, 60)):
        hands, rate, level = log_uniform(rng, 600, 2200), rng.uniform(2, 5.5), rng.uniform(0.2, 1)
        clap = unit(resonate(coloured(rng, samples(0.05), 0) * np.exp(-120 * clock(samples(0.05))), hands, hands / 2))
        for at in rhythm(rng, n / RATE, 1 / rate, 0.12):
            add(out, level * rng.uniform(0.6, 1) * clap, samples(at))
    if people > 60:
        out = unit(out) + unit(band(coloured(rng, n, -1), 500, 5000))
    return out * swell(n, rng.uniform(0.01, 1.5), rng.uniform(0.01, 2))


def drips(rng):
    """Water drops into water: a tone that rises as the bubble closes."""
    out = scene(rng, 3, 12)
    base = log_uniform(rng, 400, 2500)
    for at in rhythm(rng, len(out) / RATE, log_uniform(rng, 0.15, 2), rng.uniform(0, 0.7)):
        n = samples(rng.uniform(0.03, 0.15))
        hertz = base * rng.uniform(0.8, 1.25) * np.linspace(1, rng.uniform(1.1, 2), n)
        add(
            out,
            rng.uniform(0.4, 1) * sine(hertz) * np.exp(-5 * np.arange(n) / n),
            samples(at),
        )
    return room(rng, out, rng.uniform(0.3, 1.5)) if chance(rng, 0.6) else out


def scrape(rng):
    """Chairs and hinges: stick and slip at 40 … 900 Hz through the wood."""
    out = scene(rng, 2, 7)
    for at in rhythm(rng, len(out) / RATE, rng.uniform(0.8, 2), 0.6):
        n = samples(rng.uniform(0.2, 1.2))
        hertz = np.clip(log_uniform(rng, 40, 900) * np.exp(0.4 * wander(rng, n, 3)), 20, 2000)
        pulses = np.diff(np.floor(np.cumsum(hertz * (1 + 0.1 * wander(rng, n, 80))) / RATE), prepend=0) * rng.uniform(
            0.5, 1, n
        )
        sound = sum(resonate(pulses, f, f / rng.uniform(4, 12)) for f in rng.uniform(200, 4000, 4))
        add(out, rng.uniform(0.4, 1) * unit(sound) * swell(n, 0.05, 0.1), samples(at))
    return out


def handling(rng):
    """The microphone itself is touched: low thumps and cloth, as when a headset moves."""
    out = scene(rng, 2, 10)
    for at in rhythm(rng, len(out) / RATE, rng.uniform(0.2, 1.5), 0.9):
        n = samples(rng.uniform(0.05, 0.6))
        rub = unit(band(coloured(rng, n, -4), 30, log_uniform(rng, 200, 3000))) * swell(n, 0.01, 0.05)
        add(out, rng.lognormal(-0.5, 0.6) * rub * np.exp(0.5 * wander(rng, n, 20)), samples(at))
    return out


def machine(rng):
    """Printers, washing machines, trains on joints: a pattern of clacks and whirrs that repeats exactly."""
    out = scene(rng, 4, 15)
    period, n = rng.uniform(0.15, 1.8), len(out)
    pattern = np.zeros(samples(period))
    for at in rng.uniform(0, period, rng.integers(1, 7)):
        low = log_uniform(rng, 60, 2500)
        add(
            pattern,
            rng.uniform(0.3, 1) * click(rng, min(0.15, period), low, low * rng.uniform(2, 6), rng.uniform(25, 200)),
            samples(at),
        )
    if chance(rng, 0.6):
        m = samples(period * rng.uniform(0.2, 0.8))
        low = log_uniform(rng, 200, 2500)
        add(
            pattern,
            rng.uniform(0.1, 0.6) * unit(band(coloured(rng, m, -1), low, low * 3)) * swell(m, 0.02, 0.02),
            samples(rng.uniform(0, period)),
        )
    out = np.tile(pattern, n // len(pattern) + 1)[:n]
    return out + rng.uniform(0.01, 0.2) * coloured(rng, n, -3)


def strokes(rng):
    """Saws, brushes, sandpaper, teeth being brushed: noise to and fro, 1 … 8 strokes a second like syllables."""
    out = scene(rng, 3, 12)
    n = len(out)
    rate, low = log_uniform(rng, 1, 8), log_uniform(rng, 300, 3000)
    high, back = low * log_uniform(rng, 1.5, 6), rng.uniform(0.2, 1)
    turn = np.cumsum(rate * (1 + 0.1 * wander(rng, n, 1))) / RATE
    gate = np.abs(np.sin(np.pi * turn)) ** rng.uniform(0.7, 3) * np.where(turn % 2 < 1, 1, back)
    rough = coloured(rng, n, 0) * (1 + rng.uniform(0, 1) * np.sin(2 * np.pi * rng.uniform(60, 400) * clock(n)))
    forth = np.where(turn % 2 < 1, band(rough, low, high), band(rough, low * 1.2, high * 1.2))
    swell = np.sin(2 * np.pi * rng.uniform(0.05, 0.3) * clock(n) + rng.uniform(0, 6))
    rests = np.clip(5 * (swell - min(rng.uniform(-1.2, 0), swell.max() - 0.2)), 0, 1)  # never rests throughout
    return forth * gate * rests


def tick(rng):
    """Clocks and indicators: ticks as even as a machine's, tick and tock apart in pitch."""
    out = scene(rng, 3, 12)
    body, decay = log_uniform(rng, 400, 5000), rng.uniform(0.01, 0.08)
    for i, at in enumerate(rhythm(rng, len(out) / RATE, rng.choice([0.2, 0.25, 0.5, 0.5, 1.0]), 0)):
        beat = body * (1.15 if i % 2 else 1)
        x = modes(rng, 2000, [beat, beat * 1.7, beat * 2.9], [decay, decay / 2, decay / 2], [1, 0.5, 0.4])
        add(out, x + 0.3 * np.pad(click(rng, 0.01, 1500, 7500, 800), (0, 1840)), samples(at))
    return out


def bang(rng):
    """Fireworks, shots, thunder, balloons: an edge, a boom, and an echo that rolls on."""
    out = scene(rng, 3, 12)
    roll = log_uniform(rng, 0.3, 4)
    for at in rhythm(rng, len(out) / RATE, log_uniform(rng, 0.3, 4), 0.9):
        n = samples(roll)
        tail = unit(band(coloured(rng, n, -5), 30, log_uniform(rng, 150, 2500)))
        tail *= np.exp(-5 * np.arange(n) / n) * np.exp(0.6 * wander(rng, n, 6))
        add(out, rng.uniform(0.2, 1) * tail, samples(at))
        add(out, rng.uniform(0, 4) * click(rng, 0.08, 100, 7500, rng.uniform(40, 150)), samples(at))
        if chance(rng, 0.15):  # a rocket whistles up
            m = samples(rng.uniform(0.4, 1.2))
            hertz = np.linspace(rng.uniform(1000, 2000), rng.uniform(2000, 4000), m)
            add(out, 0.2 * sine(hertz) * swell(m, 0.1, 0.1), samples(at) - m)
    return out


def fire(rng):
    """Crackle over a soft roar."""
    out = scene(rng, 3, 15)
    n = len(out)
    for at in rhythm(rng, n / RATE, log_uniform(rng, 0.02, 0.4), 1):
        low = log_uniform(rng, 400, 3500)
        add(out, rng.lognormal(-1, 0.9) * click(rng, 0.03, low, low * 3, rng.uniform(150, 700)), samples(at))
    return out + rng.uniform(0.02, 0.3) * coloured(rng, n, -5) * np.exp(0.4 * wander(rng, n, 3))


def frying(rng):
    """Fat in a pan: a hiss that rises and falls, full of pops; now and then a spatula scrapes."""
    out = scene(rng, 3, 12)
    n = len(out)
    low = log_uniform(rng, 800, 3000)
    pops = (rng.random(n) < log_uniform(rng, 0.002, 0.03)) * rng.lognormal(0, 1.2, n) * rng.choice([-1, 1], n)
    out += unit(band(pops, low, low * 4)) + rng.uniform(0.2, 1) * unit(band(coloured(rng, n, -1), low / 2, 8000))
    out *= np.exp(0.4 * wander(rng, n, rng.uniform(0.3, 3)))
    for at in rhythm(rng, n / RATE, rng.uniform(1, 5), 0.9):
        m = samples(rng.uniform(0.1, 0.4))
        pan = modes(rng, m, rng.uniform(300, 4000, 6), rng.uniform(0.05, 0.4, 6), rng.uniform(0.2, 1, 6))
        rub = unit(band(coloured(rng, m, 0), 1500, 6000)) * swell(m, 0.03, 0.1)
        add(out, rng.uniform(0.5, 3) * (unit(pan) + rub), samples(at))
    return out


def brakes(rng):
    """Brakes and tyres that squeal: stick and slip at 400 … 3000 Hz with a few harmonics, over the noise of rolling."""
    out = scene(rng, 3, 9)
    n = len(out)
    out += rng.uniform(0.05, 0.5) * unit(band(coloured(rng, n, -4), 60, 2000))
    for at in rhythm(rng, n / RATE, rng.uniform(1.5, 4), 0.6):
        m = samples(rng.uniform(0.3, 2.5))
        fall = np.linspace(1, rng.uniform(0.75, 1.05), m)
        hertz = log_uniform(rng, 400, 3000) * fall * np.exp(rng.uniform(0.002, 0.03) * wander(rng, m, 20))
        squeal = partials(rng, hertz, rng.uniform(-14, -5), rng.uniform(0.002, 0.03))
        add(out, rng.uniform(0.4, 1) * unit(squeal) * swell(m, 0.08, 0.15), samples(at))
    return out


FAMILIES = {
    'keyboard': (keyboard, 6),
    'mouse': (mouse, 2),
    'footsteps': (footsteps, 3),
    'knock': (knock, 3),
    'slam': (slam, 2),
    'dishes': (dishes, 4),
    'paper': (paper, 3),
    'applause': (applause, 3),
    'drips': (drips, 2),
    'scrape': (scrape, 3),
    'handling': (handling, 3),
    'machine': (machine, 3),
    'strokes': (strokes, 4),
    'tick': (tick, 2),
    'bang': (bang, 3),
    'fire': (fire, 2),
    'frying': (frying, 3),
    'brakes': (brakes, 3),
}
