"""compat.silero, whose rules must give what silero_vad's own give."""

import importlib
import importlib.util
import inspect
import random
import sys
import types
import unittest
from typing import Any
from unittest import mock

import numpy

from voiceactivity import Detector, scale
from voiceactivity.compat.silero import VADIterator, get_speech_timestamps, load_silero_vad
from voiceactivity.compat.silero_rules import Rules, pad, speech_spans

from .support import SAMPLES, needs_samples, read


def real_silero() -> Any:
    """Returns silero_vad's module of rules, with a stand-in for torch, of which the rules use nothing."""
    found = importlib.util.find_spec("silero_vad")
    if not found or not found.submodule_search_locations:
        raise unittest.SkipTest("silero_vad is not installed")
    torch = mock.MagicMock()
    torch.no_grad.return_value = lambda function: function  # type: ignore
    stand_ins = {"torch": torch, "torch.nn": torch, "torch.nn.functional": torch, "torchaudio": torch}
    package = types.ModuleType("silero_vad")
    package.__path__ = list(found.submodule_search_locations)
    with mock.patch.dict(sys.modules, {**stand_ins, "silero_vad": package}):
        return importlib.import_module("silero_vad.utils_vad")


class RulesTests(unittest.TestCase):
    def test_parameters_have_the_same_names_order_and_defaults(self) -> None:
        real = real_silero()
        for ours, theirs in ((get_speech_timestamps, real.get_speech_timestamps), (VADIterator, real.VADIterator)):
            described = [
                {
                    name: parameter.default
                    for name, parameter in inspect.signature(function).parameters.items()
                    if name != "model"
                }
                for function in (ours, theirs)
            ]
            self.assertEqual(described[0], described[1])
            self.assertEqual(list(described[0]), list(described[1]))

    def test_random_probabilities_give_the_same_segments(self) -> None:
        real, chance = real_silero(), random.Random(3)
        cuts = 0
        for _ in range(3000):
            rate_hz = chance.choice([8000, 16000])
            window = 512 if rate_hz == 16000 else 256
            probability, probabilities = 0.5, list[float]()
            for _ in range(chance.randrange(400)):
                probability = min(max(probability + chance.gauss(0, 0.2), 0), 1)
                probabilities.append(probability)
            length = max(len(probabilities) * window - chance.randrange(window), 0)
            threshold = chance.choice([0.3, 0.5, 0.8])
            ms = dict(
                min_speech_duration_ms=chance.choice([0, 100, 250]),
                min_silence_duration_ms=chance.choice([0, 100, 400]),
                speech_pad_ms=chance.choice([0, 30, 120]),
                min_silence_at_max_speech=chance.choice([0, 98, 200]),
            )
            limit, longest = chance.choice([float("inf"), 1.0, 2.5]), chance.choice([True, False])
            expected = real.get_speech_timestamps_from_probs(
                probabilities,
                sampling_rate=rate_hz,
                threshold=threshold,
                max_speech_duration_s=limit,
                use_max_poss_sil_at_max_speech=longest,
                audio_length_samples=length,
                **ms,
            )
            per_ms = rate_hz / 1000
            rules = Rules(
                threshold,
                max(threshold - 0.15, 0.01),
                ms["min_speech_duration_ms"] * per_ms,
                rate_hz * limit,
                ms["min_silence_duration_ms"] * per_ms,
                ms["min_silence_at_max_speech"] * per_ms,
                longest,
                ms["speech_pad_ms"] * per_ms,
            )
            found = pad(speech_spans(probabilities, window, length, rules), length, rules.pad)
            self.assertEqual([{"start": start, "end": end} for start, end in found], expected, rules)
            cuts += limit < 3
        self.assertGreater(cuts, 1000)


class ScaleTests(unittest.TestCase):
    def test_default_thresholds_are_those_of_conversation(self) -> None:
        self.assertAlmostEqual(scale.posterior(0.5), 0.82, places=6)
        self.assertAlmostEqual(scale.posterior(scale.below(0.5)), 0.40, places=6)

    def test_greater_stays_greater_within_the_bounds_and_back(self) -> None:
        thresholds = [count / 100 for count in range(1, 100)]
        posteriors = [scale.posterior(threshold) for threshold in thresholds]
        self.assertTrue(all(0 < one < 1 for one in posteriors))
        self.assertEqual(posteriors, sorted(set(posteriors)))
        for threshold, posterior in zip(thresholds, posteriors):
            self.assertAlmostEqual(scale.probability(posterior), threshold)
        for bound in (-1, 0, 1, 2):
            self.assertEqual((scale.posterior(bound), scale.probability(bound)), (bound, bound))


