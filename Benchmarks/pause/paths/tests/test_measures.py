import random
import unittest

from paths import replay
from paths.measures import Changes, Meter, mean_of_calls, most_within
from paths.policies import Immediate
from paths.traces import Trace

from .common import HIGH, LOW, MIDDLE, constant, scene, stream

A, B = stream("a", weight=3), stream("b")


class MeterTests(unittest.TestCase):
    def measured(self, rate, *spans, end=20_000):
        """Returns the measures of (time, scene, shown) on a constant path."""
        meter = Meter(constant(rate))
        for span in spans:
            meter.set(*span)
        return meter.result(end)

    def test_quality_is_weighted_by_importance_and_time(self):
        both = scene(A, B)
        found = self.measured(1e6, (0, both, {A.key: HIGH}), (5_000, both, {A.key: MIDDLE, B.key: LOW}))
        # a quarter of the time 3 of 4, then 3 x 0.75 + 1 x 0.5 of 4
        self.assertAlmostEqual(found["quality"], 0.25 * 0.75 + 0.75 * (2.25 + 0.5) / 4)
        self.assertEqual(found["dark"], 0)

    def test_the_best_wanted_layer_is_worth_one(self):
        small = stream("a", LOW)
        self.assertEqual(self.measured(1e6, (0, scene(small), {small.key: LOW}))["quality"], 1)

    def test_use_and_shortfall_count_audio(self):
        spans = (0, scene(A, audio=50_000), {A.key: HIGH}), (15_000, scene(A, audio=50_000), {A.key: LOW})
        found = self.measured(500_000, *spans)
        self.assertEqual(found["shortfall"], 0.75)
        self.assertAlmostEqual(found["use"], (0.75 * 450 + 0.25 * 100) / 450)
        for rate, shortfall in ((150_000, 0), (149_999, 1)):
            found = self.measured(rate, (0, scene(A, audio=50_000), {A.key: LOW}))
            self.assertEqual(found["shortfall"], shortfall)

    def test_toggles_are_those_of_streams_that_stay_wanted(self):
        spans = [(0, scene(A, B), {}), (1_000, scene(A, B), {A.key: LOW}), (2_000, scene(B), {}),
                 (3_000, scene(A, B), {}), (4_000, scene(A, B), {A.key: LOW, B.key: LOW})]
        found = self.measured(1e6, *spans)
        minutes = (19_000 + 20_000) / 60_000  # of A, which is not wanted for a second, and of B
        self.assertAlmostEqual(found["toggles"], 3 / minutes)

    def test_it_is_dark_while_nothing_that_is_wanted_is_shown(self):
        spans = (0, scene(A, B), {}), (2_000, scene(A, B), {B.key: LOW}), (5_000, scene(A), {}), (6_000, scene(), {})
        self.assertAlmostEqual(self.measured(1e6, *spans)["dark"], 3 / 20)

    def test_a_call_without_video_has_no_quality_and_is_not_dark(self):
        found = self.measured(1e6, (0, scene(), {}))
        self.assertEqual((found["quality"], found["toggles"], found["dark"], found["use"]), (None, None, 0, None))


class ReplayTests(unittest.TestCase):
    def test_steps_merge_estimates_and_scenes(self):
        first, second = scene(A), scene(A, B, at=150)
        steps = replay.steps([first, second], [(0, 10), (100, 20), (200, 30)])
        self.assertEqual([(step.at, step.estimate, len(step.scene.wanted), step.changed) for step in steps],
                         [(0, 10, 1, True), (100, 20, 1, False), (150, 20, 2, True), (200, 30, 2, False)])

    def test_a_policy_gets_the_estimate_with_or_without_the_reserve(self):
        steps = [replay.Step(0, 350_000, scene(A, reserve=100_000), True)]
        for takes_reserve, quality in ((False, 0.75), (True, 0.5)):
            found = replay.measure_policy(Immediate(), takes_reserve, constant(1e6), steps)
            self.assertEqual(found["quality"], quality)

    def test_to_know_the_capacity_is_to_have_it_as_the_estimate(self):
        trace = Trace("x", [1e6] * 100 + [2e6] * 100)
        steps = replay.steps([scene(A)], [(at, 7) for at in range(0, 20_001, 5_000)])
        self.assertEqual([step.estimate for step in replay.knowing(steps, trace)],
                         [1e6, 1e6, trace.mean(9_760, 10_260), 2e6, 2e6])


class ChangesTests(unittest.TestCase):
    def test_the_most_in_any_minute_is_that_of_every_window(self):
        draw = random.Random(1)
        for _ in range(200):
            times = sorted(draw.randrange(300) for _ in range(draw.randrange(12)))
            span = draw.randrange(1, 100)
            naive = max((sum(start <= at < start + span for at in times) for start in range(300)), default=0)
            self.assertEqual(most_within(times, span), naive)

    def test_a_new_pin_starts_a_new_record(self):
        changes, pinned = Changes(), stream("a", pinned_at=1)
        for at in range(6):
            changes.set(at, (A,), {A.key: LOW} if at % 2 else {})
        self.assertEqual((changes.toggles, changes.most_in_a_minute()), (5, 5))
        for at in range(6, 9):
            changes.set(at, (pinned,), {A.key: LOW} if at % 2 else {})
        self.assertEqual((changes.toggles, changes.most_in_a_minute()), (8, 5))


class MeanTests(unittest.TestCase):
    def test_calls_that_say_nothing_are_left_out_and_the_worst_is_kept(self):
        found = mean_of_calls([{"first": None, "worst": 2}, {"first": 3, "worst": 7}, {"first": 5, "worst": 0}])
        self.assertEqual(found, {"first": 4, "worst": 7})
        self.assertEqual(mean_of_calls([{"first": None, "worst": 0}]), {"first": None, "worst": 0})
