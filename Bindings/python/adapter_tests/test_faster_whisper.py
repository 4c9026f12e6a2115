"""adapters.faster_whisper: its rules must give what faster-whisper's own give, and its models must use them."""

import importlib
import inspect
import logging
import random
import unittest
from typing import Any
from unittest import mock

import numpy

from tests.support import labels, read
from voiceactivity import scale
from voiceactivity.adapters import faster_whisper
from voiceactivity.compat import silero

# faster-whisper has no types.
vad: Any = importlib.import_module("faster_whisper.vad")
transcribe: Any = importlib.import_module("faster_whisper.transcribe")


def audio(name: str) -> Any:
    """Returns a recording of samples/, with a second of silence after it, in which its last speech can end."""
    rate_hz, samples = read(name)
    assert rate_hz == 16000, name
    return numpy.concatenate([numpy.asarray(samples, numpy.float32), numpy.zeros(rate_hz, numpy.float32)])


class FilterTests(unittest.TestCase):
    def test_parameters_are_faster_whispers(self) -> None:
        ours, theirs = (
            [(name, each.default) for name, each in inspect.signature(function).parameters.items()]
            for function in (faster_whisper.get_speech_timestamps, vad.get_speech_timestamps)
        )
        self.assertEqual(ours, theirs)

    def test_random_probabilities_give_the_same_segments(self) -> None:
        chance, found = random.Random(5), 0
        for _ in range(500):
            probability, probabilities = 0.5, list[float]()
            for _ in range(chance.randrange(1, 400)):
                probability = min(max(probability + chance.gauss(0, 0.2), 0), 1)
                probabilities.append(probability)
            sound = numpy.zeros(len(probabilities) * 512 - 100, numpy.float32)
            options = vad.VadOptions(
                threshold=chance.uniform(0.2, 0.8),
                min_speech_duration_ms=chance.choice([0, 250]),
                max_speech_duration_s=chance.choice([1.5, 4, float("inf")]),
                min_silence_duration_ms=chance.choice([60, 500, 2000]),
                speech_pad_ms=chance.choice([0, 30, 400]),
            )
            with mock.patch.object(vad, "get_vad_model", return_value=lambda _, p=probabilities: p):  # type: ignore
                expected = vad.get_speech_timestamps(sound, options)
            # Their windows of 512 samples in place of hops, and the posteriors that correspond to their probabilities.
            posteriors = [scale.posterior(one) for one in probabilities]
            with (
                mock.patch.object(silero, "HOP_MS", 32),
                mock.patch.object(silero, "_measure", return_value=mock.Mock(posterior=posteriors)),
            ):
                self.assertEqual(faster_whisper.get_speech_timestamps(sound, options), expected, options)
            found += len(expected)
        self.assertGreater(found, 1000)

    def test_recordings_have_the_segments_of_their_labels(self) -> None:
        # Within what murmur and cups beside the speech add.
        for name in ("muted-talk", "speech-fan-0db", "speech-cafe-10db", "music"):
            found = faster_whisper.get_speech_timestamps(
                audio(f"{name}.flac"), min_silence_duration_ms=500, speech_pad_ms=100
            )
            self.assertEqual(len(found), len(labels(name)), name)
            for segment, (start, end) in zip(found, labels(name)):
                self.assertAlmostEqual(segment["start"] / 16000, start - 0.1, delta=0.15, msg=name)
                self.assertAlmostEqual(segment["end"] / 16000, end + 0.1, delta=0.15, msg=name)

    def test_segments_are_collected(self) -> None:
        sound = audio("muted-talk.flac")
        found = faster_whisper.get_speech_timestamps(sound, min_silence_duration_ms=500)
        chunks, _ = vad.collect_chunks(sound, found)
        self.assertEqual(len(found), 3)
        self.assertEqual(sum(map(len, chunks)), sum(each["end"] - each["start"] for each in found))


def model() -> Any:
    """Returns a model without weights, which filters and then recognises nothing."""
    whisper = transcribe.WhisperModel.__new__(transcribe.WhisperModel)
    whisper.feature_extractor, whisper.logger = transcribe.FeatureExtractor(), logging.getLogger("faster_whisper")
    whisper.model = mock.Mock(is_multilingual=False)
    whisper.hf_tokenizer = mock.Mock()
    whisper.generate_segments = lambda *_, **__: iter(())  # type: ignore
    return whisper


class InstallTests(unittest.TestCase):
    def test_a_model_uses_the_filter(self) -> None:
        sound = audio("muted-talk.flac")
        options: dict[str, Any] = {"min_silence_duration_ms": 500, "speech_pad_ms": 0}
        expected = sum(each["end"] - each["start"] for each in faster_whisper.get_speech_timestamps(sound, **options))
        faster_whisper.install()
        self.addCleanup(faster_whisper.uninstall)
        with mock.patch.object(vad, "get_vad_model", side_effect=AssertionError("its own model is used")):
            _, about = model().transcribe(
                sound, language="en", suppress_tokens=[], vad_filter=True, vad_parameters=options
            )
        self.assertEqual(about.duration_after_vad, expected / 16000)

    def test_uninstall_brings_its_own_back(self) -> None:
        faster_whisper.install()
        faster_whisper.uninstall()
        self.assertIs(transcribe.get_speech_timestamps, vad.get_speech_timestamps)


if __name__ == "__main__":
    unittest.main()
