"""Holds the smoother's training to what smooth.py promises, and the C smoother to its network. Takes some seconds."""

import ctypes
import pathlib
import tempfile
import unittest

import numpy as np

import export_weights
import features
import smooth
from fit import auc


class SmootherInC:
    """va_smoother, fed with posteriors alone."""

    class Hop(ctypes.Structure):
        _fields_ = [('position', ctypes.c_uint64), ('posterior', ctypes.c_float), ('levels', ctypes.c_float * 3),
                    ('bytes', ctypes.c_uint8 * 4), ('hangover_left_ms', ctypes.c_uint32)]

    class Output(ctypes.Structure):
        _fields_ = [('events', ctypes.c_void_p), ('event_capacity', ctypes.c_size_t), ('event_count', ctypes.c_size_t),
                    ('hops', ctypes.c_void_p), ('hop_capacity', ctypes.c_size_t), ('hop_count', ctypes.c_size_t),
                    ('more', ctypes.c_bool)]

    def run(self, posteriors):
        core, config, smoother = features.core(), ctypes.create_string_buffer(256), ctypes.c_void_p()
        self.assert_ok(core.va_config_default(config, features.RATE))
        self.assert_ok(core.va_smoother_create(config, ctypes.byref(smoother)))
        hops = (self.Hop * len(posteriors))()
        for number, posterior in enumerate(posteriors):
            hops[number].position, hops[number].posterior = number * features.HOP, posterior
        given = self.Output(None, 0, 0, ctypes.addressof(hops), len(hops), len(hops), False)
        room, events, found = (self.Hop * (2 * len(hops)))(), ctypes.create_string_buffer(1 << 16), []
        for results in ctypes.byref(given), None:
            out = self.Output(ctypes.addressof(events), 1000, 0, ctypes.addressof(room), len(room), 0, False)
            self.assert_ok(core.va_smoother_process(smoother, results, ctypes.byref(out)))
            found += [room[i].posterior for i in range(out.hop_count)]
        core.va_smoother_destroy(smoother)
        return np.array(found)

    def assert_ok(self, status):
        if status != 0:
            raise AssertionError(f'status {status}')


def speech(count, seed):
    """Posteriors that stay high or low for a while."""
    rng = np.random.default_rng(seed)
    levels = np.repeat(rng.random(count), rng.integers(1, 60, count))[:count]
    return np.clip(levels + rng.normal(0, 0.1, count), 0, 1).astype(np.float32)


class SmoothTests(unittest.TestCase):
    def test_the_core_runs_the_network_that_was_trained(self):
        weights = np.load(features.ROOT / 'Training' / 'smoother.npz')
        for count in 2, 500:
            posteriors = speech(count, count)
            logits = np.asarray(smooth.network(dict(weights), smooth.steps_of(smooth.logit(posteriors)[None])))
            np.testing.assert_allclose(SmootherInC().run(posteriors), 1 / (1 + np.exp(-logits.reshape(-1))), atol=2e-4)

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

    def test_weights_of_another_shape_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'smoother.npz'
            weights = {name: np.zeros(shape, np.float32) for name, shape in export_weights.smoother_shapes().items()}
            export_weights.checked(weights, export_weights.smoother_shapes(), path)
            with self.assertRaisesRegex(ValueError, 'first_bias'):
                export_weights.checked(weights | {'first_bias': np.zeros(3, np.float32)}, export_weights.smoother_shapes(), path)


if __name__ == '__main__':
    unittest.main()
