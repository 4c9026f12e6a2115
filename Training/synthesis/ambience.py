"""Steady and slowly changing noise: air, water, engines, mains."""

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
    wander,
)


def hiss(rng):
    """Noise of any colour and band, steady or slowly modulated."""
    n = samples(rng.uniform(2, 20))
    x = coloured(rng, n, rng.uniform(-9, 3))
    if chance(rng, 0.5):
        low = log_uniform(rng, 50, 3000)
        x = unit(band(x, low, low * log_uniform(rng, 1.5, 20)))
    if chance(rng, 0.5):
        x = x * np.exp(rng.uniform(0.1, 0.8) * wander(rng, n, log_uniform(rng, 0.1, 8)))
    return x


def wind(rng):
    """Gusts: low noise that swells, with a whistle that rises with it, and rumble at the microphone."""
    n = samples(rng.uniform(5, 20))
    gust = np.exp(0.8 * wander(rng, n, rng.uniform(0.2, 1.5)))
    x = gust * unit(band(coloured(rng, n, -6), 20, rng.uniform(150, 600)))
    x += rng.uniform(0, 0.4) * gust**1.5 * unit(band(coloured(rng, n, -3), 300, 2000))
    if chance(rng, 0.4):
        hertz = rng.uniform(300, 900) * gust**0.25
        whistle = sine(hertz * (1 + 0.03 * wander(rng, n, 12)))
        x += rng.uniform(0.05, 0.4) * gust * whistle
    return x


def rain(rng):
    """Drops at random, from a few a second to thousands; each a short click or a bubble's falling tone."""
    n = samples(rng.uniform(4, 20))
    a_second, out = log_uniform(rng, 3, 3000), np.zeros(n)
    count = int(a_second * n / RATE)
    impulse = np.zeros(n)
    impulse[rng.integers(0, n, count)] = rng.lognormal(0, 0.8, count) * rng.choice([-1, 1], count)
    low = rng.uniform(300, 2500)
    out += band(impulse, low, low * rng.uniform(2, 6))
    for at in rng.integers(0, n, min(count, 300)):
        add(out, rng.uniform(0.02, 0.3) * modes(rng, 800, [rng.uniform(800, 5000)], [rng.uniform(0.01, 0.05)], [1]), at)
    return unit(out) + rng.uniform(0, 0.5) * coloured(rng, n, -3)


def fan(rng):
    """Blade-pass harmonics of 25 … 400 Hz that drift, over the rush of air."""
    n = samples(rng.uniform(3, 20))
    hertz = log_uniform(rng, 25, 400) * np.exp(rng.uniform(0.001, 0.01) * wander(rng, n, 0.5))
    tone = unit(partials(rng, hertz, rng.uniform(-14, -4), uneven=8))
    air = unit(band(coloured(rng, n, rng.uniform(-6, -2)), 40, log_uniform(rng, 800, 8000)))
    x = log_uniform(rng, 0.05, 2) * tone + air
    if chance(rng, 0.3):  # a fan that beats
        x = x * (1 + rng.uniform(0.05, 0.5) * np.sin(2 * np.pi * rng.uniform(0.5, 8) * clock(n)))
    return x


def hum(rng):
    """Mains: harmonics of 50 or 60 Hz, odd or even, and a little hiss."""
    n = samples(rng.uniform(3, 20))
    t, mains, out = clock(n), rng.choice([50, 60]), np.zeros(n)
    fall, even = rng.uniform(0.5, 2), rng.uniform(0, 1)
    for k in range(1, int(rng.integers(5, 60))):
        out += (
            (1 if k % 2 else even)
            * k**-fall
            * rng.uniform(0.2, 1)
            * np.sin(2 * np.pi * mains * k * t + rng.uniform(0, 6.28))
        )
    return unit(out) + log_uniform(rng, 0.003, 0.5) * coloured(rng, n, -2)


def engine(rng):
    """Idle: firing at 12 … 50 Hz, each stroke a thump through the exhaust, uneven; some rev up."""
    n = samples(rng.uniform(3, 15))
    hertz = rng.uniform(12, 50) * np.exp(0.03 * wander(rng, n, 2))
    if chance(rng, 0.4):
        revs = np.clip(wander(rng, n, 0.4), 0, 2)
        hertz = hertz * (1 + rng.uniform(0.5, 2) * revs)
    x = partials(rng, hertz, rng.uniform(-5, -1), rng.uniform(0.005, 0.04), rng.uniform(0, 0.6))
    low = rng.uniform(60, 250)
    body = unit(band(x, 25, low * 3)) + rng.uniform(0.1, 0.7) * unit(band(x, low * 3, 4000))
    return body + rng.uniform(0.02, 0.4) * np.abs(x) / np.abs(x).max() * coloured(rng, n, -3)


