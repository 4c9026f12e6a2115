"""Tests the reference algorithm against its reference values, and the scoring against cases computed by hand.

    cd Benchmarks/speakers && python3 -m unittest
"""

import unittest

import meetings
import numpy as np
import scoring
import volfin_cohen
from meetings import Meeting, Turn

# Computed by an independent model of jitsi-utils' formula.
REFERENCE_SCORES = (
    (0, 0, 0, 0, 0.929831, 2.297617, 3.365299, 4.145299, 4.637617, 4.829831, 4.69354, 4.174257, 3.162497),
    (0, 18.965648, 43.658795, 67.658795, 90.965648, 113.35621),
    (0, 38.520966, 87.025043, 135.005872, 182.565488, 229.74781, 276.565488, 323.005872, 369.025043, 414.520966,
     459.218381),
)


class VolfinCohenTests(unittest.TestCase):
    def test_the_scores_are_the_reference_values(self):
        for table, reference in zip(volfin_cohen.TABLES, REFERENCE_SCORES):
            np.testing.assert_allclose(table[: len(reference)], reference, atol=5e-7)

    def test_the_immediate_score_peaks_at_nine(self):
        self.assertEqual(int(np.argmax(volfin_cohen.TABLES[0])), 9)

    def test_levels_within_ten_of_the_floor_count_as_none(self):
        speaker = volfin_cohen.Speaker()
        for level in (81, 90, 91):
            speaker.add(level, 0)
        immediate, *_ = volfin_cohen.TABLES
        self.assertEqual(speaker.scores()[0], immediate[9])
        speaker.add(90, 0)
        self.assertEqual(speaker.scores()[0], immediate[0])

    def test_the_floor_rises_to_the_geometric_mean_after_its_window(self):
        floor = volfin_cohen.NoiseFloor()
        floor.add(25)
        for _ in range(volfin_cohen.FLOOR_WINDOW):
            floor.add(100)
        self.assertEqual(floor.value, 50)

    def test_the_dominant_changes_only_at_decisions_and_to_who_speaks(self):
        rows = [(ms, who, 20 if (who == 1) == (ms > 3000) else 90, 1, 1.0)
                for ms in range(20, 6001, 20) for who in (0, 1)]
        found = volfin_cohen.switches(rows, 2)
        self.assertEqual([who for _, who in found], [0, 1])
        self.assertTrue(all(ms % 300 == 0 for ms, _ in found))
        self.assertTrue(3000 < found[1][0] < 4500)


class ScoringTests(unittest.TestCase):
    turns = [Turn(0, 1, 5), Turn(1, 5.2, 9), Turn(0, 8, 12)]

    def judge(self, switches):
        return scoring.judge(Meeting("m", 3, 13, self.turns), switches)

    def test_right_switches_are_delays_and_never_false(self):
        result = self.judge([(1300, 0), (5700, 1), (9100, 0)])
        np.testing.assert_allclose(result.delays, [0.3, 0.5, 1.1])
        self.assertEqual((result.missed, result.false), (0, 0))

    def test_a_switch_to_who_has_no_turn_is_false_and_so_is_none_of_the_way_back(self):
        self.assertEqual(self.judge([(1300, 0), (2000, 2), (2500, 0), (5700, 1), (9100, 0)]).false, 1)

    def test_back_and_forth_inside_overlapping_turns_is_false(self):
        self.assertEqual(self.judge([(1300, 0), (5700, 1), (8300, 0), (8600, 1), (8800, 0)]).false, 2)

    def test_a_turn_that_nobody_sees_is_missed(self):
        result = self.judge([(1300, 0)])
        self.assertEqual((result.missed, len(result.delays)), (1, 1))  # the speaker of the third turn is still dominant

    def test_intervals_of_equal_meetings_are_points_and_of_others_span_them(self):
        def meeting(delay, false):
            return scoring.Result([delay], 0, false, 1, 1, 3600)

        equal = scoring.intervals([meeting(0.5, 3)] * 4, [meeting(0.7, 4)] * 4, draws=20)
        self.assertEqual(list(equal.values()), [[500, 500], [3, 3], [-200, -200], [-1, -1]])
        mixed = scoring.intervals([meeting(0.1, 0), meeting(0.9, 10)], [meeting(0.1, 0)] * 2, draws=200)
        self.assertEqual(mixed["delay_p50_ms"], [100, 900])
        self.assertEqual(mixed["false_per_hour"], [0, 10])

    def test_right_time_counts_cells_by_hand(self):
        right, anybody = scoring.right_time([Turn(0, 1, 2)], [(1500, 0)], 3)
        self.assertAlmostEqual(right, 0.5, places=6)
        self.assertAlmostEqual(anybody, 1.0, places=6)


class PacketTests(unittest.TestCase):
    def test_levels_are_whole_and_end_at_silence_and_full_scale(self):
        track = np.concatenate([np.zeros(320), np.ones(320), np.full(320, 0.1)])
        self.assertEqual(list(meetings.levels(track)), [127, 0, 20])

    def test_a_posterior_arrives_no_sooner_than_its_look_ahead(self):
        known = meetings.newest_known(np.arange(1, 11) / 10, 5)  # hop k is decided when hop k + 3 is over
        np.testing.assert_allclose(known, [0, 0.1, 0.3, 0.5, 0.7])

    def test_dtx_sends_each_twentieth_packet_of_a_long_silence(self):
        voice = np.zeros(200, bool)
        sent = meetings.sent(voice, np.random.default_rng(1), True, 0)
        self.assertTrue(sent[:10].all())
        self.assertEqual(list(np.flatnonzero(sent[10:]) + 1), list(range(20, 200, 20))[: sent[10:].sum()])

    def test_losses_come_in_the_share_that_was_asked_for(self):
        sent = meetings.sent(np.ones(100_000, bool), np.random.default_rng(1), False, 0.02)
        self.assertAlmostEqual(1 - sent.mean(), 0.02, delta=0.002)


if __name__ == "__main__":
    unittest.main()
