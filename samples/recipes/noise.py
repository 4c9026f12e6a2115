"""Background noise that sounds like rooms, made from random numbers. Levels are set by the mixer."""

import math

from .audio import biquad, mixed, scaled


def white(random, count):
    return [random.gauss(0, 1) for _ in range(count)]


def slow_wander(random, count, rate, period_seconds, depth):
    """A gain around 1 that drifts: cosine steps between random values."""
    step = max(1, round(period_seconds * rate))
    gains, last = [], 1.0
    while len(gains) < count:
        following = 1 + depth * random.uniform(-1, 1)
        for index in range(step):
            blend = (1 - math.cos(math.pi * index / step)) / 2
            gains.append(last + (following - last) * blend)
        last = following
    return gains[:count]


def burst(random, rate, seconds, decay_seconds, low_hz, high_hz):
    """A click: noise between two frequencies that dies away."""
    count = round(seconds * rate)
    body = biquad(biquad(white(random, count), "high", low_hz, rate), "low", high_hz, rate)
    return [x * math.exp(-i / (decay_seconds * rate)) for i, x in enumerate(body)]


def placed(count, sounds):
    """Sounds at their first samples on a silent track."""
    track = [0.0] * count
    for first, sound in sounds:
        for index, x in enumerate(sound[: max(0, count - first)]):
            track[first + index] += x
    return track


def fan(random, seconds, rate):
    """A ventilator: rumbling air, and the blades' hum with its harmonics."""
    count = round(seconds * rate)
    air = biquad(biquad(white(random, count), "low", 500, rate, 0.5), "low", 2500, rate, 0.5)
    gust = slow_wander(random, count, rate, 0.7, 0.25)
    phases = [random.uniform(0, 2 * math.pi) for _ in range(6)]
    hum = [
        sum(math.sin(2 * math.pi * 96.5 * (k + 1) * i / rate + p) / (k + 1) ** 1.5
            for k, p in enumerate(phases))
        for i in range(count)
    ]
    return mixed([a * g for a, g in zip(air, gust)], scaled(hum, 0.03))


def rain(random, seconds, rate):
    """Rain on a window: hiss, and drops of many sizes."""
    count = round(seconds * rate)
    hiss = biquad(white(random, count), "high", 1000, rate, 0.5)
    drops = []
    for _ in range(round(60 * seconds)):
        size = random.paretovariate(2)
        drop = burst(random, rate, 0.012, 0.003, 600, min(5000, 0.4 * rate))
        drops.append((random.randrange(count), scaled(drop, 0.8 * min(size, 6))))
    sway = slow_wander(random, count, rate, 1.5, 0.15)
    return mixed([h * 0.25 * g for h, g in zip(hiss, sway)], placed(count, drops))


def cafe(random, seconds, rate, guests=16):
    """A café: a murmur of far tables (speech-shaped noise, swelling at syllable rate, no words in
    it), a machine's hiss, and cups."""
    count = round(seconds * rate)
    murmur = [0.0] * count
    for _ in range(guests):
        formant = random.choice((300, 450, 650, 900, 1300))
        voice = biquad(white(random, count), "band", formant * random.uniform(0.8, 1.25), rate, 1.5)
        talk = slow_wander(random, count, rate, random.uniform(0.10, 0.18), 0.9)
        turns = slow_wander(random, count, rate, random.uniform(1.0, 2.5), 0.8)
        murmur = mixed(murmur, [v * t * u for v, t, u in zip(voice, talk, turns)])
    hiss = scaled(biquad(white(random, count), "high", 2000, rate), 0.12)
    cups = [(random.randrange(count), cup(random, rate)) for _ in range(round(seconds * 1.2))]
    return mixed(murmur, hiss, placed(count, cups))


def cup(random, rate):
    """China on china: a few high partials that ring for a moment."""
    partials = [random.uniform(1800, min(5500, 0.4 * rate)) for _ in range(4)]
    count, loudness = round(0.12 * rate), random.uniform(0.5, 2.0)
    return [
        loudness * math.exp(-i / (0.02 * rate))
        * sum(math.sin(2 * math.pi * f * i / rate) for f in partials)
        for i in range(count)
    ]


def keyboard(random, seconds, rate):
    """Typing: each key goes down and comes up, in runs with pauses, in a quiet room."""
    count, time, keys = round(seconds * rate), 0.4, []
    while time < seconds - 0.3:
        for offset, loudness in ((0, 1.0), (random.uniform(0.07, 0.11), 0.45)):
            click = burst(random, rate, 0.03, 0.005, 900, min(6000, 0.45 * rate))
            first = round((time + offset) * rate)
            keys.append((first, scaled(click, loudness * random.uniform(0.6, 1.2))))
        time += random.uniform(0.09, 0.22) if random.random() < 0.85 else random.uniform(0.5, 1.2)
    room = scaled(biquad(white(random, count), "low", 400, rate), 0.03)
    return mixed(room, placed(count, keys))
