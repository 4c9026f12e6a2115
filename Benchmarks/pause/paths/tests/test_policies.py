import unittest

from paths import policies
from paths.policies import Immediate, Jitsi, LiveKit, Mediasoup, Signal, share

from .common import HIGH, LOW, MIDDLE, stream

TWO = (stream("a"), stream("b"))  # 100, 300 and 900 kbit/s each


class ShareTests(unittest.TestCase):
    def test_every_base_layer_comes_before_the_next_size(self):
        for budget, levels in ((99_999, [-1, -1]), (100_000, [0, -1]), (200_000, [0, 0]), (399_999, [0, 0]),
                               (400_000, [1, 0]), (600_000, [1, 1]), (1_200_000, [2, 1]), (1_800_000, [2, 2])):
            self.assertEqual(share(TWO, budget), levels, budget)

    def test_a_cheaper_stream_takes_what_a_dearer_one_cannot(self):
        self.assertEqual(share((stream("a", MIDDLE), stream("b", LOW)), 150_000), [-1, 0])
        self.assertEqual(share((), 1_000_000), [])

    def test_what_is_added_must_fit_the_growth(self):
        self.assertEqual(share(TWO, 600_000, current=[1, -1], growth=199_999), [1, -1])
        self.assertEqual(share(TWO, 600_000, current=[1, -1], growth=200_000), [1, 0])
        self.assertEqual(share(TWO, 600_000, current=[0, 0], growth=400_000), [1, 0])
        self.assertEqual(share(TWO, 99_999, current=[1, 1], growth=900_000), [-1, -1])

    def test_no_stream_exceeds_its_limit(self):
        self.assertEqual(share(TWO, 10_000_000, limits=[0, 1]), [0, 1])

    def test_steps_and_raising(self):
        self.assertEqual(policies.steps(TWO, [-1, 2]), [100_000, None])
        self.assertEqual(policies.steps(TWO, [0, 1]), [200_000, 600_000])
        self.assertEqual(policies.raised(TWO, [-1, -1], 350_000), [0, 0])
        self.assertEqual(policies.raised(TWO, [0, -1], 800_000), [1, 1])


class Played:
    """A policy with the first decision made, and what it decides on later estimates."""

    def __init__(self, policy, estimate, wanted=TWO):
        self.policy, self.wanted = policy, wanted
        self.first = policy.levels(0, estimate, wanted, True)

    def at(self, now, estimate, changed=False):
        return self.policy.levels(now, estimate, self.wanted, changed)


class PolicyTests(unittest.TestCase):
    def test_immediate_follows_each_estimate(self):
        played = Played(Immediate(), 600_000)
        self.assertEqual([played.first, played.at(1, 0), played.at(2, 200_000)], [[1, 1], [-1, -1], [0, 0]])

    def test_jitsi_ignores_15_percent_for_5_s(self):
        played = Played(Jitsi(), 600_000)
        self.assertEqual(played.first, [1, 1])
        self.assertEqual(played.at(100, 511_000), [1, 1])
        self.assertEqual(played.at(200, 509_000), [1, 0])
        played = Played(Jitsi(), 600_000)
        self.assertEqual(played.at(5_000, 511_000), [1, 1])
        self.assertEqual(played.at(5_001, 511_000), [1, 0])

    def test_mediasoup_decides_once_a_second_unless_the_estimate_jumps(self):
        played = Played(Mediasoup(), 600_000)
        self.assertEqual(played.at(999, 451_000), [1, 1])
        self.assertEqual(played.at(999, 449_000), [1, 0])
        played = Played(Mediasoup(), 600_000)
        self.assertEqual(played.at(1_000, 500_000), [1, 0])

    def test_mediasoup_gives_no_larger_size_for_10_s_after_a_fall(self):
        played = Played(Mediasoup(), 600_000)
        self.assertEqual(played.at(1_000, 500_000), [1, 0])
        self.assertEqual(played.at(2_000, 3_000_000), [2, 0])
        self.assertEqual(played.at(10_999, 3_000_000), [2, 0])
        self.assertEqual(played.at(12_000, 3_000_000), [2, 2])

    def test_signal_adds_by_the_lowest_of_the_last_seconds(self):
        played = Played(Signal(), 200_000)
        self.assertEqual(played.first, [0, 0])
        self.assertEqual(played.at(2_500, 1_800_000), [0, 0])
        self.assertEqual(played.at(2_501, 1_800_000, changed=True), [0, 0])  # the window before still has 200 kbit/s
        self.assertEqual(played.at(5_001, 1_800_000, changed=True), [0, 0])
        self.assertEqual(played.at(5_002, 1_800_000, changed=True), [2, 2])

    def test_signal_waits_a_second_to_cut_a_tenth(self):
        played = Played(Signal(), 600_000)
        self.assertEqual(played.at(500, 541_000), [1, 1])
        self.assertEqual(played.at(500, 539_000), [1, 0])
        played = Played(Signal(), 600_000)
        self.assertEqual(played.at(1_000, 541_000), [1, 0])

    def test_livekit_sends_all_until_it_is_short_for_400_ms(self):
        played = Played(LiveKit(), 1_000_000)
        self.assertEqual(played.first, [2, 2])
        self.assertEqual(played.at(399, 1_000_000), [2, 2])
        self.assertEqual(played.at(400, 1_000_000), [1, 1])
        self.assertEqual(Played(LiveKit(), 1_710_000).at(4_000, 1_710_000), [2, 2])  # 95 % are enough

    def test_livekit_grows_when_a_probe_after_3_s_finds_a_step_and_a_fifth(self):
        played = Played(LiveKit(), 1_000_000)
        played.at(400, 1_000_000)
        self.assertEqual(played.at(3_399, 2_000_000), [1, 1])
        self.assertEqual(played.at(3_400, 1_300_000), [1, 1])  # 600 + 1.2 x 600 are more than that
        self.assertEqual(played.at(7_899, 1_400_000), [1, 1])  # the next probe is 4.5 s later
        self.assertEqual(played.at(7_900, 1_400_000), [2, 1])

    def test_a_ladder_that_became_shorter_holds_what_is_sent(self):
        policy = Jitsi()
        policy.levels(0, 1_800_000, TWO, True)
        self.assertEqual(policy.current((stream("a", LOW), stream("b"), stream("c", HIGH))), [0, 2, -1])