def car(rng):
    """A car that passes: tyre noise and motor, louder and brighter near, lower in pitch afterwards."""
    n = samples(rng.uniform(4, 14))
    t = clock(n) - n / RATE * rng.uniform(0.3, 0.7)
    speed, distance = rng.uniform(8, 35), rng.uniform(3, 25)  # m/s, m
    reach = np.sqrt(distance**2 + (speed * t) ** 2)
    doppler = 1 / (1 + speed**2 * t / reach / 343)
    motor = unit(partials(rng, rng.uniform(40, 150) * doppler, rng.uniform(-10, -5), 0.005, uneven=6))
    tyres, bright = band(coloured(rng, n, -3), 200, 1500), band(coloured(rng, n, -2), 1000, 5000)
    near = distance / reach
    return near * (rng.uniform(0.1, 0.6) * motor + unit(tyres)) + near**2 * rng.uniform(0.2, 0.8) * unit(bright)


def power_tool(rng):
    """Chainsaw, drill, vacuum cleaner, mixer: rough harmonics of 60 … 250 Hz under a load that changes."""
    n = samples(rng.uniform(3, 15))
    load = curve(n, *[(p, rng.uniform(0.6, 1.1)) for p in np.linspace(0, 1, rng.integers(3, 12))])
    hertz = log_uniform(rng, 60, 250) * load * np.exp(0.01 * wander(rng, n, 10))
    x = unit(partials(rng, hertz, rng.uniform(-5, 0), rng.uniform(0.005, 0.04), rng.uniform(0, 0.5), uneven=6))
    x = x + rng.uniform(0.2, 1.5) * unit(band(coloured(rng, n, -1), rng.uniform(200, 1500), 8000)) * load
    whir = log_uniform(rng, 3, 25) * hertz  # gears whine
    x += rng.uniform(0, 0.4) * np.where(whir < 7000, sine(whir), 0)
    return band(x, rng.uniform(30, 200), log_uniform(rng, 3000, 8000)) * swell(n, 0.3, 0.3)


def stream(rng):
    """Running water: bubbles, each a tone that rises as it closes, over a rush."""
    n = samples(rng.uniform(3, 15))
    out = rng.uniform(0.1, 1) * coloured(rng, n, -2)
    for _ in range(int(rng.uniform(20, 150) * n / RATE)):
        m = samples(rng.uniform(0.01, 0.08))
        hertz = log_uniform(rng, 300, 3500) * np.linspace(1, rng.uniform(1, 1.5), m)
        add(
            out,
            rng.lognormal(0, 0.7) * sine(hertz) * np.exp(-5 * np.arange(m) / m),
            rng.integers(0, n),
        )
    return out


def waves(rng):
    """The sea: each wave a slow swell of noise that brightens as it breaks and hisses as it runs out."""
    n = samples(rng.uniform(6, 20))
    out, at = 0.05 * coloured(rng, n, -4), -samples(rng.uniform(0, 5))
    while at < n:
        m = samples(rng.uniform(3, 8))
        roar = unit(band(coloured(rng, m, -3), 60, 1500)) * curve(m, (0, 0), (0.4, 1), (0.6, 0.6), (1, 0))
        foam = unit(band(coloured(rng, m, -1), 1000, 7000)) * curve(m, (0, 0), (0.4, 0.2), (0.55, 1), (1, 0))
        add(out, rng.uniform(0.4, 1) * (roar + rng.uniform(0.2, 0.8) * foam), at)
        at += samples(rng.uniform(2, 6))
    return out


def aircraft(rng):
    """Helicopters slap 8 … 25 times a second; propellers drone; jets roar and whine."""
    n = samples(rng.uniform(4, 15))
    t, kind = clock(n), rng.integers(3)
    near = np.exp(-(((t / t[-1] - rng.uniform(0, 1)) / rng.uniform(0.3, 1)) ** 2))
    if kind == 0:
        turn = np.cumsum(rng.uniform(8, 25) * (1 + 0.01 * wander(rng, n, 1))) / RATE % 1
        x = unit(
            band(coloured(rng, n, -3), 40, log_uniform(rng, 400, 4000)) * (0.15 + np.exp(-turn * rng.uniform(4, 12)))
        )
    elif kind == 1:
        x = unit(partials(rng, rng.uniform(60, 160) * (1.06 - 0.12 * t / t[-1]), rng.uniform(-9, -4), 0.003, uneven=6))
        x = x + rng.uniform(0.1, 0.6) * unit(coloured(rng, n, -4))
    else:
        x = unit(coloured(rng, n, -4)) + 0.3 * unit(band(coloured(rng, n, -1), 300, 4000))
        x += rng.uniform(0, 0.4) * sine(rng.uniform(1500, 4000) * (1.05 - 0.1 * t / t[-1]))
    return near * x


FAMILIES = {
    'hiss': (hiss, 8),
    'wind': (wind, 4),
    'rain': (rain, 4),
    'fan': (fan, 7),
    'hum': (hum, 3),
    'engine': (engine, 4),
    'car': (car, 4),
    'tool': (power_tool, 5),
    'stream': (stream, 2),
    'waves': (waves, 2),
    'aircraft': (aircraft, 3),
}
