import unittest
from types import SimpleNamespace

from paths import calls, closed_loop, coordinator, replay, subscriber
from paths.bottleneck import LoopEstimator, Path
from paths.estimators import ESTIMATORS, estimates
from paths.policies import Immediate
from paths.traces import Trace

from .common import HIGH, LOW, VADMON, constant, scene, stream, with_vadmon

A = stream("a")


def carried(path, rate, milliseconds):
    for _ in range(milliseconds // 20):
        path.carry(rate)


class PathTests(unittest.TestCase):
    def test_what_fits_passes_without_delay(self):
        path = Path(constant(1e6))
        carried(path, 1e6, 1_000)
        self.assertEqual((path.delay, path.queued, path.loss), (0, 0, 0))
        self.assertAlmostEqual(path.rate(25), 1e6)

    def test_the_delay_is_the_queue_divided_by_the_rate(self):
        path = Path(constant(1e6))
        carried(path, 1.5e6, 1_000)
        self.assertAlmostEqual(path.queued, 500_000)
        self.assertAlmostEqual(path.delay, 500 / 1.5, delta=20)  # the oldest bits came when 1 of 1.5 Mbit were due
        carried(path, 0, 500)
        self.assertEqual(path.delay, 0)

    def test_an_outage_delays_by_its_length(self):
        path = Path(Trace("x", [1e6] * 10 + [0] * 10 + [1e6] * 80))
        carried(path, 200e3, 2_000)
        self.assertEqual(path.delay, 1_000)

    def test_bits_wait_while_nothing_is_sent(self):
        path = Path(Trace("x", [1e6] * 10 + [0] * 10 + [1e6] * 80))
        carried(path, 1.1e6, 1_000)
        carried(path, 0, 500)
        self.assertAlmostEqual(path.delay, 500 + 100 / 1.1, delta=20)

    def test_the_queue_drops_what_exceeds_a_second_of_the_mean_rate(self):
        path = Path(constant(1e6))
        carried(path, 3e6, 2_000)
        self.assertAlmostEqual(path.queued, 1e6, delta=20_000)
        self.assertAlmostEqual(path.lost[-1], 3e6, delta=20_000)
        self.assertAlmostEqual(path.loss, 2 / 3)

    def test_no_bit_is_lost_from_the_books(self):
        trace = Trace("x", [rate * 1e5 for rate in (3, 0, 9, 1, 20, 2, 0, 0, 7, 5)] * 10)
        path = Path(trace)
        for place in range(trace.end // 20):
            path.carry(place * 7_919 % 1_500_000)
            self.assertAlmostEqual(path.sent[-1], path.delivered[-1] + path.queued + path.lost[-1], delta=1_000)


class EstimatorTests(unittest.TestCase):
    def test_a_sender_that_follows_it_finds_the_path_without_a_long_queue(self):
        path, estimator = Path(constant(1e6, 120)), LoopEstimator(1)
        for now in range(0, 120_000, 20):
            if now % 100 == 0:
                estimator.update(now, path)
            path.carry(estimator.estimate)
            if now > 30_000:
                self.assertTrue(0.75e6 < estimator.estimate < 1.3e6, (now, estimator.estimate))
                self.assertLess(path.delay, 400)

    def test_an_estimate_arrives_with_the_next_report(self):
        path, estimator = Path(constant(1e6)), LoopEstimator(1)
        estimator.update(0, path)
        sent, state = estimator.told[1]
        carried(path, 0, 100)
        self.assertEqual(estimator.estimate, 300_000)
        estimator.update(100, path)
        self.assertEqual((estimator.estimate, estimator.congestion), (sent, state))

    def test_a_queue_of_more_than_12_tenths_of_a_second_is_congestion(self):
        path, estimator, states = Path(constant(50e3)), LoopEstimator(1), {}
        for now in range(0, 4_000, 100):
            carried(path, 100e3, 100)
            estimator.update(now, path)
            states[now] = path.delay, estimator.congestion
        for now in range(100, 4_000, 100):
            delay = states[now - 100][0]
            self.assertEqual(states[now][1], "congested" if delay > 1_200 else "none")
        self.assertEqual({state for _, state in states.values()}, {"none", "congested"})

    def test_a_probe_that_the_path_carries_raises_it_to_what_was_delivered(self):
        path, estimator = Path(constant(2e6)), LoopEstimator(1)
        for now in range(0, 1_600, 20):
            if now % 100 == 0:
                estimator.update(now, path)
            if now == 1_000:
                before = estimator.rate
                estimator.begin_probe(now, 1.5e6)
            path.carry(200e3 + estimator.padding(200e3))
        self.assertLess(before, 400e3)
        self.assertAlmostEqual(estimator.rate, 0.95 * 1.5e6, delta=0.01e6)
        self.assertEqual(estimator.padding(200e3), 0)

    def test_a_probe_that_fills_the_queue_ends_and_raises_nothing(self):
        path, estimator = Path(constant(400e3)), LoopEstimator(1)
        for now in range(0, 2_000, 20):
            if now % 100 == 0:
                estimator.update(now, path)
            if now == 1_000:
                estimator.begin_probe(now, 2e6)
            path.carry(200e3 + estimator.padding(200e3))
            self.assertLessEqual(estimator.rate, 420e3)
            self.assertEqual(estimator.probe is not None, 1_000 <= now < 1_100)  # the first report sees 80 ms

    def test_losses_lower_it_below_what_is_delivered(self):
        path, estimator = Path(constant(1e6)), LoopEstimator(1)
        carried(path, 3e6, 2_000)
        estimator.rate = 90e3
        estimator.update(2_000, path)
        self.assertAlmostEqual(estimator.rate, 90e3 * (1 - 2 / 3 / 2))

    def test_it_holds_while_the_queue_falls(self):
        path, estimator = Path(constant(1e6)), LoopEstimator(1)
        estimator.rate = 1e6
        rates = []
        for sent, now in ((1e6, 100), (1.09e6, 200), (1e6, 300), (0.9e6, 400), (0.9e6, 500), (1e6, 700), (1e6, 800)):
            carried(path, sent, now - 20 * path.place)
            estimator.update(now, path)
            rates.append(estimator.rate)
        self.assertEqual(rates[2:5], sorted(rates[2:5]))
        self.assertEqual(rates[3], rates[4])
        self.assertLess(rates[5], rates[6])


def told(estimate):
    """An estimator whose estimate has arrived."""
    return SimpleNamespace(estimate=estimate, congestion="none")


class LoopTests(unittest.TestCase):
    def measured(self, sender, rate, seconds=60):
        return closed_loop.measure(sender, constant(rate, seconds), [{"at": 0}], [scene(A, audio=40_000)], 1)

    def test_audio_alone_on_a_wide_path_is_never_late(self):
        found = self.measured(closed_loop.AudioAlone(), 1e6)
        self.assertEqual((found["late"], found["dark"], found["quality"], found["lost"]), (0, 1, 0, 0))

    def test_audio_on_a_path_that_is_too_narrow_is_late(self):
        found = self.measured(closed_loop.AudioAlone(), 20e3)
        self.assertGreater(found["very_late"], 0.9)

    def test_a_policy_probes_until_everything_is_shown(self):
        found = self.measured(closed_loop.Modelled(Immediate(), True), 3e6)
        self.assertGreater(found["quality"], 0.8)
        self.assertLess(found["late"], 0.02)

    def test_probes_come_half_as_long_again_apart_until_a_stream_resumes(self):
        sender, wanted = closed_loop.Modelled(Immediate(), True), scene(A, stream("b"), reserve=50_000, audio=40_000)
        self.assertEqual(sender.step(0, told(150_000), wanted, []), {A.key: LOW})
        found = [now for now in range(0, 12_000, 100) if sender.probe(now)]
        self.assertEqual(found, [800, 1_600, 2_800, 4_500, 7_100, 10_900])
        self.assertEqual(sender.goal, 100_000 + 40_000 + 200_000)
        sender.step(12_000, told(250_000), wanted, [])
        self.assertEqual([now for now in range(12_000, 14_000, 100) if sender.probe(now)], [12_800, 13_600])

    def test_a_probe_goes_half_beyond_the_estimate_if_so_much_is_wanted(self):
        sender, wanted = closed_loop.Modelled(Immediate(), True), scene(*map(stream, "abcdef"), audio=40_000)
        everything = 40_000 + sum(each.ladder[-1].bps for each in wanted.wanted)
        for estimate, goal in ((600_000, 900_000), (0.7 * everything, everything)):
            sender.step(0, told(estimate), wanted, [])
            self.assertEqual(sender.goal, goal)

    def test_late_begins_beyond_250_and_600_ms_and_quality_ends_beyond_400(self):
        meter, path = closed_loop.LoopMeter(), Path(constant(1e6))
        meter.set(0, scene(A), {A.key: HIGH})
        for delay in (250, 251, 400, 401, 600, 601, 0, 0):
            meter.advance(delay)
        found = meter.result(path)
        self.assertEqual((found["late"], found["very_late"], found["quality"]), (5 / 8, 1 / 8, 5 / 8))

    def test_video_that_is_late_has_no_quality(self):
        class Stubborn(closed_loop.AudioAlone):
            def step(self, now, estimator, scene, lines):
                return {A.key: HIGH}

        found = self.measured(Stubborn(), 500e3)
        self.assertLess(found["quality"], 0.05)
        self.assertEqual(found["dark"], 0)
        self.assertAlmostEqual(found["lost"], 1 - 500 / 940, delta=0.03)


@with_vadmon
class CoordinatorTests(unittest.TestCase):
    def test_step_by_step_it_decides_as_on_the_whole_trace(self):
        trace = Trace("test-steps", [1.5e6] * 200 + [300e3] * 100 + [2e6] * 300)
        lines = calls.write(trace.name, 6, trace.end, 1)
        told = coordinator.estimate_lines(estimates(ESTIMATORS["gcc"], trace, 1))
        inputs = sorted([*lines, *told, {"at": trace.end, "type": "tick"}], key=lambda line: line["at"])
        whole = coordinator.decisions(VADMON, {}, inputs)
        live, found = coordinator.LiveCoordinator(VADMON, {}), []
        for at in sorted({line["at"] for line in inputs}):
            found += live.step(at, [line for line in inputs if line["at"] == at])
            self.assertEqual(found[0].at, 0)  # a step's own decision comes with it
        live.close()
        self.assertGreater(len(whole), 20)
        self.assertEqual(self.changes(found), self.changes(whole))

    def changes(self, decisions):
        """Returns what is shown and since when. The replay decides a millisecond after each step as well."""
        found = []
        for decision in decisions:
            if not found or found[-1][1] != decision.shown:
                found.append((decision.at, decision.shown))
        return found

    def test_it_probes_once_for_each_goal_and_shows_more(self):
        trace = constant(2e6, 60)
        lines = calls.write(trace.name, 4, trace.end, 1)
        sender = closed_loop.Coordinator(VADMON, {})
        sender.goal = 500_000, 3_000
        self.assertEqual([now for now in range(2_000, 5_000, 100) if sender.probe(now)], [3_000])
        found = closed_loop.measure(sender, trace, lines, subscriber.scenes(lines), 1)
        self.assertGreater(found["quality"], 0.4)
        self.assertLess(found["late"], 0.05)

    def test_its_decisions_are_measured_at_their_times(self):
        decisions = [coordinator.Decision(0, {}, None), coordinator.Decision(5_000, {A.key: LOW}, None)]
        found = replay.measure_decisions(decisions, constant(1e6), [replay.Step(0, 10**6, scene(A), True)])
        self.assertEqual(found["dark"], 0.25)
