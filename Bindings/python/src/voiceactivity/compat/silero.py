"""silero_vad's face, without torch: `from voiceactivity.compat.silero import get_speech_timestamps, VADIterator`.

Its rules decide over this engine's posteriors, which come every 10 ms and not every 32. Its default thresholds mean
those of the preset `conversation`, and others correspond (`voiceactivity.scale`). All sample rates from 8000 to
192000 Hz are read; the results count samples of that rate. Audio can be a tensor, an array, or a list.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, cast

from .._core import HOP_MS, Detector, Frames
from ..scale import below, posterior
from .silero_rules import Rules, pad, speech_spans

__all__ = ["VADIterator", "get_speech_timestamps", "load_silero_vad"]

_CHUNK_SECONDS = 0.5


class _Model:
    """What silero_vad calls the model. The weights are in the extension."""

    def reset_states(self) -> None:
        """Does nothing: each call and each iterator has a detector of its own."""


def load_silero_vad(*_: object, **__: object) -> _Model:
    """Returns a model for the calls below, which also take None. The arguments have no effect."""
    return _Model()


def get_speech_timestamps(
    audio: Any,
    model: object = None,
    threshold: float = 0.5,
    sampling_rate: int = 16000,
    min_speech_duration_ms: float = 250,
    max_speech_duration_s: float = float("inf"),
    min_silence_duration_ms: float = 100,
    speech_pad_ms: float = 30,
    return_seconds: bool = False,
    time_resolution: int = 1,
    visualize_probs: bool = False,
    progress_tracking_callback: Callable[[float], None] | None = None,
    neg_threshold: float | None = None,
    window_size_samples: int = 512,
    min_silence_at_max_speech: float = 98,
    use_max_poss_sil_at_max_speech: bool = True,
) -> list[dict[str, Any]]:
    """Returns the segments of speech as {'start': …, 'end': …}, in samples or in seconds rounded to `time_resolution`
    digits.

    The parameters mean what they mean in silero_vad. `model` and `window_size_samples` have no effect.
    `visualize_probs` needs matplotlib. `progress_tracking_callback` is called with the percentage that is done. Raises
    TypeError if `audio` is not audio, and ValueError for several channels or an unsupported rate.
    """
    samples = _samples(audio)
    frames = _measure(samples, sampling_rate, progress_tracking_callback)
    if visualize_probs:
        _draw(frames)
    rules = Rules(
        threshold=posterior(threshold),
        neg_threshold=posterior(below(threshold) if neg_threshold is None else neg_threshold),
        min_speech=sampling_rate * min_speech_duration_ms / 1000,
        max_speech=sampling_rate * max_speech_duration_s,
        min_silence=sampling_rate * min_silence_duration_ms / 1000,
        min_silence_at_limit=sampling_rate * min_silence_at_max_speech / 1000,
        takes_longest_silence=use_max_poss_sil_at_max_speech,
        pad=sampling_rate * speech_pad_ms / 1000,
    )
    length = len(samples)
    spans = speech_spans(frames.posterior, sampling_rate * HOP_MS / 1000, length, rules)
    padded = pad(spans, length, rules.pad)
    if not return_seconds:
        return [{"start": start, "end": end} for start, end in padded]
    return [
        {
            "start": max(round(start / sampling_rate, time_resolution), 0),
            "end": min(round(end / sampling_rate, time_resolution), length / sampling_rate),
        }
        for start, end in padded
    ]


def _samples(audio: Any) -> memoryview[Any]:
    """Returns one axis of samples."""
    if hasattr(audio, "detach"):  # a tensor
        audio = audio.detach().cpu().numpy()
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
    return view.cast("h") if view.itemsize == 1 else view  # bytes are 16-bit samples


def _measure(samples: memoryview[Any], rate_hz: int, progress: Callable[[float], None] | None) -> Frames:
    detector, frames = Detector(rate_hz), Frames()
    size = int(rate_hz * _CHUNK_SECONDS)
    for start in range(0, len(samples), size):
        detector.process(samples[start : start + size], frames=frames)
        if progress:
            progress(min(start + size, len(samples)) / len(samples) * 100)
    detector.flush(frames=frames)
    return frames


def _draw(frames: Frames) -> None:
    from matplotlib import pyplot  # type: ignore[import-not-found] # pyright: ignore

    pyplot.figure(figsize=(16, 8))  # pyright: ignore
    pyplot.fill_between([hop * HOP_MS / 1000 for hop in range(len(frames))], frames.posterior)  # pyright: ignore
    pyplot.xlabel("seconds")  # pyright: ignore
    pyplot.ylabel("speech probability")  # pyright: ignore
    pyplot.ylim(0, 1.05)  # pyright: ignore


class VADIterator:
    """Reports where speech starts and ends in a stream: call it with each chunk, of any length.

    A start or an end is reported once it is certain, 30 ms later than the rules alone would need, the look-ahead. If a
    chunk has several, the calls after it return the others.
    """

    def __init__(
        self,
        model: object = None,
        threshold: float = 0.5,
        sampling_rate: int = 16000,
        min_silence_duration_ms: int = 100,
        speech_pad_ms: float = 30,
    ) -> None:
        self.model, self.threshold, self.sampling_rate = model, threshold, sampling_rate
        self.speech_pad_samples = sampling_rate * speech_pad_ms / 1000
        self._detector = Detector(
            sampling_rate,
            onset_threshold=posterior(threshold),
            offset_threshold=posterior(below(threshold)),
            hangover_ms=min_silence_duration_ms,
        )
        self.reset_states()

    def reset_states(self) -> None:
        """Begins another stream."""
        self._detector.reset()
        self._waiting: list[tuple[str, int]] = []
        self.triggered, self.current_sample = False, 0

    def __call__(self, x: Any, return_seconds: bool = False, time_resolution: int = 1) -> dict[str, Any] | None:
        """Takes a chunk. Returns {'start': …}, {'end': …} or None, in samples or in seconds since the stream began."""
        samples = _samples(x)
        self.current_sample += len(samples)
        for event in self._detector.process(samples):
            if event.type == "onset":
                self._waiting.append(("start", int(max(event.position - self.speech_pad_samples, 0))))
            elif event.type == "offset":
                self._waiting.append(("end", int(event.position + self.speech_pad_samples)))
        if not self._waiting:
            return None
        name, position = self._waiting.pop(0)
        self.triggered = name == "start"
        return {name: round(position / self.sampling_rate, time_resolution) if return_seconds else position}
