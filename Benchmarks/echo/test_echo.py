"""Tests the simulator against geometry and measurements, and the counting against sequences made by hand. compare.sh
runs these tests first, and names the library in LIBDETECT."""

import os
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import methods
import numpy as np
import recordings
import room
import scenes
import scoring
import soundfile
import sounds
import speaker
from compare import Material, plan
from scipy.signal import fftconvolve
from sounds import HOP, RATE

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def schroeder_rt60(sound):
    """Measures the reverberation time from the decay of the energy that is left, -5 to -25 dB."""
    left = np.cumsum(sound[::-1] ** 2)[::-1]
    level = 10 * np.log10(left / left[0])
    first, end = np.argmax(level < -5), np.argmax(level < -25)
    slope = np.polyfit(np.arange(first, end) / RATE, level[first:end], 1)[0]
    return -60 / slope


class RoomTests(unittest.TestCase):
    size, source, microphone = np.array([4.0, 5.0, 3.0]), np.array([1.0, 2.0, 1.5]), np.array([2.5, 3.0, 1.0])

    def test_the_first_reflections_are_those_of_the_six_mirrored_sources(self):
        distance, count = room.images(self.size, self.source, self.microphone, 15)
        mirrored = []
        for axis in range(3):
            for wall in (0, self.size[axis]):
                image = self.source.copy()
                image[axis] = 2 * wall - image[axis]
                mirrored.append(np.linalg.norm(image - self.microphone))
        np.testing.assert_allclose(np.sort(distance[count == 1]), np.sort(mirrored))
        np.testing.assert_allclose(distance[count == 0], [np.sqrt(1.5**2 + 1 + 0.25)])

    def test_there_are_as_many_images_of_an_order_as_cells_in_a_shell_of_an_octahedron(self):
        _, count = room.images([3, 3, 3], [1, 1, 1], [2, 1.5, 1], 20)
        self.assertEqual([int((count == order).sum()) for order in (0, 1, 2, 3)], [1, 6, 18, 38])

    def test_the_direct_sound_comes_when_it_should_and_as_loud_as_it_should(self):
        sound = room.response(np.random.default_rng(1), self.size, self.source, self.microphone, 0.3, RATE)
        distance = np.linalg.norm(self.source - self.microphone)
        place = distance / 343 * RATE
        self.assertLess(abs(np.argmax(np.abs(sound[:int(place) + 8])) - place), 1)
        self.assertLess(np.abs(sound[:int(place) - 20]).max(), 1e-3)
        around = slice(int(place) - 15, int(place) + 17)
        self.assertAlmostEqual(float(sound[around].sum()) * distance, 1, delta=0.05)

    def test_the_sound_decays_in_the_wanted_time(self):
        for seed, (size, rt60) in enumerate([((2.5, 2.5, 2.3), 0.15), ((4, 3, 2.6), 0.3), ((5, 4, 2.8), 0.45),
                                             ((7, 6, 3.2), 0.6), ((7, 6, 3.2), 0.3)]):
            size = np.array(size)
            sound = room.response(np.random.default_rng(seed), size, size * 0.3, size * 0.65, rt60, RATE)
            self.assertLess(abs(schroeder_rt60(sound) / rt60 - 1), 0.2, (size, rt60, schroeder_rt60(sound)))

    def test_images_alone_decay_in_the_wanted_time_too(self):
        for size, rt60 in (((2.5, 2.5, 2.3), 0.8), ((4.8, 5.8, 2.4), 1.2), ((7, 6, 3.2), 1.0)):
            size = np.array(size)
            sound = room.response_of_images(None, size, size * 0.3, size * 0.65, rt60, RATE)
            self.assertLess(abs(schroeder_rt60(sound) / rt60 - 1), 0.25, (size, rt60, schroeder_rt60(sound)))

    def test_images_alone_begin_as_the_others_do(self):
        sound = room.response_of_images(None, self.size, self.source, self.microphone, 0.8, RATE)
        place = np.linalg.norm(self.source - self.microphone) / 343 * RATE
        self.assertLess(abs(np.argmax(np.abs(sound[:int(place) + 8])) - place), 1)


