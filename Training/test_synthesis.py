"""Holds synthesised sounds to what they are called, by oracles of their own."""

import unittest

import numpy as np

import synthesise
from labels import hop_levels
from synthesis import animals, objects, people
from synthesis.sound import RATE

SEEDS = range(6)


def made(family, seed):
    return synthesise.NOISE[family][0](np.random.default_rng(seed))


def lengths(samples, below=20, gap=3):
    """Milliseconds of each stretch less than `below` dB under the loudest hop; gaps of up to `gap` hops are filled."""
    on = hop_levels(samples) > hop_levels(samples).max() - below
    edges = np.flatnonzero(np.diff(np.pad(on.astype(int), 1))).reshape(-1, 2)
    joined = [list(edges[0])]
    for start, end in edges[1:]:
        if start - joined[-1][1] <= gap:
            joined[-1][1] = end
        else:
            joined.append([start, end])
    return 10 * np.diff(joined).ravel()


def strongest_hz(samples, low=100, high=4000):
    power, hertz = np.abs(np.fft.rfft(samples * np.hanning(len(samples)))) ** 2, np.fft.rfftfreq(len(samples), 1 / RATE)
    inside = (hertz >= low) & (hertz < high)
    return hertz[inside][power[inside].argmax()]


def tonality(samples):
    """The share of the power that lies in the strongest hundredth of the spectrum."""
    power = np.sort(np.abs(np.fft.rfft(samples)) ** 2)
    return power[-len(power) // 100 :].sum() / power.sum()


class SoundTests(unittest.TestCase):
    def test_the_same_seed_gives_the_same_sound(self):
        for family in [*people.FAMILIES, 'horse', 'monkey', 'parrot', 'frying', 'brakes']:
            a, b = made(family, 5), made(family, 5)
            np.testing.assert_array_equal(a, b)
            self.assertTrue(np.isfinite(a).all() and a.any(), family)

    def test_a_family_has_one_owner(self):
        names = [name for module in (people, animals, objects) for name in module.FAMILIES]
        self.assertEqual(len(names), len(set(names)))


class PeopleTests(unittest.TestCase):
    def test_throats_give_little_treble(self):
        """In recordings of coughs, sneezes and laughs, 10 to 25 dB less lies above 3 kHz than in all."""
        for family in 'cough', 'sneeze', 'laugh', 'throat':
            shares = []
            for seed in range(12):
                power = np.abs(np.fft.rfft(made(family, seed))) ** 2
                treble = power[len(power) * 3 // 8 :].sum() / power.sum()
                shares.append(10 * np.log10(treble))
            self.assertTrue(-30 < np.median(shares) < -7, (family, shares))

    def test_a_cough_lasts_a_tenth_to_six_tenths_of_a_second(self):
        for seed in SEEDS:
            found = lengths(made('cough', seed), gap=0)
            self.assertTrue(100 <= np.median(found) <= 600, found)

    def test_a_laugh_has_four_to_seven_notes_a_second(self):
        for seed in SEEDS:
            levels = hop_levels(made('laugh', seed))
            levels = np.maximum(levels, levels.max() - 30)
            levels -= levels.mean()
            correlation = np.correlate(levels, levels, 'full')[len(levels) - 1 :]
            lag = 11 + int(correlation[11:30].argmax())  # 110 … 300 ms
            self.assertTrue(3.3 < 100 / lag < 8.5, 100 / lag)

    def test_throats_are_cleared_in_rasps_of_a_low_pitch(self):
        for seed in SEEDS:
            sound = made('throat', seed)
            found = lengths(sound)
            self.assertTrue(120 <= np.median(found) <= 1800, found)
            self.assertLess(len(found) / (len(sound) / RATE), 3)

    def test_a_sigh_is_long_and_dies_away(self):
        for seed in SEEDS:
            sound = made('sigh', seed)
            self.assertTrue(350 <= np.median(lengths(sound)) <= 1800)
            levels = hop_levels(sound)
            self.assertLess(np.abs(np.diff(levels[levels > levels.max() - 15])).mean(), 6)


class AnimalTests(unittest.TestCase):
    def test_a_whinny_falls_and_shakes(self):
        falls = []
        for seed in range(12):
            sound = made('horse', seed)
            third = len(sound) // 3
            falls.append(strongest_hz(sound[:third], 200) / strongest_hz(sound[-third:], 200))
        self.assertGreater(np.median(falls), 1)

    def test_a_monkey_grows_louder(self):
        for seed in SEEDS:
            sound = made('monkey', seed)
            first, last = (np.sqrt((half**2).mean()) for half in np.array_split(sound, 2))
            self.assertGreater(last, first)

    def test_a_parrot_calls_high_and_shortly(self):
        for seed in SEEDS:
            sound = made('parrot', seed)
            self.assertGreater(strongest_hz(sound, 100, 8000), 330)
            self.assertLess(np.median(lengths(sound, gap=0)), 900)


class ThingTests(unittest.TestCase):
    def test_frying_pops_and_has_no_tone(self):
        for seed in SEEDS:
            sound = made('frying', seed)
            self.assertGreater(np.abs(sound).max() / np.sqrt((sound**2).mean()), 6)
            self.assertLess(tonality(sound), 0.5)

    def test_brakes_squeal(self):
        for seed in SEEDS:
            sound = made('brakes', seed)
            self.assertTrue(250 < strongest_hz(sound, 200, 8000) < 3600)
            self.assertGreater(tonality(sound), 0.2)  # of white noise it is 0.06


if __name__ == '__main__':
    unittest.main()
