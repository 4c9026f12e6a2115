import unittest

from paths import closed_loop, recovery
from paths.layers import Layer
from paths.policies import Immediate

from .common import VADMON, scene, stream, with_vadmon

SMALL, LARGE = Layer(0, 0, 180, 30, 150_000), Layer(1, 0, 360, 30, 500_000)
A, B = stream("a", SMALL, LARGE), stream("b", SMALL)


def measured(rates, changes):
    """Watches a call in which from each time in seconds on these layers of A and B are shown."""
    meter = recovery.Meter(recovery.Trace("x", recovery.rates(*rates)))
    shown = {}
    for now in range(0, meter.trace.end, 20):
        shown = changes.get(now / 1000, shown)
        meter.set(now, scene(A, B), shown)
        meter.advance(0)
    return meter.result(None)


class MeterTests(unittest.TestCase):
    def test_darkness_counts_while_the_path_is_wide(self):
        rates = (5, recovery.WIDE), (3, 0), (2, recovery.WIDE), (1, 0), (9, recovery.WIDE)
        changes = {0: {A.key: SMALL}, 6: {}, 9.5: {A.key: SMALL}, 10.5: {}, 12: {A.key: SMALL}, 13: {B.key: SMALL},
                   13.6: {A.key: SMALL}}
        self.assertEqual(measured(rates, changes)["missing"], 1.5)  # of 8 to 9.5, 11 to 12 and 13 to 13.6 s

    def test_pictures_and_the_size_count_from_the_last_narrow_moment_on(self):
        rates = (2, recovery.WIDE), (3, 500_000), (10, 5_000_000)
        both, large = {A.key: SMALL, B.key: SMALL}, {A.key: LARGE}
        found = measured(rates, {0: {A.key: LARGE, B.key: SMALL}, 3: {B.key: SMALL}, 7: large, 8.5: both, 9: {}})
        self.assertEqual((found["size"], found["all"]), (2, 3.5))
        self.assertIsNone(measured(rates, {0: large})["all"])

    def test_the_speaker_comes_first(self):
        [found] = recovery.subscriber.scenes(recovery.lines(9))
        self.assertEqual((found.wanted[0].key, len(found.wanted)), (("p0", "video"), 9))


class RecoveryTests(unittest.TestCase):
    def test_who_sends_no_video_never_recovers(self):
        found = recovery.measure(closed_loop.AudioAlone, 1)
        self.assertEqual(found, {"alone": 60, "speaker": 60, "all": None, "size": None})

    def test_a_policy_recovers(self):
        found = recovery.measure(lambda: closed_loop.Modelled(Immediate(), True), 1)
        self.assertTrue(all(0 < found[name] < 20 for name in ("all", "size")), found)

    @with_vadmon
    def test_the_coordinator_is_back_soon(self):
        found = recovery.measure(lambda: closed_loop.Coordinator(VADMON, {}), 1)
        for name, most in (("alone", 5), ("speaker", 5), ("all", 4), ("size", 6.5)):
            self.assertLessEqual(found[name], most, name)
