"""The recipe for faster-whisper in docs/recipes.md, with vadmon and faster-whisper, and a model that has no weights."""

import importlib
import io
import json
import logging
import os
import re
import subprocess
import tempfile
import unittest
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock

import numpy
import tokenizers

from tests.support import SAMPLES, VADMON, needs_vadmon

# faster-whisper has no types.
library: Any = importlib.import_module("faster_whisper")
transcribe: Any = importlib.import_module("faster_whisper.transcribe")

RECIPES = SAMPLES.parent / "docs/recipes.md"
SPECIAL = ["transcribe", "translate", "startoftranscript", "startofprev", "startoflm", "nospeech", "notimestamps"]


class Numbered(transcribe.FeatureExtractor):
    """Features that are the numbers of their frames, from 1."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        shape: tuple[int, int] = transcribe.FeatureExtractor.__call__(self, *arguments, **options).shape
        return numpy.broadcast_to(numpy.arange(1, shape[1] + 1), shape)


class Model(transcribe.WhisperModel):
    """A model that hears nothing in what it reads, and notes the frames that it reads."""

    def __init__(self, _size: str) -> None:
        self.feature_extractor, self.logger = Numbered(), logging.getLogger("faster_whisper")
        self.model = mock.Mock(is_multilingual=False)
        vocabulary = {word: number for number, word in enumerate(["?", *(f"<|{name}|>" for name in SPECIAL)])}
        words = tokenizers.models.WordLevel(vocabulary, unk_token="?")  # type: ignore
        self.hf_tokenizer = tokenizers.Tokenizer(words)
        self.frames_per_second, self.max_length = self.feature_extractor.sampling_rate // self.feature_extractor.hop_length, 448
        self.read: list[tuple[int, int]] = []

    def encode(self, features: Any) -> None:
        """Notes the first frame, and the one after the last."""
        numbers = features[0][features[0] > 0]
        self.read.append((int(numbers[0]) - 1, int(numbers[-1])))

    def generate_with_fallback(self, *_: Any) -> Any:
        return mock.Mock(no_speech_prob=1.0), -10.0, 0.0, 1.0


def heard(_self: Any, _features: Any, *_: Any) -> Any:
    """What a model finds in a piece: a word after half a second."""
    word = mock.Mock(start=0.5, text="word")
    return iter([word])


@needs_vadmon
class WhisperRecipe(unittest.TestCase):
    def setUp(self) -> None:
        section = RECIPES.read_text().split("\n## Feed Whisper\n")[1].split("\n## ")[0]
        self.shell, self.python = (re.findall(f"```{language}\n(.*?)```", section, re.S) for language in ("sh", "python"))
        self.assertEqual((len(self.shell), len(self.python)), (2, 2))
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.enterContext(chdir(folder.name))
        self.enterContext(mock.patch.object(library, "WhisperModel", Model))
        subprocess.run(["sox", SAMPLES / "speech.flac", "meeting.wav"], check=True)
        Path("vadmon").symlink_to(str(VADMON))
        for block in self.shell:
            subprocess.run(block, shell=True, check=True, env={**os.environ, "PATH": f".:{os.environ['PATH']}"})

    def test_pieces_are_transcribed_at_their_times(self) -> None:
        with mock.patch.object(Model, "generate_segments", heard), redirect_stdout(io.StringIO()) as said:
            exec(self.python[0], {})
        lines = [json.loads(line) for line in Path("pieces.jsonl").read_text().splitlines()]
        starts = [line["start"] for line in lines if line["type"] == "segment"]
        self.assertGreater(len(starts), 1)
        self.assertEqual(said.getvalue().splitlines(), [f"{start + 0.5:.2f} word" for start in starts])

    def test_clips_are_what_the_model_reads(self) -> None:
        model, found = Model("small"), dict[str, Any]()
        exec(self.python[1].replace("model.transcribe", "segments, _ = model.transcribe"), {"model": model}, found)
        self.assertEqual(list(found["segments"]), [])
        frames = [round(float(time) * 100) for time in Path("meeting.clips").read_text().split(",")]
        self.assertGreater(len(frames), 2)
        self.assertEqual(model.read, list(zip(frames[::2], frames[1::2])))


if __name__ == "__main__":
    unittest.main()
