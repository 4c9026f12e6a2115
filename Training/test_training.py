"""Holds the parts of the training to what they promise, by oracles of their own. From this folder:

    python3 -m unittest

Needs what requirements.txt names. Takes half a minute.
"""

import functools
import os
import pathlib
import tempfile
import unittest

os.environ.setdefault('JAX_PLATFORMS', 'cpu')

import jax
import jax.numpy as jnp
import numpy as np
import soundfile

import detector
import features
import fit
import labels
from export_weights import initialiser, shapes, shipped, table
from features import BANDS, DELAYS, FRAME, FRAMES, HOP, INPUTS, MEMORY, PLACES, RATE
from network import exactly, initial, memories, network, remembered
from teacher import TEACHERS


def noise(seconds, seed=1):
    return np.random.default_rng(seed).standard_normal(int(seconds * RATE)).astype(np.float32)


def bursts(*spans, seconds=3.0):
    """Noise at -20 dBFS within the spans, in seconds, over noise at -75 dBFS."""
    samples = noise(seconds) * 10 ** (-75 / 20)
    for start, end in spans:
        first, last = round(start * RATE), round(end * RATE)
        samples[first:last] += 0.1 * noise(seconds, seed=2)[first:last]
    return samples


class LabelTests(unittest.TestCase):
    def spans(self, found):
        edges = np.flatnonzero(np.diff(np.pad(found.astype(int), 1)))
        return [tuple(map(int, span)) for span in edges.reshape(-1, 2)]

    def assert_spans(self, found, expected):
        """To a hop: the high-pass rings on."""
        found = self.spans(found)
        self.assertEqual(len(found), len(expected), found)
        self.assertTrue((np.abs(np.subtract(found, expected)) <= 1).all(), found)

    def test_a_burst_is_found(self):
        found, weight = labels.label(bursts((1, 1.5)))
        self.assert_spans(found, [(100, 150)])
        self.assertTrue((weight == 1).all())

    def test_a_pause_of_100_ms_belongs_to_the_word_and_a_longer_one_does_not(self):
        self.assert_spans(labels.label(bursts((0.5, 1), (1.1, 1.5)))[0], [(50, 150)])
        self.assert_spans(labels.label(bursts((0.5, 1), (1.13, 1.5)))[0], [(50, 100), (113, 150)])

    def test_a_click_of_10_ms_is_no_speech(self):
        self.assert_spans(labels.label(bursts((0.5, 0.51), (1, 1.5)))[0], [(100, 150)])

    def test_the_end_of_a_recording_is_no_pause(self):
        self.assertEqual(self.spans(labels.close(np.array([0, 1, 1, 0, 0], bool), 10)), [(1, 3)])

    def test_nothing_is_found_in_nothing(self):
        self.assertEqual(len(labels.label(np.zeros(HOP - 1, np.float32))[0]), 0)

    def test_the_teacher_says_what_is_speech_and_the_energy_where_it_ends(self):
        teacher = np.zeros(300)
        teacher[102:145] = 0.97  # of the second burst only, not to its ends
        teacher[220:230] = 0.97  # and of something that has no energy
        found, weight = labels.label(bursts((0.2, 0.6), (1, 1.5)), teacher)
        self.assert_spans(found, [(100, 150)])
        self.assertTrue((weight[21:59] == np.float32(labels.DOUBT_ENERGY)).all())
        self.assertTrue((weight[220:230] == np.float32(labels.DOUBT_TEACHER)).all())
        self.assertTrue((weight[100:150] == 1).all())


