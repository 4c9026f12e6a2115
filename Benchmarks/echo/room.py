"""Impulse responses of shoebox rooms: image sources for the early sound, and decaying noise or further images for the
rest."""

import numpy as np
import pyroomacoustics

SPEED_OF_SOUND = 343.0  # m/s
IMAGES_SECONDS = 0.05   # the images' part behind the direct sound; by then they are dense
ORDER_MAX = 80          # of images in reverberant rooms: the last are 1 to 2 s late
TAPS = 32               # of the windowed sinc that puts a reflection between two samples


def reflection_of(dimensions, rt60):
    """Returns the factor by which a wall reflects pressure, all walls alike, after Eyring."""
    x, y, z = dimensions
    volume, surface = x * y * z, 2 * (x * y + x * z + y * z)
    return np.exp(-0.5 * 0.161 * volume / (surface * rt60))


def images(dimensions, source, microphone, reach):
    """Returns distances in metres, up to `reach`, and counts of reflections of the source and its images."""
    offsets, bounces = [], []
    for length, s, m in zip(dimensions, source, microphone):
        n = np.arange(-int(reach / (2 * length)) - 1, int(reach / (2 * length)) + 2)
        offsets.append(np.concatenate([2 * n * length + s - m, 2 * n * length - s - m]))
        bounces.append(np.concatenate([abs(2 * n), abs(2 * n - 1)]))
    squares = [offset**2 for offset in offsets]
    distance = np.sqrt(squares[0][:, None, None] + squares[1][:, None] + squares[2]).ravel()
    count = (bounces[0][:, None, None] + bounces[1][:, None] + bounces[2]).ravel()
    near = distance <= reach
    return distance[near], count[near]


def response(random, dimensions, source, microphone, rt60, rate):
    """Returns the impulse response from `source` to `microphone`, both in metres from a corner. Sample 0 is the moment
    of the impulse; the direct sound of a source 1 m away has the amplitude 1."""
    direct = np.linalg.norm(np.subtract(source, microphone)) / SPEED_OF_SOUND
    early = direct + IMAGES_SECONDS
    distance, count = images(dimensions, source, microphone, early * SPEED_OF_SOUND)
    amplitude = reflection_of(dimensions, rt60) ** count / np.maximum(distance, 0.05)

    split = int(early * rate)
    length = split + int(rt60 * rate)
    place = distance / SPEED_OF_SOUND * rate
    taps = np.floor(place).astype(int)[:, None] + np.arange(1 - TAPS // 2, TAPS // 2 + 1)
    offset = taps - place[:, None]
    weights = amplitude[:, None] * np.sinc(offset) * np.cos(np.pi * offset / (TAPS + 2)) ** 2
    inside = (taps >= 0) & (taps < length)
    sound = np.bincount(taps[inside], weights[inside], length)

    # The noise goes on where the images end, at the energy that they have there.
    window = int(0.015 * rate)
    decay = 10 ** (-3 * np.arange(length - split + window) / (rt60 * rate))
    energy = np.mean((sound[split - window:split] / decay[:window]) ** 2)
    sound[split:] = random.standard_normal(length - split) * np.sqrt(energy) * decay[window:]
    return sound


def response_of_images(random, dimensions, source, microphone, rt60, rate):
    """Does the same as response() with images alone, by pyroomacoustics. The decay is not quite exponential: sound lasts
    longest between the walls that are farthest apart. Nothing is random."""
    absorption, order = pyroomacoustics.inverse_sabine(rt60, dimensions)
    box = pyroomacoustics.ShoeBox(dimensions, fs=rate, materials=pyroomacoustics.Material(absorption),
                                  max_order=min(order, ORDER_MAX))
    box.add_source(source)
    box.add_microphone(microphone)
    box.compute_rir()
    before = pyroomacoustics.constants.get("frac_delay_length") // 2  # of its sinc, in front of the moment of the impulse
    return box.rir[0][0][before:]
