"""Holds the mixer to what it promises: rooms, effects, the bank of recordings, scenes."""

import pathlib
import tempfile
import unittest
import unittest.mock

import numpy as np

import labels
import material
from features import HOP, RATE
from mixing import effects, rooms, scenes
from mixing.bank import Bank, cut
from test_training import bursts, noise


class RoomTests(unittest.TestCase):
    def test_the_direct_sound_comes_first_and_the_rest_has_the_drawn_energy(self):
        for far, most, least in (False, 6.5, -18.5), (True, 10.5, -3.5):
            for seed in range(30):
                response = rooms.impulse_response(np.random.default_rng(seed), far).astype(float)
                rest = 10 * np.log10((response[1:] ** 2).sum())
                self.assertAlmostEqual(response[0], 1, delta=0.5)  # a reflection may fall on it, hardly
                self.assertTrue(least < rest < most, rest)

    def test_a_room_decays(self):
        response = np.mean([rooms.impulse_response(np.random.default_rng(s))[1:1600] ** 2 for s in range(200)], 0)
        quarters = response.reshape(-1)[:1596].reshape(4, -1).sum(1)
        self.assertTrue((np.diff(quarters) < 0).all(), quarters)

    def test_an_impulse_heard_in_a_room_is_its_response(self):
        impulse, response = np.zeros(RATE, np.float32), rooms.impulse_response(np.random.default_rng(3))
        impulse[100] = 1
        heard = rooms.within(impulse, response)
        count = min(len(response), RATE - 100)
        np.testing.assert_allclose(heard[100 : 100 + count], response[:count], atol=1e-5)
        np.testing.assert_allclose(heard[:100], 0, atol=1e-5)


class EffectTests(unittest.TestCase):
    def test_a_peaking_filter_has_its_gain_at_its_frequency_and_none_far_away(self):
        b, a = effects.peaking(1000, 6, 1)
        for hertz, db in (1000, 6), (0, 0), (8000, 0):
            z = np.exp(-2j * np.pi * hertz / RATE * np.arange(3))
            self.assertAlmostEqual(20 * np.log10(abs((b @ z) / (a @ z))), db, places=6)

    def test_coloured_noise_has_an_rms_of_1(self):
        for seed in range(5):
            self.assertAlmostEqual(effects.rms(effects.coloured_noise(RATE, np.random.default_rng(seed))), 1, places=3)