class FeatureTests(unittest.TestCase):
    """A row of the C library against its formulas, computed here from the samples of one window."""

    def setUp(self):
        self.samples = 0.1 * noise(1, seed=5)
        self.rows = features.rows(self.samples, RATE)

    def bands_dbfs(self, step):
        """Of the window that ends with the step: triangles between band centres, on a Hann window's powers."""
        window = self.samples[(step + 1) * 2 * HOP - 512 : (step + 1) * 2 * HOP].astype(float)
        hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(512) / 512)
        power = 2 * np.abs(np.fft.rfft(window * hann)) ** 2 / (512 * (hann**2).sum())
        linear = 1 + 2 * np.arange(17)  # edges up to 1 kHz, two bins apart, then in equal ratios up to bin 224
        edges = np.concatenate([linear, 33 * (224 / 33) ** (np.arange(1, 26) / 25)])
        bins = np.arange(257)
        triangles = [np.interp(bins, edges[b : b + 3], [0, 1, 0]) for b in range(BANDS)]
        return 10 * np.log10(np.array(triangles) @ power)

    def test_a_row_is_the_bands_over_the_loudness(self):
        """Of two steps, so that only differences count: the loudness adds the same to all bands of a step."""
        for step in 20, 35:
            shape = self.bands_dbfs(step)
            found = 20 * self.rows[step, :BANDS]
            inside = (np.abs(self.rows[step, :BANDS]) < 2)
            self.assertGreater(inside.sum(), 30)
            difference = (found - shape)[inside]
            self.assertLess(np.ptp(difference), 0.05, difference)

    def test_the_first_window_is_not_whole_and_silence_is_not_measured(self):
        self.assertEqual(list(self.rows[:5, INPUTS]), [0, 1, 1, 1, 1])
        self.assertFalse(features.rows(np.zeros(RATE, np.float32), RATE).any())

    def test_rows_are_as_many_as_asked(self):
        self.assertEqual(features.rows(self.samples, RATE).shape, (50, features.ROW))
        self.assertEqual(features.rows(self.samples, RATE, 30).shape, (30, features.ROW))
        padded = features.rows(self.samples, RATE, 60)
        np.testing.assert_array_equal(padded[:50], self.rows)
        self.assertFalse(padded[50:].any())

    def test_a_rate_that_the_detector_refuses_is_an_error(self):
        with self.assertRaisesRegex(ValueError, '4000 Hz'):
            features.rows(self.samples, 4000)


def by_loops(weights, inputs):
    """The logits of one scene, step by step and sum by sum, as network.h describes the network."""
    def gates(kind, x):
        return [x @ weights[kind][gate] for gate in range(3)]

    frames = np.concatenate([np.zeros((FRAMES - 1, FRAME)), inputs[:, :FRAME]])
    memory, logits = np.zeros(MEMORY), []
    for step in range(len(inputs)):
        filtered = []
        for place in range(PLACES):
            taps = [frames[step + age, channel * BANDS + place * 4 + band]
                    for age in range(FRAMES) for channel in range(2) for band in range(8)]
            filtered.append(np.maximum(np.array(taps) @ weights['filter'] + weights['filter_bias'], 0))
        joined = np.concatenate([*filtered, inputs[step, FRAME:]])
        dense = np.tanh(joined @ weights['dense'] + weights['dense_bias'])
        given, kept = gates('gate_input', dense), gates('gate_memory', memory)
        reset, update = (1 / (1 + np.exp(-(given[g] + kept[g] + weights['gate_bias'][g]))) for g in (0, 1))
        inner = reset * (kept[2] + weights['candidate_memory_bias'])
        memory = update * memory + (1 - update) * np.tanh(given[2] + weights['gate_bias'][2] + inner)
        logits.append(dense @ weights['output_dense'] + memory @ weights['output_memory'] + weights['output_bias'])
    return np.array(logits)


