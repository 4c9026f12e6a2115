"""Holds voices, loudspeakers and codecs to what they promise, by oracles of their own."""

import shutil
import unittest
import unittest.mock

import numpy as np
from scipy.signal import lfilter, resample_poly

import labels
from features import RATE
from mixing import codecs, echo, voices

FORMANTS = 700, 1800, 2900  # Hz


def vowels(hertz=120, seconds=2.0):
    """Pulses through three resonances, in words of 0.4 s with pauses of 0.2 s; and where the words are."""
    count = int(seconds * RATE)
    sound = np.diff(np.floor(np.arange(count) * hertz / RATE), prepend=0)
    for formant in FORMANTS:
        radius, angle = np.exp(-np.pi * 150 / RATE), 2 * np.pi * formant / RATE
        sound = lfilter([1], [1, -2 * radius * np.cos(angle), radius**2], sound)
    word = np.arange(count) / RATE % 0.6 < 0.4
    sound = 0.3 * word * sound / np.abs(sound).max()
    return (sound + 1e-4 * np.random.default_rng(0).standard_normal(count)).astype(np.float32), word


def periodicity(samples, lowest=50, highest=900):
    """(the largest normalised autocorrelation, its frequency in Hz) of the first word."""
    fine, rate = resample_poly(samples[800:5600].astype(float), 4, 1), 4 * RATE
    power = np.abs(np.fft.rfft(fine - fine.mean(), 2 * len(fine))) ** 2
    correlation = np.fft.irfft(power)[: len(fine)] / (1 - np.arange(len(fine)) / len(fine))
    correlation /= correlation[0]
    first, last = rate // highest, rate // lowest
    best = correlation[first:last].max()
    lag = first + int((correlation[first:last] > 0.85 * best).argmax())  # one period rather than several
    lag += int(correlation[lag : lag + rate // 2000].argmax())
    return best, rate / lag


def band_db(samples, low, high):
    power, hertz = np.abs(np.fft.rfft(samples)) ** 2, np.fft.rfftfreq(len(samples), 1 / RATE)
    return 10 * np.log10(power[(hertz >= low) & (hertz < high)].sum() / power.sum() + 1e-12)


def peak_hz(samples, low, high):
    """Where the spectrum, smoothed over 150 Hz, is strongest between two frequencies."""
    power, hertz = np.abs(np.fft.rfft(samples)) ** 2, np.fft.rfftfreq(len(samples), 1 / RATE)
    width = int(150 / hertz[1])
    smooth = np.convolve(power, np.hanning(width), 'same')
    inside = np.flatnonzero((hertz >= low) & (hertz < high))
    return hertz[inside[smooth[inside].argmax()]]


class VoiceTests(unittest.TestCase):
    def setUp(self):
        self.samples, self.word = vowels()
        self.rng = np.random.default_rng(1)

    def test_an_envelope_is_that_of_the_process_that_made_the_sound(self):
        taps = [1, -1.2, 0.9, -0.3]
        sound = lfilter([1], taps, self.rng.standard_normal(4 * RATE))
        windows = np.lib.stride_tricks.sliding_window_view(sound, 512)[::256] * np.hanning(512)
        found = 20 * np.log10(voices.envelopes(np.fft.rfft(windows).T)).mean(1)
        truth = -20 * np.log10(np.abs(np.fft.rfft(taps, 512)))
        difference = (found - truth)[4:-4]
        self.assertLess(np.ptp(difference), 3, difference)

    def test_the_pitch_is_found_where_there_is_one(self):
        for hertz in 90, 150, 260, 380:
            samples, word = vowels(hertz)
            found, voiced = voices.pitches(samples)
            self.assertAlmostEqual(np.median(found[voiced]), hertz, delta=0.03 * hertz)
            self.assertAlmostEqual(voiced.mean(), word.mean(), delta=0.1)

    def test_every_voice_speaks_where_words_are_and_nowhere_else(self):
        word = self.word[: len(self.word) // 160 * 160].reshape(-1, 160).mean(1)
        for voice, _ in voices.VOICES:
            out = voice(self.samples, np.random.default_rng(3))
            self.assertEqual(len(out), len(self.samples), voice.__name__)
            levels = labels.hop_levels(out)
            self.assertGreater(np.median(levels[word == 1]) - np.median(levels[word == 0]), 25, voice.__name__)

    def test_a_whisper_has_no_pitch_but_the_formants(self):
        self.assertGreater(periodicity(self.samples)[0], 0.9)
        for seed in range(5):
            out = voices.whispered(self.samples, np.random.default_rng(seed))
            self.assertLess(periodicity(out, highest=250)[0], 0.35)
            for formant in FORMANTS[1:]:
                self.assertAlmostEqual(peak_hz(out, formant - 400, formant + 500) / formant, 1.05, delta=0.09)

    def test_a_whisper_has_less_at_low_frequencies(self):
        out = voices.whispered(self.samples, self.rng)
        lost = [band_db(x, 50, 300) - band_db(x, 1500, 4000) for x in (self.samples, out)]
        self.assertLess(lost[1], lost[0] - 6, lost)

    def test_the_pitch_moves_to_where_it_is_asked(self):
        for target in 240, 350, 500, 700:
            strength, hertz = periodicity(voices.at_pitch(self.samples, target, self.rng, 0.02))
            self.assertAlmostEqual(hertz, target, delta=0.04 * target)
            self.assertGreater(strength, 0.6)

    def test_falsetto_and_shouts_lie_between_their_limits(self):
        for voice, (low, high) in (voices.falsetto, voices.FALSETTO_HZ), (voices.shouted, voices.SHOUT_HZ):
            for seed in range(6):
                _, hertz = periodicity(voice(self.samples, np.random.default_rng(seed)))
                self.assertTrue(0.96 * low < hertz < 1.04 * high, hertz)

    def test_a_shout_is_brighter_than_falsetto_and_clips(self):
        bright, clipped = [], []
        for seed in range(6):
            shout = voices.shouted(self.samples, np.random.default_rng(seed))
            thin = voices.falsetto(self.samples, np.random.default_rng(seed))
            bright.append(band_db(shout, 2000, 5000) - band_db(thin, 2000, 5000))
            clipped.append((np.abs(shout) == np.abs(shout).max()).sum())
        self.assertGreater(np.median(bright), 6, bright)
        self.assertGreater(np.median(clipped), 10, clipped)

    def test_a_child_s_resonances_lie_higher(self):
        for factor in 1.15, 1.4:
            out = voices.spoken(self.samples, self.rng.standard_normal(len(self.samples)), factor)
            for formant in FORMANTS:
                found = peak_hz(out, formant * factor - 300, formant * factor + 300)
                self.assertAlmostEqual(found / formant, factor, delta=0.06)

    def test_creak_has_the_drawn_number_of_pulses(self):
        out = voices.creaky(self.samples, self.rng)[800:5600]
        energy = np.convolve(out**2, np.hanning(80), 'same')
        peaks = (energy[1:-1] > energy[:-2]) & (energy[1:-1] >= energy[2:]) & (energy[1:-1] > 0.1 * energy.max())
        self.assertTrue(0.8 * voices.CREAK_HZ[0] < peaks.sum() / 0.3 < 1.3 * voices.CREAK_HZ[1], peaks.sum() / 0.3)

    def test_silence_and_scraps_come_back(self):
        for samples in np.zeros(RATE, np.float32), np.ones(RATE // 10, np.float32):
            for voice, _ in voices.VOICES:
                out = voice(samples, self.rng)
                self.assertEqual(len(out), len(samples))
                self.assertTrue(np.isfinite(out).all())


class EchoTests(unittest.TestCase):
    def test_bursts_last_50_to_300_ms(self):
        for seed in range(5):
            heard = echo.bursts(2000, np.random.default_rng(seed))
            edges = np.flatnonzero(np.diff(np.pad(heard, (1, 0))))
            lengths = np.diff(edges[: len(edges) // 2 * 2].reshape(-1, 2)).ravel()[:-1]
            self.assertTrue((lengths >= 5).all(), lengths)
            self.assertLessEqual(np.median(lengths), 30)
            self.assertTrue(0.05 < heard.mean() < 0.6, heard.mean())

    def test_residue_has_holes_in_time_and_in_the_spectrum(self):
        noise = np.random.default_rng(0).standard_normal(20 * RATE).astype(np.float32)
        with unittest.mock.patch.object(echo, 'loudspeaker', lambda samples, rng: samples):
            left = echo.residue(noise, np.random.default_rng(1))
        self.assertEqual(len(left), len(noise))
        levels = labels.hop_levels(left)
        heard = levels > levels.max() - 20
        self.assertTrue(0.05 < heard.mean() < 0.6, heard.mean())
        power = np.abs(np.fft.rfft(left[: len(levels) * 160].reshape(-1, 160) * np.hanning(160))) ** 2
        filled = power[heard] > 0.1 * (np.hanning(160) ** 2).sum()  # of white noise that was let through
        self.assertTrue(0.1 < filled.mean() < 0.7, filled.mean())

    def test_a_loudspeaker_has_no_bass_and_no_treble(self):
        noise = np.random.default_rng(0).standard_normal(4 * RATE).astype(np.float32)
        for seed in range(5):
            out = echo.loudspeaker(noise, np.random.default_rng(seed))
            middle = band_db(out, 800, 2000) - 10 * np.log10(1200)
            for low, high in (20, 60), (7600, 8000):
                self.assertLess(band_db(out, low, high) - 10 * np.log10(high - low), middle - 4)


class CodecTests(unittest.TestCase):
    def test_both_laws_keep_small_and_large_samples_to_a_few_percent(self):
        samples = np.array([-1, -0.3, -0.02, 0.02, 0.3, 1])
        for law in codecs.mu_law, codecs.a_law:
            np.testing.assert_allclose(law(samples), samples, rtol=0.05)
            self.assertLess(abs(law(np.zeros(1))[0]), 1e-3)
            self.assertLessEqual(len(np.unique(law(np.linspace(-1, 1, 100001)))), 256)

    def test_a_codec_s_delay_is_taken_off(self):
        samples = np.random.default_rng(1).standard_normal(3 * RATE).astype(np.float32)
        late = np.concatenate([np.zeros(312, np.float32), samples])
        np.testing.assert_array_equal(codecs.aligned(samples, late), samples)
        np.testing.assert_array_equal(codecs.aligned(samples, late[:-500])[: len(samples) - 500], samples[:-500])

    def test_without_its_program_a_codec_changes_nothing(self):
        samples = vowels()[0]
        with unittest.mock.patch.object(codecs, 'run', lambda command, data: b''):
            np.testing.assert_array_equal(codecs.restored(samples, codecs.by_sox(samples, 'gsm'), 8000, 1), samples)

    @unittest.skipUnless(shutil.which('sox') and shutil.which('ffmpeg'), 'sox and ffmpeg speak the codecs')
    def test_telephones_keep_words_in_their_place(self):
        samples, word = vowels()
        samples, word = samples[::2], word[::2]
        decoders = {'gsm': lambda x: codecs.by_sox(x, 'gsm'), 'amr-nb': lambda x: codecs.by_sox(x, 'amr-nb', '-C', '2'),
                    'opus': lambda x: codecs.by_ffmpeg(x, 8000, codecs.NARROW_OPUS[0], '8k')}
        for name, decoder in decoders.items():
            out = codecs.restored(samples, decoder(samples), 8000, 1)
            self.assertEqual(len(out), len(samples), name)
            self.assertFalse(np.array_equal(out, samples), name)
            heard, quiet = (10 * np.log10((out[where] ** 2).mean() + 1e-12) for where in (word, ~word))
            self.assertGreater(heard - quiet, 12, name)
            change = heard - 10 * np.log10((samples[word] ** 2).mean())
            self.assertLess(abs(change), 3, name)


if __name__ == '__main__':
    unittest.main()