class MaterialCase(unittest.TestCase):
    """A bank of constructed recordings, written by material.py's own code."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.folder.name)
        speech = [bursts((0.5, 1.5), (1.8, 2.4), seconds=3 + i) for i in range(6)]
        tones = [0.3 * np.sin(np.arange(5 * RATE) * f).astype(np.float32) for f in (0.1, 0.2, 0.3)]
        for kind, recordings in ('speech', speech), ('noise', [noise(4, s) * 0.1 for s in range(4)]), ('music', tones):
            cls.write(kind, recordings)
        cls.banks = [Bank(cls.work, kind) for kind in ('speech', 'noise', 'music')]

    @classmethod
    def write(cls, kind, recordings):
        keep = material.keep_speech if kind == 'speech' else material.keep_noise
        kept = []
        for i, samples in enumerate(recordings):
            pcm = np.round(np.clip(samples, -1, 1) * 32767).astype(np.int16)
            path = pathlib.Path(f'{"bark" if i == 0 else "rain"}-{i}.wav')
            kept.append(((path, material.family(cls.work / kind / path, cls.work / kind)), pcm, keep(samples, None)))
        material.write(cls.work, kind, iter(kept), len(kept))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()


class BankTests(MaterialCase):
    def test_a_recording_comes_back_with_its_labels(self):
        samples, speech, weight = self.banks[0].labelled(3)
        np.testing.assert_allclose(samples, bursts((0.5, 1.5), (1.8, 2.4), seconds=6), atol=1 / 16384)
        np.testing.assert_array_equal(speech, labels.label(samples)[0])
        self.assertEqual((len(speech), len(weight)), (600, 600))

    def test_recordings_are_found_by_length_and_by_name(self):
        self.assertEqual(list(self.banks[0].which(shortest=5, longest=7)), [2, 3, 4])
        self.assertEqual(list(self.banks[1].which(words=['bark'])), [0])

    def test_a_small_family_is_drawn_oftener_than_its_share(self):
        rng, bank = np.random.default_rng(0), self.banks[1]
        drawn = np.bincount([bank.draw(rng) for _ in range(2000)], minlength=4)
        expected = 1 / (1 + 3**0.6)  # one recording against three as long
        self.assertAlmostEqual(drawn[0] / 2000, expected, delta=0.04)

    def test_a_cut_is_as_long_as_asked_even_of_something_shorter(self):
        rng = np.random.default_rng(0)
        for count in 1, 9, 10, 11, 25:
            self.assertEqual(len(cut(np.arange(10), count, rng)), count)


class SceneTests(MaterialCase):
    def setUp(self):
        self.mixer = scenes.Mixer(*self.banks)

    def test_the_same_seed_gives_the_same_scene(self):
        a, b = (self.mixer.scene(np.random.default_rng(7)) for _ in range(2))
        np.testing.assert_array_equal(a.samples, b.samples)
        np.testing.assert_array_equal(a.speech, b.speech)

    def test_talk_is_loud_where_it_is_labelled_and_faint_where_not(self):
        for seed in range(12):
            rng = np.random.default_rng(seed)
            with unittest.mock.patch.object(scenes, 'impulse_response', lambda rng, far=False: np.ones(1, np.float32)):
                samples, speech, _ = self.mixer.talk(rng)
            levels = labels.hop_levels(samples.astype(float))
            level = 10 * np.log10((10 ** (levels[speech] / 10)).mean())
            self.assertTrue(-8.5 - scenes.FAR_DB[1] < level < 8.5, level)  # 4 dB of the speaker, 4 dB of the utterance
            self.assertLess(np.median(levels[~speech]), level - 30)

    def test_backgrounds_have_an_rms_of_1_and_events_a_loudest_moment_of_1(self):
        for seed in range(10):
            rng = np.random.default_rng(seed)
            self.assertAlmostEqual(effects.rms(self.mixer.bed(rng)), 1, places=3)
            self.assertAlmostEqual(scenes.loudest(self.mixer.event(rng)), 1, places=2)

    def test_a_background_scene_has_no_speech_and_every_scene_its_length(self):
        kinds = set()
        for seed in range(12):
            scene = self.mixer.scene(np.random.default_rng(seed))
            kinds.add(scene.has_talk)
            self.assertEqual(scene.speech.any(), scene.has_talk)
            self.assertEqual((len(scene.speech), len(scene.weight)), (scenes.HOPS, scenes.HOPS))
            self.assertAlmostEqual(len(scene.samples) / scene.rate, scenes.SECONDS, places=3)
            self.assertTrue(np.isfinite(scene.samples).all())
        self.assertEqual(kinds, {False, True})

    def test_levels_lie_where_they_are_promised(self):
        """Before what a gain knob, clipping and added noise do: the median of many."""
        levels = [20 * np.log10(effects.rms(scenes.captured(noise(20), np.random.default_rng(s))[0])) for s in range(40)]
        self.assertTrue(-47 < np.median(levels) < -27, np.median(levels))  # the middle of -62 … -12
        self.assertTrue(max(levels) < 0 and min(levels) > -90)

    def test_late_talk_begins_after_two_seconds(self):
        for seed in range(8):
            _, speech, _ = self.mixer.talk(np.random.default_rng(seed), late=True)
            first = int(speech.argmax())
            self.assertTrue(200 <= first <= 600 + 56, first)  # 0.5 s at the slowest: what a recording begins with

    def test_steady_beds_hardly_change(self):
        for seed in range(6):
            bed = self.mixer.steady_bed(np.random.default_rng(seed))
            self.assertAlmostEqual(effects.rms(bed), 1, places=3)
            seconds = 10 * np.log10((bed.reshape(20, -1) ** 2).mean(1))
            self.assertLess(np.ptp(seconds), 6)

    def test_pauses_are_cut_cleanly_and_labelled(self):
        samples, hops = noise(3), 300
        whole = np.ones(hops, bool), np.ones(hops, np.float32)
        for seed in range(10):
            out, speech, weight = scenes.with_pauses(samples, *whole, np.random.default_rng(seed))
            self.assertEqual((len(speech), len(out)), (len(weight), len(speech) * HOP))
            self.assertEqual(speech.sum(), hops)
            edges = np.flatnonzero(np.diff(np.pad(~speech, 1))).reshape(-1, 2)
            self.assertTrue(1 <= len(edges) <= 4)
            self.assertTrue((np.diff(edges) >= 5).all() and (np.diff(edges) <= 60).all(), edges)
            quiet = out.reshape(-1, HOP)[~speech]
            self.assertFalse(quiet.any())
            self.assertTrue((np.abs(out.reshape(-1, HOP)[speech]).max(1) > 0.5).all())

    def test_a_television_talks_quietly_and_counts_as_speech(self):
        with unittest.mock.patch.object(scenes, 'TELEVISION_SHARE', 1):
            _, speech, _, has_talk, levels = self.mixer.made(np.random.default_rng(2))
        self.assertTrue(has_talk and speech.any())
        self.assertEqual(levels, (-65, -42))

    def test_residual_echo_is_short_and_its_loudest_moment_is_1(self):
        for seed in range(4):
            left = self.mixer.residual_echo(np.random.default_rng(seed))
            self.assertAlmostEqual(scenes.loudest(left), 1, places=2)
            levels = labels.hop_levels(left)
            self.assertLess((levels > levels.max() - 20).mean(), 0.6)

    def test_telephones_are_as_many_as_promised(self):
        """One scene in 5.6 is at 8 kHz, two thirds of them through a telephone's codec."""
        second = np.zeros(160, np.float32)
        rates = [scenes.at_another_rate(second, np.random.default_rng(seed))[1] for seed in range(3000)]
        self.assertAlmostEqual(np.mean(np.array(rates) == 8000), 0.18, delta=0.02)
        heard = unittest.mock.Mock(side_effect=lambda samples, rng: samples)
        with (unittest.mock.patch.object(scenes, 'telephone', heard),
              unittest.mock.patch.object(scenes, 'RATES', [(8000, 1.0)])):
            for seed in range(60):
                scenes.captured(noise(20, seed % 2), np.random.default_rng(seed))
        self.assertTrue(30 <= heard.call_count <= 50, heard.call_count)


if __name__ == '__main__':
    unittest.main()