def burst_material(folder):
    """Material whose speech is bursts of noise, which correlate with nothing but themselves."""
    random = np.random.default_rng(5)
    for name in range(12):
        length = random.integers(1, 3) * RATE
        samples = np.concatenate([np.zeros(RATE // 4), random.standard_normal(length), np.zeros(RATE // 4)])
        soundfile.write(folder / f"{name}.wav", 0.05 * samples, RATE)
    return Material(sounds.Speech(sounds.find([folder])), sounds.Background([]), [])


class SceneTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.material = burst_material(Path(cls.folder.name))

    def make(self, name, index):
        return scenes.make(11, name, index, self.material)

    def delay_between(self, scene, first, end):
        """Measures the delay in seconds from the reference to the echo in a part of the scene, given in seconds."""
        part = slice(int(first * RATE), int(end * RATE))
        echo = scene.microphone[part].astype(float) - scene.clean[part]
        reference = np.zeros(len(scene.reference), float)
        begin = max(part.start - RATE // 2, 0)
        reference[begin:part.stop] = scene.reference[begin:part.stop]
        correlation = fftconvolve(echo, reference[begin:part.stop][::-1])
        lags = np.arange(len(correlation)) - (part.stop - begin - 1) + (part.start - begin)
        inside = (lags >= 0) & (lags <= RATE // 2)
        return lags[inside][np.argmax(np.abs(correlation[inside]))] / RATE

    def delays(self, name, index):
        """Yields (scene, second, delay told, delay measured) for the seconds with far-end sound and no change."""
        scene = self.make(name, index)
        for first in range(2, 20, 2):
            hops = slice(100 * first, 100 * first + 100)
            told = scene.delay[hops]
            is_moved = scene.moved is not None and scene.moved < first + 1
            if np.ptp(told) < 0.003 and scene.far[hops].mean() > 0.5 and not is_moved:
                yield scene, first, told.mean(), self.delay_between(scene, first, first + 1)

    def test_echoes_come_behind_the_reference_as_told_through_drift_and_jumps(self):
        measured = jumps = drifts = 0
        for index in range(16):
            for scene, second, told, delay in self.delays("start", index):
                self.assertAlmostEqual(delay, told, delta=0.004)
                measured += 1
                jumps += scene.jump is not None and second > scene.jump
                drifts += scene.jump is None and abs(told - scene.delay[0]) > 0.005
        self.assertGreater(measured, 50)
        self.assertGreater(jumps, 0)
        self.assertGreater(drifts, 0)

    def test_a_noisy_line_is_a_telephone_and_noisy(self):
        def spread(scene):
            """Returns the spread of the reference's hops and the share of its power outside of 250 Hz to 3.8 kHz."""
            power = np.abs(np.fft.rfft(scene.reference.astype(float))) ** 2
            frequency = np.fft.rfftfreq(len(scene.reference), 1 / RATE)
            levels = sounds.hop_levels(scene.reference / 32768)
            return (np.ptp(np.percentile(levels, [10, 95])),
                    power[(frequency < 250) | (frequency > 3800)].sum() / power.sum())

        lines = np.array([spread(self.make("noisy line", index)) for index in range(8)])
        others = np.array([spread(self.make("conversation", index)) for index in range(8)])
        self.assertLess(lines[:, 1].max(), 0.06)
        self.assertLess(lines[:, 0].max(), 31)
        self.assertLess(lines[:, 0].mean() + 10, others[:, 0].mean())

    def levels(self, samples, seconds):
        """The level in dB of each part of so many seconds."""
        parts = samples[:len(samples) // int(seconds * RATE) * int(seconds * RATE)].astype(float)
        return 10 * np.log10(np.mean(parts.reshape(-1, int(seconds * RATE)) ** 2, axis=1) + 1e-9)

    def test_levels_step_as_told_and_stay(self):
        reached = []
        for index in range(20):
            curve, times = scenes.level_steps(np.random.default_rng(index), 120)
            self.assertGreaterEqual(len(times), 7)
            edges = [0, *times, 120]
            plateaus = [curve[int((edge + 1.1) * RATE):int((after - 0.02) * RATE)] for edge, after in zip(edges, edges[1:])]
            self.assertLess(max(map(np.ptp, plateaus)), 1e-3)
            reached += list(np.diff([plateau[0] for plateau in plateaus]))
            self.assertLessEqual(np.abs(curve).max(), scenes.STEPS_REACH_DB + 0.01)
        low, high = np.abs(reached).min(), np.abs(reached).max()
        self.assertTrue(6 <= low + 0.01 < 8 and 22 < high <= 25.01, (low, high))

    def test_a_gate_closes_while_the_far_end_talks_and_opens_behind_it(self):
        heard = np.zeros(1000, bool)
        heard[200:500] = True
        for index in range(20):
            level = scenes.gate(np.random.default_rng(index), heard, 1000 * HOP)
            self.assertEqual(np.abs(level[:200 * HOP]).max(), 0)
            self.assertAlmostEqual(float(level[300 * HOP:500 * HOP].max()), -30, places=3)
            self.assertEqual(np.abs(level[700 * HOP:]).max(), 0)

    def test_a_quiet_reference_is_quieter_than_its_echo(self):
        for index in range(4):
            scene = self.make("quiet reference", index)
            echo = scene.microphone[4 * RATE:].astype(float) - scene.clean[4 * RATE:]
            self.assertGreater(np.mean(echo**2), np.mean(scene.reference[4 * RATE:].astype(float) ** 2))
            self.assertLess(self.levels(scene.reference / 32768, 0.1).max(), -30)

    def test_only_one_side_of_a_step_steps(self):
        for name, stepping, still in (("volume", "microphone", "reference"), ("reference's level", "reference", "microphone")):
            spread = {side: [] for side in (stepping, still)}
            for index in range(3):
                scene = self.make(name, index)
                for side in spread:
                    loud = [np.percentile(self.levels(getattr(scene, side)[int(a * RATE):int(b * RATE)], 0.05), 90)
                            for a, b in zip([2, *scene.steps], [*scene.steps, 120])]
                    spread[side].append(np.std(loud))
            self.assertGreater(np.mean(spread[stepping]), 1.5 * np.mean(spread[still]), spread)

    def test_a_foreign_reference_is_not_what_echoes(self):
        right = [abs(told - delay) < 0.004 for index in range(4) for *_, told, delay in self.delays("foreign", index)]
        self.assertGreater(len(right), 12)
        self.assertLess(np.mean(right), 0.2)

    def test_the_echo_is_as_loud_as_told(self):
        measured = 0
        for index in range(16):
            scene = self.make("start", index)
            if scene.gains or scene.moved or np.abs(scene.microphone).max() == 32767:
                continue
            echo = scene.microphone.astype(float) - scene.clean
            rms = np.sqrt(np.mean(echo.reshape(-1, HOP)[scene.far] ** 2))
            source = np.zeros(len(scene.far), bool)
            moved_back = np.flatnonzero(scene.far) - np.rint(100 * scene.delay[scene.far]).astype(int)
            source[moved_back[moved_back >= 0]] = True
            reference = np.sqrt(np.mean(scene.reference.astype(float).reshape(-1, HOP)[source] ** 2))
            self.assertAlmostEqual(20 * np.log10(rms / reference), scene.echo_return_db, delta=1)
            measured += 1
        self.assertGreater(measured, 3)

    def test_whispers_are_whispered_and_soft_voices_below_the_echo(self):
        for kind, count in (("conversation", 0), ("whisper conversation", 1)):
            with unittest.mock.patch("scenes.voices.whispered", side_effect=lambda near, _: near) as whispered:
                self.make(kind, 2)
            self.assertEqual(whispered.call_count, count)
        for index in range(4):
            self.assertTrue(-14 <= self.make("soft conversation", index).near_to_echo_db <= -4)

    def test_a_scene_depends_on_seed_kind_and_index_alone(self):
        scene = self.make("conversation", 3)
        self.make("headset", 1)
        again = self.make("conversation", 3)
        for name in ("microphone", "reference", "clean", "near", "far"):
            np.testing.assert_array_equal(getattr(scene, name), getattr(again, name))
        self.assertFalse(np.array_equal(scene.microphone, self.make("conversation", 4).microphone))
        self.assertFalse(np.array_equal(scene.microphone, scenes.make(12, "conversation", 3, self.material).microphone))

    def test_each_kind_is_what_it_says(self):
        for name, kind in scenes.KINDS.items():
            if kind.programme != "speech":
                continue
            scene = self.make(name, 0)
            self.assertEqual(len(scene.microphone), kind.seconds * RATE)
            self.assertEqual(scene.near.any(), kind.near, name)
            self.assertEqual(scene.far.any(), kind.echo, name)
            self.assertEqual(np.array_equal(scene.microphone, scene.clean), not kind.echo, name)
            self.assertEqual(scene.reference is None, kind.reference == "none", name)

    def test_a_reference_that_lags_comes_after_its_echo_in_some_scenes(self):
        delays = [self.make("lag", index).delay[0] for index in range(6)]
        self.assertLess(min(delays), 0)
        self.assertGreaterEqual(min(delays), -scenes.LAG_SECONDS)


class MaterialTests(unittest.TestCase):
    def test_bursts_are_found_in_their_noise(self):
        random = np.random.default_rng(3)
        samples = 1e-4 * random.standard_normal(3 * RATE)
        samples[RATE:2 * RATE] += 0.1 * random.standard_normal(RATE)
        samples[RATE * 3 // 2:RATE * 3 // 2 + 800] = 0  # a stop of 50 ms within the word
        active = sounds.active_hops(samples)
        edges = np.flatnonzero(np.diff(active.astype(int))) + 1
        np.testing.assert_allclose(edges, [100, 200], atol=1)
        self.assertEqual(sounds.phrases(active), [tuple(edges)])

    def test_utterances_have_a_common_level(self):
        speech = sounds.Speech([SAMPLES / "speech.flac"])
        random = np.random.default_rng(2)
        for _ in range(5):
            samples, active = speech.utterance(random)
            level = 20 * np.log10(scenes.active_rms(samples, active))
            self.assertLess(abs(level), 6)
            self.assertEqual(len(samples), HOP * len(active))

    def test_music_is_never_taken_from_its_silence(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "late.wav"
            tone = 0.1 * np.sin(np.arange(20 * RATE) / 8)
            soundfile.write(file, np.concatenate([np.zeros(60 * RATE), tone]), RATE)
            random = np.random.default_rng(1)
            for _ in range(10):
                self.assertAlmostEqual(float(np.mean(sounds.music(random, [file], 2 * RATE) ** 2)), 1, delta=1e-3)

    def test_a_speaker_is_in_one_half(self):
        def halves(*names):
            return {sounds.is_of_half(Path("speech") / name, 1) for name in names}

        for speakers in ([f"so-{speaker:05}{{}}.opus" for speaker in range(64)],
                         [f"libri-{speaker}-{{}}-{{}}.flac" for speaker in range(1000, 1064)]):
            of_each = [halves(*(name.format(f"{n:04}", f"{7 * n:04}") for n in range(16))) for name in speakers]
            self.assertEqual({len(half) for half in of_each}, {1})
            self.assertEqual(set.union(*of_each), {False, True})
        for name in ("rec-2024-05-{:02}.wav", "202405011234{:02}.wav"):
            self.assertEqual(halves(*(name.format(n) for n in range(64))), {False, True})
        self.assertEqual(halves(*(f"rain_{n}.ogg" for n in range(64))), {False, True})
        self.assertTrue(all(sounds.is_of_half(Path("rain.ogg"), half) != sounds.is_of_half(Path("rain.ogg"), 1 - half)
                            and sounds.is_of_half(Path("rain.ogg"), None) for half in (0, 1)))

    def test_noise_is_noise_to_its_end_and_at_any_level(self):
        def crest(samples):
            """Takes for speech what is six times as loud as the RMS, and anything if that is below -60 dBFS."""
            hops = np.abs(samples[:len(samples) // HOP * HOP]).reshape(-1, HOP).max(axis=1)
            rms = np.sqrt(np.mean(samples**2))
            return np.where((hops > 6 * rms) | (self.is_shy and rms < 1e-3), 1.0, 0.0)

        with tempfile.TemporaryDirectory() as name:
            file = Path(name) / "noise.wav"
            for seconds, first, count, self.is_shy, expected in (
                    (4, 0, 0, False, True), (4, 0, 0, True, False), (2, 0, 0, False, False), (65, 0, 0, False, True),
                    (65, 6100, 40, False, False), (65, 6470, 30, False, False), (65, 3000, 10, False, True)):
                samples = np.full(seconds * RATE, 0.02)
                samples[first * HOP:(first + count) * HOP] = 0.9
                soundfile.write(file, samples, RATE)
                sounds.duration.cache_clear()
                self.assertEqual(sounds.is_noise(file, crest), expected, (seconds, first, count, self.is_shy))

    def test_pairs_are_found_by_both_layouts(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "ref").mkdir()
            for file in ("a_mic.wav", "a_reference.wav", "b_mic.wav", "c.flac", "ref/c.flac", "d.wav"):
                soundfile.write(folder / file, np.zeros(RATE), RATE)
            pairs = {str(file.relative_to(folder)): recordings.reference_of(file) for file in sounds.find([folder])}
            self.assertEqual({name: pair for name, pair in pairs.items() if pair},
                             {"a_mic.wav": folder / "a_reference.wav", "c.flac": folder / "ref/c.flac"})


class MethodTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.core = methods.Core(os.environ["LIBDETECT"])

    def test_decisions_are_the_cores_for_its_own_posteriors(self):
        for name in ("speech.flac", "muted-talk.flac", "speech-cafe-10db.flac", "speech-fan-0db.flac"):
            samples = np.rint(sounds.read(SAMPLES / name) * 32767).astype(np.int16)
            samples = samples[:len(samples) // HOP * HOP]
            for preset in methods.PRESETS:
                core = self.core.detect(samples, preset)
                own = self.core.decide(core.posteriors, preset)
                np.testing.assert_array_equal(own.speech, core.speech)
                np.testing.assert_array_equal(own.begins, core.begins)
                # At the end of the stream the core ends what is open.
                np.testing.assert_array_equal(own.notice[:-1], core.notice[:-1])

    def test_what_only_echoes_is_left_out_beside_its_reference(self):
        reference = np.rint(sounds.read(SAMPLES / "speech.flac") * 32767).astype(np.int16)
        reference = np.tile(reference[:len(reference) // HOP * HOP], 2)
        echo = scenes.delayed_by(reference // 4, RATE // 10)
        self.assertGreater(self.core.detect(echo, "notice").speech.mean(), 0.5)
        self.assertLess(self.core.detect(echo, "notice", reference).speech[200:].mean(), 0.02)

    def test_geigel_is_its_definition(self):
        random = np.random.default_rng(4)
        hops, back = 200, 53
        microphone, reference = (random.integers(-3000, 3000, hops * HOP).astype(np.int16) for _ in range(2))
        microphone = (microphone * np.repeat(random.uniform(0, 1.2, hops), HOP)).astype(np.int16)
        reference[100 * HOP:] = 20
        posteriors = random.random(hops).astype(np.float32)
        kept = []
        for hop in range(hops):
            mine = max(abs(int(x)) for x in microphone[hop * HOP:(hop + 1) * HOP])
            theirs = max(abs(int(x)) for x in reference[max(hop - back + 1, 0) * HOP:(hop + 1) * HOP])
            kept.append(mine >= theirs / 2 or theirs <= 33)
        np.testing.assert_array_equal(methods.geigel(posteriors, microphone, reference) > 0, kept)
        self.assertTrue(0 < np.sum(kept[:100]) < 100)

    def test_cancellers_take_a_plain_echo_out(self):
        reference = np.random.default_rng(6).normal(0, 3000, 5 * RATE).astype(np.int16)
        echo = scenes.delayed_by(reference // 3, 1000)
        for name, cancel in methods.cancellers().items():
            with self.subTest(name):
                rest = cancel(echo, reference)[4 * RATE:].astype(float)
                self.assertLess(np.std(rest), 0.3 * np.std(echo[4 * RATE:]))


def scene_of(kind, hops, near=(), far=(), **more):
    """A scene without sound: `near` and `far` are (start, end) in hops."""
    flags = np.zeros((2, hops), bool)
    for row, parts in zip(flags, (near, far)):
        for start, end in parts:
            row[start:end] = True
    return scenes.Scene(kind, 0, None, None, None, *flags, delay=np.zeros(hops),
                        **{"echo_return_db": -15.0, "near_to_echo_db": 5.0, **more})


def decisions_of(hops, *notices):
    state = np.zeros(hops, bool)
    for start, end in notices:
        state[start:end] = True
    return methods.Decisions(state.astype(np.float32), state, state, np.array([start for start, _ in notices], int))


class SpeakerTests(unittest.TestCase):
    def test_the_pitch_is_that_of_the_harmonics(self):
        time = np.arange(RATE) / RATE
        for hz in (90, 140, 260):
            sound = sum(np.cos(2 * np.pi * hz * k * time) / k for k in range(1, 20)) * 0.05
            pitch = speaker.features(sound)[1]["pitch"]
            np.testing.assert_allclose(150 * 2 ** pitch[:, 0], hz, rtol=0.03)
            self.assertTrue(pitch[:, 1].all())
        noise = np.random.default_rng(2).standard_normal(RATE)
        self.assertLess(speaker.features(noise)[1]["pitch"][:, 1].mean(), 0.1)

    def test_a_voice_falls_and_a_room_rings_on(self):
        random = np.random.default_rng(5)
        bursts = random.standard_normal(4 * RATE) * np.repeat([1, 0.01] * 20, RATE // 10)
        rings = np.cumsum(np.repeat([20, -20] * 4, RATE // 2) / (RATE // 2))  # by 20 dB in half a second, up and down
        for sound, least, most in ((bursts, 0.05, 0.6), (random.standard_normal(4 * RATE) * 10 ** (rings / 20), 0, 0.01)):
            fallen, could = speaker.features(sound)[2].sum(axis=0)
            self.assertTrue(least <= fallen / max(could, 1) <= most, f"{fallen} of {could}")

    def test_another_microphone_changes_the_spectrum_not_the_level(self):
        random = np.random.default_rng(3)
        noise = random.standard_normal(2 * RATE)
        changed = speaker.coloured(random, noise)
        self.assertAlmostEqual(float(np.std(changed)), 1, delta=0.05)
        plain, other = (speaker.features(x)[1]["long-term spectrum"].mean(axis=0) for x in (noise, changed))
        self.assertGreater(np.abs(plain - other).max(), 3)

    def test_the_fit_finds_the_line_between_two_clouds(self):
        random = np.random.default_rng(4)
        clouds = [random.standard_normal((2000, 2)) + at for at in ([1, 0], [-1, 0])]
        weights = speaker.fit(np.concatenate(clouds), np.repeat([1.0, 0.0], 2000))
        np.testing.assert_allclose(weights, [2, 0, 0], atol=0.15)  # of two Gaussians: the difference of their means
        self.assertAlmostEqual(speaker.auc(clouds[0] @ weights[:2], clouds[1] @ weights[:2]), 0.921, delta=0.01)


class ScoringTests(unittest.TestCase):
    def count(self, scene, *notices, lookahead=3):
        hops = len(scene.near)
        return scoring.score(scene, "m", {"notice": decisions_of(hops, *notices)}, lookahead).counts

    def test_false_notices_count_from_four_seconds_of_far_end_on(self):
        scene = scene_of("long", 12000, far=[(100, 12000)])
        counts = self.count(scene, (50, 60), (100, 110), (499, 510), (500, 520), (9000, 9100))
        key = ("long", "m", "notice")
        self.assertEqual((counts["false", *key], counts["early", *key], counts["hops", *key]), (2, 1, 11500))
        self.assertEqual(counts["false", "-20 … -10 dB", *key], 2)

    def test_notices_after_changes_count_apart_and_once(self):
        scene = scene_of("long", 12000, far=[(0, 12000)], jump=20.0, moved=22.0)
        counts = self.count(scene, (1999, 2000), (2000, 2010), (2300, 2310), (2399, 2400), (2400, 2410), (2600, 2610))
        key = ("long", "m", "notice")
        self.assertEqual((counts["false", *key], counts["false after jump", *key], counts["false after move", *key]),
                         (6, 3, 1))
        self.assertEqual((counts["jump", *key], counts["jump", "noticed", *key]), (1, 1))
        self.assertEqual((counts["move", *key], counts["move", "noticed", *key]), (1, 1))

    def test_an_onset_needs_quiet_before_and_speech_behind(self):
        near = np.zeros(2000, bool)
        for start, end in ((20, 90), (200, 300), (330, 400), (500, 520), (700, 800), (1900, 2000)):
            near[start:end] = True
        self.assertEqual(scoring.onsets(near), [200, 700])

    def test_a_notice_is_in_time_with_its_look_ahead(self):
        for hop, told in ((200, (1, 1)), (246, (1, 1)), (247, (0, 1)), (296, (0, 1)), (297, (0, 0))):
            counts = self.count(scene_of("headset", 1000, near=[(200, 400)]), (hop, 500))
            key = ("headset", "headset", "m", "notice")
            self.assertEqual(counts["onsets", *key], 1)
            self.assertEqual(tuple(counts["told", limit, *key] for limit in (50, 100)), told, hop)

    def test_a_notice_that_still_runs_tells_an_onset(self):
        counts = self.count(scene_of("headset", 1000, near=[(200, 400)]), (150, 201))
        self.assertEqual(counts["told", 50, "headset", "headset", "m", "notice"], 1)

    def test_talk_is_single_or_double_or_neither(self):
        scene = scene_of("conversation", 2000, near=[(200, 300), (600, 700), (1000, 1100)],
                         far=[(600, 640), (1000, 1010)])
        counts = self.count(scene)
        of = {group: counts["onsets", group, "conversation", "m", "notice"] for group in ("single", "double")}
        self.assertEqual(of, {"single": 1, "double": 1})
        self.assertEqual(counts["onsets", "conversation", "conversation", "m", "notice"], 3)
        self.assertEqual(counts["onsets", "0 … 10 dB", "double", "conversation", "m", "notice"], 1)

    def test_exact_poisson_intervals_are_those_of_the_tables(self):
        for count, low, high in ((0, 0, 3.689), (1, 0.0253, 5.572), (5, 1.623, 11.668), (10, 4.795, 18.390),
                                 (100, 81.364, 121.627)):
            np.testing.assert_allclose(scoring.poisson_interval(count), (low, high), atol=2e-3)

    def test_wilson_intervals_are_those_of_the_literature(self):
        for count, of, low, high in ((0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718), (15, 148, 0.0624, 0.1605),
                                     (81, 263, 0.2553, 0.3662)):  # Newcombe 1998, method 3
            np.testing.assert_allclose(scoring.wilson_interval(count, of), (low, high), atol=1e-3)

    def test_the_area_is_the_share_of_pairs_won(self):
        random = np.random.default_rng(8)
        truth = random.random(300) < 0.4
        posteriors = np.clip(np.round(0.3 * truth + 0.6 * random.random(300), 2), 0, 1).astype(np.float32)
        pairs = [(p > n) + 0.5 * (p == n) for p in posteriors[truth] for n in posteriors[~truth]]
        self.assertAlmostEqual(scoring.auc(scoring.histogram(posteriors, truth)), np.mean(pairs), places=3)
        self.assertIsNone(scoring.auc(scoring.histogram(posteriors, np.ones(300, bool))))

    def test_tallies_add_up_in_any_order(self):
        parts = [scoring.score(scene_of("long", 2000, far=[(start, 2000)]), "m",
                               {"notice": decisions_of(2000, (900, 950), (1500, 1600))}, 3) for start in (0, 400, 700)]
        sums = []
        for order in ((0, 1, 2), (2, 0, 1)):
            total = scoring.Tally()
            for i in order:
                total.add(parts[i])
            sums.append(total)
        self.assertEqual(sums[0].counts, sums[1].counts)
        self.assertEqual(sums[0].counts["false", "long", "m", "notice"], 5)
        np.testing.assert_array_equal(sums[0].histograms["long", "m"], sums[1].histograms["long", "m"])

    def test_the_plan_scales_with_the_hours(self):
        counts = plan(10, 0.5, scenes.KINDS)
        self.assertEqual(counts["long"], (300, 15))
        hours = sum(count * scenes.KINDS[name].seconds for name, (count, _) in counts.items()) / 3600
        self.assertAlmostEqual(hours, 10 * sum(kind.share for kind in scenes.KINDS.values()), delta=0.2)


if __name__ == "__main__":
    unittest.main()
