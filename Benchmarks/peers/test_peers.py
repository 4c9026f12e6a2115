"""Tests the metrics against naive implementations of their definitions. compare.sh runs these tests first."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import numpy as np

import metrics
from detectors import Silero, networks, table_names
from processor import name_of
from recordings import HOP_SAMPLES, Problem, Recording, decode, read_labels


def naive_auc(truth, score):
    """Computes the AUC from its definition, pair by pair."""
    pairs = [(p, n) for p in score[truth] for n in score[~truth]]
    return sum(1 if p > n else 0.5 if p == n else 0 for p, n in pairs) / len(pairs)


class MetricsTests(unittest.TestCase):
    def setUp(self):
        random = np.random.default_rng(7)
        self.truths = [random.random(n) < share for n, share in ((40, 0.5), (30, 0), (25, 1), (35, 0.2))]
        self.scores = [np.round(0.4 * truth + random.random(len(truth)), 1) for truth in self.truths]  # with ties
        self.truth, self.score = np.concatenate(self.truths), np.concatenate(self.scores)

    def test_auc_is_the_share_of_pairs_won_over_all_recordings(self):
        self.assertAlmostEqual(metrics.auc(self.truths, self.scores), naive_auc(self.truth, self.score))

    def test_a_weight_counts_a_recording_that_often(self):
        weights = np.array([[2, 0, 1, 3]])
        drawn = [0, 0, 2, 3, 3, 3]
        expected = naive_auc(*(np.concatenate([values[i] for i in drawn]) for values in (self.truths, self.scores)))
        area = metrics.areas(self.truths, metrics.win_matrix(self.truths, self.scores), weights)
        self.assertAlmostEqual(area[0], expected)

    def test_a_draw_without_speech_has_no_auc(self):
        wins = metrics.win_matrix(self.truths, self.scores)
        self.assertTrue(np.isnan(metrics.areas(self.truths, wins, np.array([[0, 4, 0, 0]]))[0]))

    def test_a_detector_does_not_differ_from_itself(self):
        self.assertEqual(metrics.auc_difference(self.truths, self.scores, self.scores), (0, 0, 0))

    def test_the_interval_holds_the_difference_and_turns_round_with_it(self):
        noise = [score * 0 + np.arange(len(score)) % 3 for score in self.scores]
        difference, low, high = metrics.auc_difference(self.truths, self.scores, noise)
        self.assertLess(low, difference)
        self.assertLess(difference, high)
        np.testing.assert_allclose(metrics.auc_difference(self.truths, noise, self.scores), (-difference, -high, -low))

    def test_best_f1_and_precision_are_those_of_all_thresholds(self):
        best, precision, recall_before = 0, 0, 0
        for threshold in sorted(set(self.score), reverse=True):
            decision = self.score >= threshold
            best = max(best, metrics.f1(self.truth, decision))
            recall = self.truth[decision].sum() / self.truth.sum()
            precision += (recall - recall_before) * self.truth[decision].mean()
            recall_before = recall
        self.assertAlmostEqual(metrics.best_f1(self.truth, self.score), best)
        self.assertAlmostEqual(metrics.average_precision(self.truth, self.score), precision)

    def test_kappa_of_a_textbook_table(self):
        # Both yes 20, only the first 5, only the second 10, both no 15: agreement 0.7, by chance 0.5.
        counts = [20, 5, 10, 15]
        first = np.repeat([True, True, False, False], counts)
        second = np.repeat([True, False, True, False], counts)
        np.testing.assert_allclose(metrics.agreement(first, second), (0.7, 0.4))

    def test_kappa_of_two_that_never_change_is_undefined(self):
        self.assertEqual(metrics.agreement(np.zeros(3, bool), np.zeros(3, bool)), (1, None))


class RecordingTests(unittest.TestCase):
    def labels(self, text, hops=10):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "talk.txt"
            path.write_text(text)
            return list(np.flatnonzero(read_labels(path, hops)))

    def test_a_hop_is_speech_where_its_middle_is_labelled(self):
        self.assertEqual(self.labels("0.02\t0.04\tspeech\n"), [2, 3])
        self.assertEqual(self.labels("0.0249\t0.0351\tspeech"), [2, 3])
        self.assertEqual(self.labels("0.0251\t0.0349\tspeech"), [])
        self.assertEqual(self.labels("0.09\t7\n"), [9])

    def test_no_label_is_no_speech(self):
        self.assertEqual(self.labels(""), [])

    def test_a_range_of_frequencies_is_passed_over(self):
        self.assertEqual(self.labels("0\t0.01\ta\n\\\t100\t200\n"), [0])

    def test_what_is_no_label_is_named_with_its_line(self):
        for text in ("Good morning", "0.1", "2\t1\tx", "-1\t1\tx", "nan\t1\tx", "0 1 x"):
            with self.subTest(text), self.assertRaisesRegex(Problem, r"talk\.txt:2: not a label"):
                self.labels("0\t0.01\tx\n" + text)


class TableNameTests(unittest.TestCase):
    def names(self, *paths):
        return table_names([Path(path) for path in paths])

    def test_tables_have_the_base_names_of_recordings(self):
        self.assertEqual(self.names("/r/a/x.wav", "/r/b/y.z.flac"), ["x.csv", "y.z.csv"])

    def test_equal_base_names_keep_the_folders_of_all(self):
        names = self.names("/r/a/x.wav", "/r/b/c/x.wav", "/r/b/../d/y.wav", "/r/z.wav")
        self.assertEqual([Path(name) for name in names], [Path("a/x.csv"), Path("b/c/x.csv"), Path("d/y.csv"), Path("z.csv")])


class SileroTests(unittest.TestCase):
    def test_a_hop_has_the_score_of_the_window_around_its_middle(self):
        silero = Silero()
        samples = np.random.default_rng(3).integers(-9000, 9000, 5 * HOP_SAMPLES + 7).astype(np.int16)
        with tempfile.TemporaryDirectory() as folder:
            scores = silero.scores(Recording.write(Path(folder) / "noise.wav", samples))
        first, second = silero.probabilities(samples)  # samples 0 … 511; 512 … 806 and zeros
        # The middles of the five hops: 80, 240, 400, 560, 720.
        np.testing.assert_array_equal(scores, [first, first, first, second, second])
        self.assertNotEqual(first, second)


class NetworkTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.networks = networks()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        samples = np.random.default_rng(5).integers(-9000, 9000, 48 * HOP_SAMPLES + 7).astype(np.int16)
        self.recording = Recording.write(Path(folder.name) / "noise.wav", samples)

    def test_a_hop_has_the_score_of_the_window_at_its_middle(self):
        for network in self.networks:
            with self.subTest(network.name):
                probabilities = network.probabilities(network.input(self.recording))
                scores = network.scores(self.recording)
                self.assertEqual(len(scores), self.recording.hops)
                self.assertTrue(np.all((0 <= scores) & (scores <= 1)))
                window_seconds = network.window_samples / network.rate_hz
                for hop in range(20):  # before the last windows, which may be missing
                    self.assertEqual(scores[hop], probabilities[int((hop + 0.5) * 0.01 / window_seconds)])

    def test_a_recording_may_be_one_hop_long(self):
        hop = Recording.write(self.recording.path.with_name("hop.wav"), self.recording.samples(HOP_SAMPLES))
        for network in self.networks:
            with self.subTest(network.name):
                self.assertEqual(network.scores(hop).shape, (1,))

    def test_a_score_needs_its_stream_up_to_the_delay_and_no_more(self):
        for network in (network for network in self.networks if network.delay_ms):
            with self.subTest(network.name):
                sound = network.input(self.recording)
                delay, full = network.delay_ms * network.rate_hz // 1000, network.probabilities(sound)
                windows = range(3, 12)
                ends = [window * network.window_samples + delay for window in windows]
                np.testing.assert_array_equal(
                    [network.probabilities(sound[:end])[window] for window, end in zip(windows, ends)], full[windows])
                short = [network.probabilities(sound[: end - 80])[window] for window, end in zip(windows, ends)]
                self.assertTrue(np.any(short != full[windows]))

    def test_each_hears_the_labelled_speech(self):
        samples = Path(__file__).resolve().parents[2] / "samples"
        recording = Recording.write(self.recording.path.with_name("speech.wav"), decode(samples / "speech.flac"))
        recording.speech = read_labels(samples / "speech.txt", recording.hops)
        for network in self.networks:
            with self.subTest(network.name):
                scores = network.scores(recording)
                self.assertGreater(metrics.auc([recording.speech], [scores]), 0.95)
                self.assertGreater(metrics.f1(recording.speech, scores >= network.threshold), 0.85)

    def test_a_peer_without_a_package_is_left_out(self):
        class Missing:
            package = "missing"

            def __init__(self):
                raise OSError("PyPI has no package for this machine")

        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(networks((Missing,)), [])
        self.assertEqual(said.getvalue(), "compare: missing is left out: PyPI has no package for this machine\n")


class ProcessorTests(unittest.TestCase):
    def test_the_model_number_tells_apart_what_a_virtual_machine_names_alike(self):
        cpuinfo = "processor\t: 0\ncpu family\t: 6\nmodel\t\t: 143\nmodel name\t: Xeon\n\nprocessor\t: 1\nmodel\t: 7\n"
        self.assertEqual(name_of(cpuinfo), "Xeon (family 6, model 143)")

    def test_a_processor_may_have_no_name(self):
        self.assertIsNone(name_of("processor\t: 0\nBogoMIPS\t: 50.00\n"))


if __name__ == "__main__":
    unittest.main()