class NetworkTests(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(4)
        self.weights = {
            name: np.asarray(value) + 0.1 * self.rng.standard_normal(value.shape) for name, value in initial(3).items()}
        self.inputs = self.rng.uniform(-1, 1.5, (2, 12, INPUTS))

    def run_network(self, inputs, memory=None, before=None):
        before = np.zeros((2, FRAMES - 1, INPUTS)) if before is None else before
        memory = jnp.zeros((2, MEMORY)) if memory is None else memory
        weights = {name: jnp.asarray(value, jnp.float32) for name, value in self.weights.items()}
        return network(weights, jnp.asarray(np.concatenate([before, inputs], 1), jnp.float32), memory)

    def test_it_computes_what_network_h_says(self):
        logits, _ = self.run_network(self.inputs)
        for scene in range(2):
            # its tanh is within 7e-5 of numpy's
            np.testing.assert_allclose(logits[scene], by_loops(self.weights, self.inputs[scene]), atol=2e-3)

    def test_a_scene_in_two_chunks_gives_what_the_whole_gives(self):
        whole, end = self.run_network(self.inputs)
        first, memory = self.run_network(self.inputs[:, :7])
        second, memory = self.run_network(self.inputs[:, 7:], memory, self.inputs[:, 7 - (FRAMES - 1) : 7])
        np.testing.assert_allclose(np.concatenate([first, second], 1), whole, atol=1e-5)
        np.testing.assert_allclose(memory, end, atol=1e-5)

    def test_the_memories_have_the_gradient_that_jax_finds_step_by_step(self):
        steps, scenes = 5, 2
        shapes = (scenes, MEMORY), (steps, scenes, 3 * MEMORY), (MEMORY, 3 * MEMORY), (MEMORY,)
        given = [jnp.asarray(self.rng.normal(0, 0.3, shape), jnp.float32) for shape in shapes]
        weight = jnp.asarray(self.rng.normal(0, 1, (steps, scenes, MEMORY)), jnp.float32)

        def one_by_one(memory, now, gates, bias):
            found = []
            for step in range(steps):
                memory, *_ = remembered(exactly, memory, now[step], gates, bias)
                found.append(memory)
            return jnp.stack(found)

        expected, found = (jax.grad(lambda *given: (weight * function(*given) ** 2).sum(), range(4))(*given)
                           for function in (one_by_one, functools.partial(memories, exactly)))
        for name, one, other in zip(('memory', 'now', 'gates', 'bias'), expected, found):
            np.testing.assert_allclose(other, one, rtol=1e-3, atol=1e-4 * float(jnp.abs(one).max()), err_msg=name)


class DetectorTests(unittest.TestCase):
    def test_this_detector_and_the_teachers_know_when_somebody_speaks(self):
        samples, rate = soundfile.read(features.ROOT / 'samples' / 'speech.flac', dtype='float32')
        live, smoothed = detector.posteriors(samples, rate)
        heard = {'live': live, 'smoothed': smoothed}
        heard |= {name: teacher().seen([(samples, rate)])[0] for name, teacher in TEACHERS.items()}
        areas = {}
        for name, posteriors in heard.items():
            label = np.zeros(len(posteriors), bool)
            for line in (features.ROOT / 'samples' / 'speech.txt').read_text().splitlines():
                start, end = (round(float(word) * 100) for word in line.split()[:2])
                label[start:end] = True
            areas[name] = fit.auc(posteriors, label)
            self.assertGreater(areas[name], 0.95, name)
        self.assertGreater(areas['smoothed'], areas['live'])


class FitTests(unittest.TestCase):
    def test_an_output_is_taught_the_hop_of_its_delay(self):
        values = np.arange(1, 41)[None]  # hop n has n + 1
        for first in 0, 8:
            out = fit.delayed(values, first, 6)
            for step in range(6):
                newest = 2 * (first + step) + 1
                for i, delay in enumerate(DELAYS):
                    self.assertEqual(out[0, step, i], max(0, newest - delay + 1))

    def test_the_beginnings_of_utterances_weigh_more(self):
        label = np.zeros((2, 200), bool)
        label[0, 50:80] = label[0, 90:120] = label[0, 160:165] = True  # the second follows a breath
        label[1, :100] = True
        expected = np.ones(label.shape)
        expected[0, 50:65] = expected[0, 160:165] = expected[1, :15] = fit.ONSET_WEIGHT
        np.testing.assert_array_equal(fit.onset_weights(label), expected)

    def test_auc_counts_pairs(self):
        rng = np.random.default_rng(0)
        truth, score = rng.random(60) < 0.4, rng.random(60)
        pairs = [p > n for p in score[truth] for n in score[~truth]]
        self.assertAlmostEqual(fit.auc(score, truth), np.mean(pairs))

    def test_a_tilt_leaves_what_was_not_measured_and_what_is_relative_to_the_floor(self):
        inputs = np.random.default_rng(1).uniform(-1, 1, (2, 5, INPUTS)).astype(np.float32)
        inputs[:, 2] = 0
        out = np.asarray(fit.tilted(jnp.asarray(inputs), jnp.full((2, BANDS), 0.25)))
        np.testing.assert_array_equal(out[:, 2], 0)
        np.testing.assert_array_equal(out[:, :, BANDS:], inputs[:, :, BANDS:])
        np.testing.assert_allclose(out[:, 0, :BANDS], inputs[:, 0, :BANDS] + 0.25, atol=1e-6)

    def test_a_share_is_on_the_way_between_two_weights(self):
        start, end = initial(1), initial(2)
        for share, expected in ((1, end), (0.25, {name: start[name] + (end[name] - start[name]) / 4 for name in end})):
            got = fit.between(start, end, share)
            self.assertEqual(set(got), set(end))
            for name in end:
                np.testing.assert_allclose(got[name], expected[name], rtol=1e-6, atol=1e-7)

    def test_it_learns(self):
        """Speech that the first bands tell, a few hops late: a few steps of descent must find it."""
        with tempfile.TemporaryDirectory() as folder:
            rng, paths = np.random.default_rng(0), []
            for number in range(3):
                label = np.repeat(rng.random((8, 25)) < 0.5, 20, axis=1)
                inputs = rng.normal(0, 0.1, (8, 250, INPUTS))
                inputs[:, :, BANDS : BANDS + 8] += np.where(label, 1, -0.5)[:, ::2, None]
                paths.append(pathlib.Path(folder) / f'{number}.npz')
                np.savez(paths[-1], inputs=inputs.astype(np.float16), label=label, weight=np.ones(label.shape, np.float16),
                         has_talk=np.ones(8, bool))
            before = fit.examine(initial(0), paths[0])
            after = fit.examine(fit.fit(paths, initial(0), 20, 0, lambda now: None), paths[0])
            self.assertGreater(min(after), 0.95)
            self.assertGreater(min(after), max(before))


class ExportTests(unittest.TestCase):
    def test_the_table_holds_every_weight_to_the_bit(self):
        values = np.float32([[1 / 3, -2, 1e-9], [3.4e38, 0, 16777216]])
        text = initialiser(values, 0).replace('{', ' ').replace('}', ' ').replace('f', ' ').replace(',', ' ')
        np.testing.assert_array_equal(np.array(text.split(), np.float32), values.reshape(-1))

    def test_weights_of_another_shape_or_with_holes_are_refused(self):
        stored = {name: np.zeros(shape[::-1] if name.startswith('output') else shape, np.float32)
                  for name, shape in shapes().items()}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'weights.npz'
            np.savez(path, delays=DELAYS, **stored)
            sets = {'one': shipped(path), 'two': shipped(path)}
            self.assertEqual(table('network.h', 'va_weights', sets).count('.output_bias'), 2)
            for broken in np.zeros((3, 2), np.float32), np.full_like(stored['dense'], np.nan):
                np.savez(path, delays=DELAYS, **{**stored, 'dense': broken})
                with self.assertRaisesRegex(ValueError, 'dense'):
                    shipped(path)


if __name__ == '__main__':
    unittest.main()
