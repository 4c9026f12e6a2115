import random
import statistics
import unittest

from paths.estimators import ESTIMATORS, Noise, estimates, estimates_without_noise
from paths.traces import Trace

from .common import constant

GCC, KINDER = ESTIMATORS["gcc"], ESTIMATORS["kinder"]


def falling(before, after, at=30, seconds=60):
    return Trace("test-falling", [before] * (10 * at) + [after] * (10 * (seconds - at)))


class EstimatorTests(unittest.TestCase):
    def test_each_finds_a_constant_capacity(self):
        for kind in ESTIMATORS.values():
            found = [rate for at, rate in estimates_without_noise(kind, constant(2e6, 60), 100) if at > 30_000]
            self.assertTrue(0.85 * 2e6 <= min(found), kind.title)
            self.assertLess(max(found), kind.overuse * 2e6 * 1.01)

    def test_a_fall_is_seen_after_150_ms_and_soon_believed(self):
        for kind in ESTIMATORS.values():
            before = list(estimates_without_noise(kind, constant(2e6, 60), 50))
            found = list(estimates_without_noise(kind, falling(2e6, 1e6), 50))
            unseen = 30_150 // 50 + 1
            self.assertEqual(found[:unseen], before[:unseen])
            self.assertNotEqual(found[:unseen + 20], before[:unseen + 20])
            self.assertTrue(all(rate <= kind.overuse * 1e6 * 1.01 for at, rate in found if at > 32_500), kind.title)

    def test_gcc_follows_a_path_to_nothing_and_the_kinder_one_stops_at_50_kbit(self):
        found = dict(estimates_without_noise(GCC, falling(2e6, 0), 100))
        self.assertEqual(found[31_000], 0)
        rates = [rate for at, rate in estimates_without_noise(KINDER, falling(2e6, 0), 100) if at >= 30_000]
        self.assertTrue(all(later >= 0.7 * rate - 1 for rate, later in zip(rates, rates[1:])))
        self.assertEqual(rates[-1], 50_000)

    def test_gcc_needs_a_probe_to_see_a_large_rise(self):
        """Between probes, which are 5 s apart, it rises by 8 % a second."""
        rates = dict(estimates_without_noise(GCC, Trace("test-rise", [200e3] * 300 + [4e6] * 300), 100))
        first, second, *_ = [at for at in range(30_000, 60_000, 100) if rates[at] > 1.2 * rates[at - 100]]
        # The first may see three new half seconds and a little of a fourth, 150 ms late.
        self.assertTrue(31_700 <= first <= 37_000, first)
        self.assertEqual(second - first, 5_000)
        self.assertAlmostEqual(rates[second], 0.85 * 4e6)
        for start, end in ((30_000, first), (first, second)):
            self.assertLess(rates[end - 100] / rates[start], 1.1 ** ((end - start) / 1_000))

    def test_an_estimate_comes_in_each_period_to_the_end(self):
        trace = constant(1e6)
        for seed in range(8):
            times = [at for at, _ in estimates(GCC, trace, seed)]
            self.assertIn(times[1], GCC.periods)
            self.assertEqual(times, list(range(0, trace.end, times[1])))
        self.assertEqual(estimates(GCC, trace, 1), estimates(GCC, trace, 1))
        self.assertNotEqual(estimates(GCC, trace, 1), estimates(GCC, trace, 2))

    def test_the_noise_has_its_deviation_and_its_memory(self):
        noise = Noise(random.Random(1), 0.04)
        found = [noise.apply(1_000_000) / 1_000_000 - 1 for _ in range(50_000)]
        self.assertAlmostEqual(statistics.pstdev(found), 0.04, delta=0.003)
        self.assertAlmostEqual(statistics.correlation(found[:-1], found[1:]), 0.9, delta=0.02)
