"""Holds what the network sees beside a loudspeaker to what calls.py promises. Takes some seconds."""

import pathlib
import tempfile
import unittest

import numpy as np
import soundfile

import calls
import features
import fit
from calls import SHARES, pieces
from features import BESIDE_ECHO, FRAME, INPUTS, MEASURED, RATE, ROOT, ROW
from mixing.scenes import HOPS, SECONDS
from mixtures import SCENES


def speech():
    samples, rate = soundfile.read(ROOT / 'samples' / 'speech.flac', dtype='float32')
    assert rate == RATE
    return samples


class FeatureTests(unittest.TestCase):
    def test_a_silent_reference_changes_nothing(self):
        alone = features.rows(speech(), RATE)
        np.testing.assert_array_equal(features.rows(speech(), RATE, reference=np.zeros_like(speech())), alone)
        self.assertFalse(alone[:, BESIDE_ECHO].any())
        self.assertEqual(alone.shape[1], ROW)

    def test_an_echo_is_taken_out(self):
        """The features relative to the floor are 0 where a band is taken out."""
        samples = speech()
        echo = np.roll(samples, 800) / 4
        alone, beside = features.rows(echo, RATE), features.rows(echo, RATE, reference=samples)
        later = slice(100, None)
        self.assertGreater(beside[later, BESIDE_ECHO].mean(), 0.5)
        over_floor = slice(FRAME // 2, FRAME)
        heard = (alone[later, over_floor] > 0.2).sum()
        self.assertLess((beside[later, over_floor] > 0.2).sum(), 0.1 * heard)
        np.testing.assert_array_equal(beside[:, FRAME:INPUTS], alone[:, FRAME:INPUTS])  # the pitch is the microphone's
        np.testing.assert_array_equal(beside[:, MEASURED], alone[:, MEASURED])

    def test_a_reference_of_another_length_is_an_error(self):
        with self.assertRaisesRegex(ValueError, 'reference'):
            features.rows(speech(), RATE, reference=speech()[1:])


class CallTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        calls.prepare({'speech': [ROOT / 'samples' / 'speech.flac'], 'noise': [],
                       'music': [ROOT / 'samples' / 'music.flac']})

    def scene(self, kind):
        return calls.scenes.make(1, kind, 0, calls.process.material)

    def test_pieces_are_the_call_in_order(self):
        call = self.scene('long')
        made = list(pieces(call))
        self.assertEqual(len(made), 6)
        rows = features.rows(calls.full_scale(call.microphone), RATE, reference=calls.full_scale(call.reference))
        np.testing.assert_array_equal(np.concatenate([inputs for inputs, *_ in made]), rows[:, :INPUTS])
        weight = np.concatenate([weight for _, _, weight, _ in made])
        np.testing.assert_array_equal(weight, np.repeat(rows[:, BESIDE_ECHO] > 0, 2))
        self.assertGreater(weight.mean(), 0.5)
        for _, label, _, has_talk in made:
            self.assertFalse(label.any() or has_talk)

    def test_a_conversation_has_the_talk_of_the_near_end(self):
        call = self.scene('conversation')
        (inputs, label, weight, has_talk), = pieces(call)
        self.assertTrue(has_talk and label.any() and not label.all())
        np.testing.assert_array_equal(label, call.near)
        self.assertEqual((len(inputs), len(label), len(weight)), (HOPS // 2, HOPS, HOPS))

    def test_a_file_is_one_of_mix_and_fit_learns_from_it(self):
        with tempfile.TemporaryDirectory() as folder:
            shares = dict(SHARES)
            try:
                SHARES.update({kind: 0 for kind in SHARES} | {'conversation': 2, 'start': 1, 'headset': 1})
                path = pathlib.Path(folder) / '1-00000.npz'
                calls.make((path, 1, 0))
                made, stamp = np.load(path), path.stat().st_mtime_ns
                calls.make((path, 1, 0))
                self.assertEqual(path.stat().st_mtime_ns, stamp)  # what is there is kept
            finally:
                SHARES.update(shares)
            self.assertEqual(list(made['has_talk']), [True, True, False, True])
            self.assertEqual(made['inputs'].shape, (4, HOPS // 2, INPUTS))
            first, inputs, target, weight, _ = next(fit.batches([path] * 3, np.random.default_rng(1)))
            self.assertTrue(first)
            self.assertEqual((len(inputs), len(target), len(weight)), (12, 12, 12))

    def test_a_file_has_64_scenes(self):
        seconds = sum(count * calls.scenes.KINDS[kind].seconds for kind, count in SHARES.items())
        self.assertEqual((SCENES, seconds), (64, 64 * SECONDS))


if __name__ == '__main__':
    unittest.main()