def labels(name: str) -> list[tuple[float, float]]:
    lines = (SAMPLES / f"{name}.txt").read_text().splitlines()
    return [(float(line.split("\t")[0]), float(line.split("\t")[1])) for line in lines]


@needs_samples
class Timestamps(unittest.TestCase):
    def setUp(self) -> None:
        self.rate_hz, self.samples = read("speech.flac")

    def test_finds_what_is_labelled(self) -> None:
        for name in ("speech", "speech-fan-0db", "muted-talk"):
            rate_hz, samples = read(f"{name}.flac")
            found = get_speech_timestamps(
                samples, load_silero_vad(), sampling_rate=rate_hz, return_seconds=True, time_resolution=3
            )
            for start, end in labels(name):
                covered = sum(max(0, min(end, one["end"]) - max(start, one["start"])) for one in found)
                self.assertGreater(covered, 0.8 * (end - start), (name, start, end))
        for name in ("keyboard.flac", "music.flac"):
            rate_hz, samples = read(name)
            self.assertEqual(get_speech_timestamps(samples, None, sampling_rate=rate_hz), [], name)

    def test_low_and_high_thresholds_still_tell_speech_from_other_sound(self) -> None:
        for threshold in (0.2, 0.9):
            found = get_speech_timestamps(self.samples, None, threshold=threshold, sampling_rate=self.rate_hz)
            for start, end in labels("speech"):
                start, end = int(start * self.rate_hz), int(end * self.rate_hz)
                covered = sum(max(0, min(end, one["end"]) - max(start, one["start"])) for one in found)
                self.assertGreater(covered, 0.8 * (end - start), (threshold, start, end))
            for name in ("keyboard.flac", "music.flac"):
                rate_hz, samples = read(name)
                found = get_speech_timestamps(samples, None, threshold=threshold, sampling_rate=rate_hz)
                self.assertEqual(found, [], (threshold, name))

    def test_every_form_of_audio(self) -> None:
        expected = get_speech_timestamps(self.samples, None, sampling_rate=self.rate_hz)
        self.assertGreater(len(expected), 2)
        values = numpy.asarray(self.samples)

        class Tensor:  # as torch's
            def detach(self) -> "Tensor":
                return self

            cpu = detach

            def numpy(self) -> Any:
                return values.reshape(1, -1)

        for audio in (values, values.reshape(1, -1), values.astype("d"), list(self.samples), Tensor()):
            self.assertEqual(get_speech_timestamps(audio, None, sampling_rate=self.rate_hz), expected)

    def test_lengths_and_progress(self) -> None:
        told: list[float] = []
        whole = get_speech_timestamps(
            self.samples,
            None,
            min_silence_duration_ms=2000,
            progress_tracking_callback=told.append,
            window_size_samples=1,
        )
        self.assertEqual((len(whole), told[-1], told), (1, 100, sorted(told)))
        for longest in (True, False):
            cut = get_speech_timestamps(
                self.samples,
                None,
                min_silence_duration_ms=2000,
                max_speech_duration_s=3,
                use_max_poss_sil_at_max_speech=longest,
                return_seconds=True,
                time_resolution=3,
            )
            self.assertGreater(len(cut), 2)
            self.assertTrue(all(one["end"] - one["start"] <= 3 for one in cut), cut)

    def test_wrong_audio(self) -> None:
        for audio in (None, "text", [object()], 3):
            with self.assertRaisesRegex(TypeError, "tensor, an array or a list"):
                get_speech_timestamps(audio, None)
        with self.assertRaisesRegex(ValueError, "one channel"):
            get_speech_timestamps(numpy.zeros((2, 16000), "f"), None)
        with self.assertRaisesRegex(ValueError, "8000 to 192000"):
            get_speech_timestamps(self.samples, None, sampling_rate=4000)
        self.assertEqual(get_speech_timestamps([], None), [])

    def test_iterator_tells_starts_and_ends_of_the_detector(self) -> None:
        detector = Detector(self.rate_hz, hangover_ms=100)  # the default thresholds mean this engine's own
        expected = [
            {"start": event.position - 480} if event.type == "onset" else {"end": event.position + 480}
            for event in detector.process(self.samples)
        ]
        for size in (512, 160, 5000):
            iterator = VADIterator(load_silero_vad(), sampling_rate=self.rate_hz)
            for _ in range(2):
                told = [iterator(self.samples[at : at + size]) for at in range(0, len(self.samples), size)]
                self.assertEqual([one for one in told if one], expected)
                iterator.reset_states()
        iterator = VADIterator(None, sampling_rate=self.rate_hz)
        self.assertEqual(iterator(self.samples[:32000], return_seconds=True, time_resolution=2), {"start": 0.69})
        self.assertEqual(next(iter(iterator(b"") or {})), "end")


if __name__ == "__main__":
    unittest.main()
