"""Holds what is learned of the mixtures to what targets.py says, hop by hop."""

import unittest

import numpy as np

import targets


def file(label, smoothed, taught):
    return {'label': label, 'smoothed': smoothed, 'taught': taught, 'has_talk': label.any(1)}


class TargetTests(unittest.TestCase):
    def test_without_teachers_the_labels_are_learned(self):
        np.testing.assert_allclose(targets.targets({'label': np.array([[True, False]])}), [[0.99, 0.01]])

    def test_a_hop_beside_speech_has_a_share_of_it(self):
        target = np.zeros((1, 300))
        target[0, 100:150], target[0, 250] = 1, 0.5
        for hop, value in enumerate(targets.beside(target)[0]):
            near = max(target[0, other] ** 2 * 0.98 ** abs(other - hop) for other in range(300))
            self.assertAlmostEqual(value, target[0, hop] + (1 - target[0, hop]) * 0.1 * near, 6)

    def test_in_labelled_speech_the_surer_teacher_counts(self):
        rng = np.random.default_rng(1)
        label, own, taught = rng.random((3, 50)) < 0.5, rng.random((3, 50)), rng.random((3, 50, 2))
        found = targets.believed(file(label, own, taught))
        for at in np.ndindex(3, 50):
            heard = [own[at], max(taught[at])] if label[at] else [own[at], *taught[at]]
            self.assertAlmostEqual(found[at], sum(heard) / len(heard), 6)

    def test_what_is_believed_is_made_surer_and_has_an_end(self):
        logit = np.array([-2.0, 0.0, 1.0])
        surer = targets.sharpened(1 / (1 + np.exp(-logit)))
        np.testing.assert_allclose(np.log(surer / (1 - surer)), 1.25 * logit, atol=1e-9)
        self.assertTrue((0 < targets.sharpened(np.array([0.0]))) & (targets.sharpened(np.array([1.0])) < 1))

    def test_labels_count_more_where_they_change_and_alone_where_nobody_talks(self):
        label = np.zeros((2, 100), bool)
        label[0, 40:] = True
        low, high = (targets.targets(file(label, np.full(label.shape, p), np.full((*label.shape, 2), p))) for p in (0.01, 0.99))
        share = (high[0] - low[0]) / (high[0, 70] - low[0, 70]) * targets.SHARE
        np.testing.assert_allclose(share[60:], targets.SHARE, atol=0.01)
        np.testing.assert_allclose(share[40:52], targets.NEAR_SHARE, atol=0.01)
        self.assertGreater(share[53], 0.55)
        np.testing.assert_array_equal(high[1], low[1])


if __name__ == '__main__':
    unittest.main()
