import unittest

from paths import faults
from paths.coordinator import Decision

from .common import LOW, VADMON, with_vadmon

A, B = ("a", "video"), ("b", "video")


class FaultTests(unittest.TestCase):
    def test_an_outage_of_a_millisecond_is_one_estimate(self):
        told = faults.outages(10_000, 1, 20_000)
        self.assertEqual([each for each in told if each[1] == 0], [(5_000, 0), (15_000, 0)])
        self.assertEqual(dict(told)[5_001], faults.PLENTY)
        self.assertEqual(len(told), 100 + 2)

    def test_an_outage_lasts_until_its_end(self):
        told = dict(faults.outages(8_000, 1_000, 16_000))
        self.assertEqual([at for at, bps in told.items() if bps == 0],
                         [*range(4_000, 5_000, 200), *range(12_000, 13_000, 200)])

    def test_what_is_forwarded_is_measured_by_hand(self):
        decisions = [Decision(at, shown, None) for at, shown in (
            (0, {}), (1_000, {A: LOW}), (2_000, {A: LOW, B: LOW}), (5_000, {B: LOW}), (5_000, {}), (9_000, {A: LOW}))]
        self.assertEqual(faults.shown(decisions, [A, B], 10_000), {
            "forwarded": (4 + 3 + 1) / 20, "dark": 0.5, "toggles": 3, "worst": 2, "first": 1.0, "all": 2.0})

    def test_a_picture_that_never_comes_has_no_time(self):
        found = faults.shown([Decision(0, {A: LOW}, None)], [A, B], 1_000)
        self.assertEqual((found["first"], found["all"], found["toggles"], found["dark"]), (0, None, 0, 0))
        self.assertIsNone(faults.shown([Decision(0, {}, None)], [A], 1_000)["first"])

    @with_vadmon
    def test_without_an_outage_everything_is_forwarded(self):
        fault = faults.call("no fault", [(at, faults.PLENTY) for at in range(0, 20_000, 200)], 20_000)
        found = faults.measure(VADMON, {}, fault)
        self.assertEqual((found["forwarded"], found["toggles"], found["first"]), (1, 0, 0))

    def test_each_fault_has_a_title_of_its_own_and_lines_in_order(self):
        found = list(faults.all_faults())
        self.assertEqual(len({fault.title for fault in found}), len(found))
        for fault in found:
            times = [line["at"] for line in fault.lines]
            self.assertEqual(times, sorted(times))
