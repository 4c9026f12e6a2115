"""Nothing that a labelled set holds comes into the training, by its name or by its sound."""

import contextlib
import io
import multiprocessing.pool
import pathlib
import tempfile
import unittest
import unittest.mock

import numpy as np
import soundfile
from scipy.signal import resample_poly

import labelled
import material
import synthesise
from debian import SOURCES
from features import RATE, ROOT

SAMPLES = ROOT / 'samples'


def pcm(samples):
    return np.round(samples * (0.9 * 32767 / np.abs(samples).max())).astype(np.int16)


def recording(name):
    return material.decode(next(SAMPLES.glob(f'{name}.[fw]*')))


def made(seed):
    """A synthesised noise, of all families in turn."""
    families = [*synthesise.NOISE]
    return synthesise.NOISE[families[seed % len(families)]][0](np.random.default_rng(seed))


def with_noise(samples, db, seed=1):
    power = np.mean(samples.astype(float) ** 2)
    return samples + np.sqrt(power) * 10 ** (-db / 20) * np.random.default_rng(seed).standard_normal(len(samples))


class SoundTests(unittest.TestCase):
    """Some samples are the labelled clips here."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.addClassCleanup(labelled.index.cache_clear)
        cls.clips = {name: recording(name) for name in ('muted-talk', 'telephone-8k', 'speech-cafe-10db')}
        mixture = pcm(with_noise(np.pad(recording('speech'), (3000, 5000)), 10))
        to = pathlib.Path(cls.folder.name) / 'labelled.npz'
        labelled.write([(SAMPLES / name, clip) for name, clip in [*cls.clips.items(), ('mixture', mixture)]], to)
        cls.enterClassContext(unittest.mock.patch.object(labelled, 'FINGERPRINTS', to))
        labelled.index.cache_clear()

    def assert_found(self, name, samples):
        clip, agreeing = labelled.heard(pcm(np.asarray(samples, float)))
        self.assertEqual(clip, f'samples/{name}')
        self.assertGreaterEqual(agreeing, labelled.ENOUGH)

    def test_a_clip_is_found_after_changes(self):
        for name, clip in self.clips.items():
            middle = len(clip) // 2 - 3 * RATE // 2
            for samples in [
                clip,
                clip * 0.01,
                resample_poly(resample_poly(clip.astype(float), 1, 2), 2, 1),
                with_noise(clip, 10),
                *(clip[offset:] for offset in (7, 59, 113, 191)),  # up to 12 ms
                clip[middle : middle + 3 * RATE],
            ]:
                with self.subTest(clip=name):
                    self.assert_found(name, samples)

    def test_clean_speech_is_found_in_its_mixture_with_noise(self):
        self.assert_found('mixture', recording('speech'))

    def test_a_planted_clip_is_left_out_of_the_material(self):
        with tempfile.TemporaryDirectory() as folder, multiprocessing.pool.ThreadPool(1) as pool:
            for name in 'muted-talk', 'keyboard':
                samples, rate = soundfile.read(SAMPLES / f'{name}.flac')
                soundfile.write(f'{folder}/{name}.ogg', samples[2 * rate : 7 * rate], rate)
            sources = material.recordings([pathlib.Path(folder)])
            with contextlib.redirect_stdout(io.StringIO()) as said:
                kept = [path.name for (path, _), _, _ in material.judged(pool, sources, material.keep_noise, None)]
        self.assertEqual(kept, ['keyboard.ogg'])
        self.assertRegex(said.getvalue(), r'^left out: .*muted-talk\.ogg: sounds like samples/muted-talk \(\d+ landm')


class HeldTests(unittest.TestCase):
    """With what the repository holds."""

    def test_200_other_recordings_are_not_taken_for_labelled_clips(self):
        others = [material.decode(path) for path in SAMPLES.glob('*.flac')]
        most = max(labelled.heard(samples)[1] for samples in [*map(pcm, map(made, range(193))), *others])
        self.assertLess(most, labelled.ENOUGH)

    def test_names_are_told(self):
        silence = np.zeros(RATE, np.int16)
        for path, expected in [
            ('/a/Picovoice/wake-word-benchmark/audio/alexa/1.flac', True),
            ('/a/speech/sti-05b2d348.opus', True),
            ('/a/speech/so-000560026.opus', True),
            ('/a/WAVE/SPEAKER0056/000560026.WAV', True),
            ('/a/speech/so-000570026.opus', False),
            ('/a/noise/moodist-wind.opus', True),
            ('/a/noise/moodist-howling-wind.opus', False),
            ('/a/moodist/public/sounds/places/cafe.mp3', True),
            ('/a/ESC-50/audio/1-100032-A-0.wav', True),
            ('/a/speech/libri-198-209-0000.opus', False),
            ('/a/animal_rhino/rhino.ogg', False),
        ]:
            self.assertEqual(bool(labelled.reason(pathlib.PurePosixPath(path), silence)), expected, path)

    def test_no_package_of_a_labelled_set_is_fetched(self):
        fetched = [package for _, package, _, _ in SOURCES] + ['asterisk-core-sounds-fr-g722']
        held = [package for package in fetched if any(names.search(package) for names in labelled.held().values())]
        self.assertEqual(held, ['asterisk-core-sounds-fr-g722'])  # an example that is held, and none of SOURCES


if __name__ == '__main__':
    unittest.main()
