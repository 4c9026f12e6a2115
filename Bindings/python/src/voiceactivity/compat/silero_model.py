"""What silero_vad calls the model, with this engine's detectors in it."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from math import ceil
from typing import Any, cast

from .._core import HOP_MS, Detector, Frames, buffer
from ..scale import probability
from ..sources import of_samples
from .silero_audio import is_tensor

WINDOW_MS = 32  # of silero_vad: 512 samples at 16000 Hz


def one_channel(audio: Any) -> memoryview[Any]:
    """Returns one axis of samples."""
    audio = buffer(audio)
    if hasattr(audio, "squeeze"):
        audio = audio.squeeze()
    try:
        if isinstance(audio, list | tuple):
            audio = array("f", cast("list[float]", audio))
        view: memoryview[Any] = memoryview(audio)
    except TypeError as error:
        raise TypeError("Audio must be a tensor, an array or a list of numbers.") from error
    if view.ndim > 1:
        raise ValueError("Audio must have one channel: pass the mean of the channels, or one of them.")
    if view.ndim == 0:  # a single sample
        view = cast("memoryview[Any]", memoryview(view.tobytes()).cast(cast("Any", view.format)))
    return of_samples(view)


def mean(posteriors: memoryview[float] | list[float]) -> float:
    """Returns the probability, on silero_vad's scale, that several posteriors have together."""
    return probability(sum(posteriors) / len(posteriors)) if posteriors else 0.0


class Model:
    """Returns how probable speech is in each chunk of a stream, on silero_vad's scale: a detector that is called.

    `model(chunk, sampling_rate)` takes a chunk of any length, or a batch of one chunk for each of several streams. It
    returns a tensor or an array of NumPy with a row for each stream, as the chunk is one; otherwise a float. The
    probability is that of the sound that ended 30 ms ago, the look-ahead. Rates are 8000 to 192000 Hz.
    """

    def __init__(self) -> None:
        self.reset_states()

    def __repr__(self) -> str:
        return f"<voiceactivity.compat.silero.Model: {self._streams or 'no stream'}>"

    def reset_states(self, batch_size: int = 1) -> None:
        """Begins other streams."""
        self._rate_hz, self._streams = 0, list[Detector]()

    def eval(self) -> Model:
        """Does nothing, because the model is never trained."""
        return self

    def to(self, *_: object, **__: object) -> Model:
        """Does nothing, because the model always runs on the processor."""
        return self

    def __call__(self, x: Any, sr: int) -> Any:
        rows = list(_rows(x))
        if (self._rate_hz, len(self._streams)) != (sr, len(rows)):
            self._rate_hz, self._streams = sr, [Detector(sr) for _ in rows]
        return _like(x, [[_heard(stream, row)] for stream, row in zip(self._streams, rows)])

    def audio_forward(self, x: Any, sr: int) -> Any:
        """Returns the probabilities of a whole recording, or of a batch: one for each window of 32 ms.

        They are not late by the look-ahead. The streams begin anew.
        """
        self.reset_states()
        return _like(x, [_windows(row, sr) for row in _rows(x)])


def _rows(x: Any) -> Iterator[memoryview[Any]]:
    held = buffer(x)
    for row in held if getattr(held, "ndim", 1) > 1 else [held]:
        yield one_channel(row)


def _heard(stream: Detector, samples: memoryview[Any]) -> float:
    frames = Frames()
    stream.process(samples, frames=frames)
    return mean(frames.posterior) if len(frames) else probability(stream.posterior)


def _windows(samples: memoryview[Any], rate_hz: int) -> list[float]:
    stream, frames = Detector(rate_hz), Frames()
    stream.process(samples, frames=frames)
    stream.flush(frames=frames)
    posteriors = list(frames.posterior)
    count = ceil(len(samples) * 1000 / (rate_hz * WINDOW_MS))
    edges = [window * WINDOW_MS // HOP_MS for window in range(count + 1)]
    return [mean(posteriors[start:end] or posteriors[-1:]) for start, end in zip(edges, edges[1:])]


def _like(x: Any, rows: list[list[float]]) -> Any:
    if is_tensor(x):
        return sys.modules["torch"].tensor(rows, dtype=sys.modules["torch"].float32)
    if hasattr(x, "__array__"):
        return sys.modules["numpy"].array(rows, "f")
    return rows[0][0] if len(rows[0]) == 1 else rows[0]
