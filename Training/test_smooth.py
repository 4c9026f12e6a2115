"""Holds the smoother's training to what smooth.py promises, and the C smoother to its network. Takes some seconds."""

import unittest

import numpy as np
import soundfile

import detector
import features
import smooth
from fit import auc


class SmoothTests(unittest.TestCase):
    def test_the_core_runs_the_network_that_was_trained(self):
        weights = np.load(features.ROOT / 'Training' / 'smoother.npz')
        samples, rate = soundfile.read(features.ROOT / 'samples' / 'speech.flac', dtype='float32')
        for seconds in 0.21, 8.99:  # whole steps, beside the three hops of the look-ahead
            live, smoothed = detector.posteriors(samples[rate:][: int(seconds * rate)], rate)
            logits = np.asarray(smooth.network(dict(weights), smooth.steps_of(smooth.logit(live)[None])))
            np.testing.assert_allclose(smoothed, 1 / (1 + np.exp(-logits.reshape(-1))), atol=2e-4)

    def test_it_learns_to_look_ahead(self):
        """Speech is only where the posterior will be high for long, which nobody can know from the past."""
        rng = np.random.default_rng(2)
        runs = np.repeat(rng.integers(0, 2, (64, 400)), 5, axis=1)[:, :1000]
        lasting = np.stack([np.convolve(row, np.ones(15), 'same') > 10 for row in runs])
        inputs = smooth.steps_of(smooth.logit(np.where(runs, 0.8, 0.2)))
        data = inputs, smooth.steps_of(lasting), np.ones_like(inputs)
        weights = smooth.fit(data, smooth.initial(1), 60, 1)
        before, after = (auc(np.asarray(x).reshape(-1), lasting.reshape(-1)) for x in (inputs, smooth.network(weights, inputs)))
        self.assertGreater(after, before + 0.03)


if __name__ == '__main__':
    unittest.main()
