"""silero_vad's face: `from voiceactivity.compat.silero import …` instead of `from silero_vad import …`.

Its rules decide over this engine's live posteriors, which come every 10 ms and not every 32. Its default thresholds
mean those of the preset `conversation`, and others correspond (`voiceactivity.scale`). All sample rates from 8000 to
192000 Hz are read; the results count samples of that rate. Audio can be a tensor, an array, or a list. Torch is used
only where it is installed: read_audio then returns tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .._core import HOP_MS, Detector, Frames
from ..scale import below, posterior
from .silero_audio import collect_chunks, drop_chunks, read_audio, save_audio
from .silero_model import WINDOW_MS, Model, one_channel
from .silero_rules import Rules, padded_spans

__all__ = [
    "Model",
    "SileroVADSequence",
    "VADIterator",
    "collect_chunks",
    "drop_chunks",
    "get_speech_timestamps",
    "get_speech_timestamps_from_probs",
    "get_speech_timestamps_sequence",
    "load_silero_vad",
    "read_audio",
    "save_audio",
    "silero_vad",
]

SileroVADSequence = Model

_CHUNK_SECONDS = 0.5


def load_silero_vad(
    onnx: bool = False,
    opset_version: int = 16,
    sequence: bool = False,
    sampling_rate: int = 16000,
    max_frames: int = 512,
) -> Model:
    """Returns a model. The arguments have no effect: the weights are in the extension."""
    return Model()


def silero_vad(*_: object, **__: object) -> tuple[Model, tuple[Any, ...]]:
    """Returns a model and functions, as torch.hub.load does, and takes the same arguments, which have no effect."""
    return Model(), (get_speech_timestamps, save_audio, read_audio, VADIterator, collect_chunks)


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
    """Returns the segments of speech as {'start': …, 'end': …}, in samples or seconds of `time_resolution` decimals.

    The parameters mean what they mean in silero_vad, also thresholds of 0 and 1 and a `neg_threshold` above
    `threshold`. `model` and `window_size_samples` have no effect. `visualize_probs` needs matplotlib.
    `progress_tracking_callback` is called with the percentage that is done. Raises TypeError if `audio` is not audio,
    and ValueError for several channels or an unsupported rate.
    """
    samples = one_channel(audio)
    frames = _measure(samples, sampling_rate, progress_tracking_callback)
    if visualize_probs:
        _draw(frames.posterior, HOP_MS)
    rules = _rules(
        sampling_rate,
        (posterior(threshold), posterior(below(threshold) if neg_threshold is None else neg_threshold)),
        (min_speech_duration_ms, min_silence_duration_ms, min_silence_at_max_speech, speech_pad_ms),
        max_speech_duration_s,
        use_max_poss_sil_at_max_speech,
    )
    spans = padded_spans(frames.posterior, sampling_rate * HOP_MS / 1000, len(samples), rules)
    return _timestamps(spans, len(samples), sampling_rate, time_resolution if return_seconds else None)


def get_speech_timestamps_sequence(
    audio: Any, model: object = None, *, max_frames: int | None = None, **parameters: Any
) -> list[dict[str, Any]]:
    """Returns what get_speech_timestamps does. `max_frames` has no effect."""
    return get_speech_timestamps(audio, model, **parameters)


def get_speech_timestamps_from_probs(
    speech_probs: Sequence[float],
    sampling_rate: int = 16000,
    threshold: float = 0.5,
    min_speech_duration_ms: float = 250,
    max_speech_duration_s: float = float("inf"),
    min_silence_duration_ms: float = 100,
    speech_pad_ms: float = 30,
    return_seconds: bool = False,
    time_resolution: int = 1,
    visualize_probs: bool = False,
    neg_threshold: float | None = None,
    min_silence_at_max_speech: float = 98,
    use_max_poss_sil_at_max_speech: bool = True,
    audio_length_samples: int | None = None,
    step: int = 1,
) -> list[dict[str, Any]]:
    """Returns the segments of speech by the probabilities of windows of 32 ms, as model.audio_forward returns them.

    Positions in samples are multiplied by `step`.
    """
    if visualize_probs:
        _draw(speech_probs, WINDOW_MS)
    window = sampling_rate * WINDOW_MS / 1000
    length = int(len(speech_probs) * window) if audio_length_samples is None else audio_length_samples
    rules = _rules(
        sampling_rate,
        (threshold, below(threshold) if neg_threshold is None else neg_threshold),
        (min_speech_duration_ms, min_silence_duration_ms, min_silence_at_max_speech, speech_pad_ms),
        max_speech_duration_s,
        use_max_poss_sil_at_max_speech,
    )
    spans = padded_spans(speech_probs, window, length, rules)
    return _timestamps(spans, length, sampling_rate, time_resolution if return_seconds else None, step)


def _rules(
    rate_hz: int, thresholds: tuple[float, float], ms: tuple[float, float, float, float], limit_s: float, longest: bool
) -> Rules:
    min_speech, min_silence, min_silence_at_limit, pad_each = (rate_hz * length_ms / 1000 for length_ms in ms)
    limit = rate_hz * limit_s
    return Rules(*thresholds, min_speech, limit, min_silence, min_silence_at_limit, longest, pad_each)


def _timestamps(
    spans: list[tuple[int, int]], length: int, rate_hz: int, digits: int | None, step: int = 1
) -> list[dict[str, Any]]:
    """Times in seconds, rounded to so many digits; or, without `digits`, in samples times `step`."""
    if digits is None:
        return [{"start": start * step, "end": end * step} for start, end in spans]
    return [
        {"start": max(round(start / rate_hz, digits), 0), "end": min(round(end / rate_hz, digits), length / rate_hz)}
        for start, end in spans
    ]


def _measure(samples: memoryview[Any], rate_hz: int, progress: Callable[[float], None] | None) -> Frames:
    detector, frames = Detector(rate_hz), Frames()
    size = int(rate_hz * _CHUNK_SECONDS)
    for start in range(0, len(samples), size):
        detector.process(samples[start : start + size], frames=frames)
        if progress:
            progress(min(start + size, len(samples)) / len(samples) * 100)
    detector.flush(frames=frames)
    return frames


def _draw(probabilities: Iterable[float], window_ms: int) -> None:
    from matplotlib import pyplot  # type: ignore[import-not-found] # pyright: ignore

    values = list(probabilities)
    pyplot.figure(figsize=(16, 8))  # pyright: ignore
    pyplot.fill_between([at * window_ms / 1000 for at in range(len(values))], values)  # pyright: ignore
    pyplot.xlabel("seconds")  # pyright: ignore
    pyplot.ylabel("speech probability")  # pyright: ignore
    pyplot.ylim(0, 1.05)  # pyright: ignore


class VADIterator:
    """Reports where speech starts and ends in a stream: call it with each chunk, of any length.

    A start or an end is reported once it is certain, 30 ms later than the rules alone would need, the look-ahead. If
    a chunk has several, the calls after it return the others. Speech ends below `threshold` - 0.15, but not below 0.01,
    as in get_speech_timestamps; silero_vad's iterator never ends speech that began at a threshold of 0.15 or less.

    Raises ValueError for a threshold that is not above 0 and below 1, beyond which all sound or none is speech.
    """

    def __init__(
        self,
        model: object = None,
        threshold: float = 0.5,
        sampling_rate: int = 16000,
        min_silence_duration_ms: float = 100,
        speech_pad_ms: float = 30,
    ) -> None:
        if not 0 < threshold < 1:
            raise ValueError(f"threshold is {threshold}; it must be above 0 and below 1.")
        self.model, self.threshold, self.sampling_rate = model, threshold, sampling_rate
        self.speech_pad_samples = sampling_rate * speech_pad_ms / 1000
        self._detector = Detector(
            sampling_rate,
            onset_threshold=posterior(threshold),
            offset_threshold=posterior(min(below(threshold), threshold)),
            hangover_ms=round(min_silence_duration_ms),
        )
        self.reset_states()

    def reset_states(self) -> None:
        """Begins another stream."""
        self._detector.reset()
        self._waiting: list[tuple[str, int]] = []
        self.triggered, self.current_sample = False, 0

    def __call__(self, x: Any, return_seconds: bool = False, time_resolution: int = 1) -> dict[str, Any] | None:
        """Takes a chunk. Returns {'start': …}, {'end': …} or None, in samples or in seconds since the stream began."""
        samples = one_channel(x)
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
