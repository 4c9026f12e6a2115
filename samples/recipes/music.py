"""A short piece without words: four chords, a bass and a plucked melody."""

import math

BEAT_SECONDS = 0.5
# MIDI note numbers, four beats a chord: C, A minor, F, G.
CHORDS = ((60, 64, 67), (57, 60, 64), (53, 57, 60), (55, 59, 62))
MELODY = (72, 76, 79, 76, 72, 69, 72, 76, 77, 76, 72, 69, 71, 74, 79, 74)


def hertz(note):
    return 440 * 2 ** ((note - 69) / 12)


def tone(note, seconds, rate, attack, decay, harmonics):
    """A note whose harmonics fall off as 1/k² and die away with time."""
    frequency = hertz(note)
    count = round(seconds * rate)
    audible = [k for k in range(1, harmonics + 1) if k * frequency < 0.45 * rate]
    release = max(1, round(0.02 * rate))
    return [
        min(1, i / (attack * rate)) * min(1, (count - i) / release)
        * math.exp(-i / (decay * rate))
        * sum(math.sin(2 * math.pi * k * frequency * i / rate) / k**2 for k in audible)
        for i in range(count)
    ]


def piece(seconds, rate):
    track = [0.0] * round(seconds * rate)

    def play(time, sound, gain):
        first = round(time * rate)
        for index, x in enumerate(sound[: max(0, len(track) - first)]):
            track[first + index] += gain * x

    for beat in range(round(seconds / BEAT_SECONDS)):
        time = beat * BEAT_SECONDS
        chord = CHORDS[beat // 4 % len(CHORDS)]
        if beat % 4 == 0:
            for note in chord:
                play(time, tone(note, 4 * BEAT_SECONDS, rate, 0.08, 3.0, 5), 0.25)
        if beat % 2 == 0:
            play(time, tone(chord[0] - 12, 2 * BEAT_SECONDS, rate, 0.01, 0.6, 6), 0.5)
        play(time, tone(MELODY[beat % len(MELODY)], BEAT_SECONDS, rate, 0.005, 0.25, 8), 0.4)
    return track
