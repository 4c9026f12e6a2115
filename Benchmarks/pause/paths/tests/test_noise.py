import unittest

from paths import noise
from paths.measures import mean_of_calls

from .common import VADMON, with_vadmon

A, B = (stream.key for stream in noise.SCENE.wanted[:2])
LOW = noise.LAYERS[0]


class NoiseTests(unittest.TestCase):
    def test_estimates_have_the_noise_that_is_asked_for(self):
        for memory in noise.MEMORIES:
            x = [bps / 1_000_000 - 1 for _, bps in noise.estimates(1_000_000, 0.1, memory, 1)]
            variance = sum(each * each for each in x) / len(x)
            self.assertAlmostEqual(variance**0.5, 0.1, delta=0.02)
            self.assertAlmostEqual(sum(map(float.__mul__, x, x[1:])) / len(x) / variance, memory, delta=0.1)

    def test_what_happens_in_the_beginning_does_not_count(self):
        sent = [(0, {}), (5_000, {A: LOW}), (9_800, {}), (10_000, {A: LOW, B: LOW}), (160_000, {A: LOW})]
        found = noise.measured(300_000, sent)
        self.assertEqual(found["worst"], 1)
        self.assertAlmostEqual(found["toggles"], 1 / 6 / 5)
        self.assertAlmostEqual(found["use"], 0.75)

    @with_vadmon
    def test_the_coordinator_is_steady(self):
        found = mean_of_calls([noise.measured(capacity, noise.of_coordinator(
            VADMON, {}, noise.estimates(capacity, 0.1, 0.5, 1))) for capacity in noise.CAPACITIES])
        self.assertLessEqual(found["toggles"], 0.2)
        self.assertGreaterEqual(found["use"], 0.75)
