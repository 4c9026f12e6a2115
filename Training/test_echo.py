"""Holds the outputs beside an echo to what they promise. Takes some seconds."""

import unittest

import numpy as np
import soundfile

import fit_echo
from export_weights import HERE, members, shipped
from features import RATE, ROOT
from fit_echo import ALARM, EVERY, MEMORY, SHARES, Recorder, labels, regression


def speech():
    samples, rate = soundfile.read(ROOT / 'samples' / 'speech.flac', dtype='int16')
    assert rate == RATE
    return samples


class RecorderTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.recorder = Recorder(fit_echo.build(shipped(HERE / 'weights.npz')))

    def test_a_silent_reference_takes_nothing_out(self):
        memory, logits, has_echo = self.recorder(speech(), np.zeros_like(speech()))
        self.assertFalse(has_echo.any())
        self.assertGreater((logits > 0).mean(), 0.2)
        self.assertEqual(memory.shape, (len(speech()) // 320, MEMORY))
        self.assertLessEqual(np.abs(memory).max(), 1)

    def test_an_echo_is_taken_out_and_the_plain_outputs_still_answer(self):
        samples = speech()
        echo = np.roll(samples, 800) // 4
        _, alone, _ = self.recorder(echo, np.zeros_like(samples))
        _, logits, has_echo = self.recorder(echo, samples)
        later = np.arange(len(has_echo)) > 50
        self.assertGreater(has_echo[later].mean(), 0.5)
        self.assertLess((logits[later] > 0).mean(), 0.2 * (alone[later] > 0).mean())

    def test_a_step_that_was_not_measured_is_silence(self):
        nothing = np.zeros(RATE, np.int16)
        memory, logits, has_echo = self.recorder(nothing, nothing)
        self.assertTrue((logits == -100).all())
        self.assertFalse(memory.any() or has_echo.any())

    def test_the_logits_are_the_exported_sums_of_the_memory(self):
        """What the memory adds in the second set of a table is what `echo_memory` adds."""
        stored = shipped(HERE / 'weights.npz')
        stored['echo_memory'] = np.linspace(-1, 1, MEMORY, dtype=np.float32)
        stored['echo_bias'] = np.float32(0.25)
        made = members(stored)
        for hop in range(2):
            difference = made['output_memory'][1, hop] - made['output_memory'][0, hop]
            np.testing.assert_allclose(difference, stored['echo_memory'], atol=1e-6)
            self.assertAlmostEqual(made['output_bias'][1, hop] - made['output_bias'][0, hop], 0.25, 5)


class FitTests(unittest.TestCase):
    def test_labels_are_those_of_the_hops_that_a_step_decides(self):
        """A step that ends with hop n decides hops n - 3 and n - 2."""
        near = np.random.default_rng(1).random(40) < 0.5
        made = labels(near, 20)
        for step in range(20):
            newest = 2 * step + 1
            for column, hop in enumerate((newest - 3, newest - 2)):
                self.assertEqual(made[step, column], hop >= 0 and near[hop])

    def test_the_regression_finds_what_the_labels_were_made_with(self):
        rng = np.random.default_rng(2)
        memory = rng.uniform(-1, 1, (40_000, MEMORY)).astype(np.float32)
        logits = rng.normal(0, 1, (40_000, 2)).astype(np.float32)
        weights = np.zeros(MEMORY, np.float32)
        weights[[3, 40]] = 3, -2
        near = rng.random(logits.shape) < 1 / (1 + np.exp(-(logits + (memory @ weights)[:, None] - 0.5)))
        found, bias, before, after = regression(memory, logits, near)
        self.assertLess(after, before)
        np.testing.assert_allclose(found[[3, 40]], [3, -2], atol=0.3)
        self.assertLess(np.abs(np.delete(found, [3, 40])).max(), 0.15)
        self.assertAlmostEqual(bias, -0.5 - np.log(ALARM), delta=0.1)  # their odds are worth that much less

    def test_scenes_give_steps_with_echo_and_their_labels(self):
        """Three kinds of calls, of one recording: the far end alone has no near speech, the others do."""
        files = {'speech': [ROOT / 'samples' / 'speech.flac'], 'noise': []}
        fit_echo.start(fit_echo.build(shipped(HERE / 'weights.npz')), files)
        for kind in SHARES:
            memory, logits, near = fit_echo.samples((1, kind, 0))
            self.assertEqual((memory.shape[1], logits.shape, near.shape), (MEMORY, (len(memory), 2), (len(memory), 2)))
            self.assertGreater(len(memory), 100 / EVERY)
            self.assertEqual(near.any(), kind != 'long')


if __name__ == '__main__':
    unittest.main()
