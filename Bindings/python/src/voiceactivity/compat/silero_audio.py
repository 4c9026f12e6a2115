"""silero_vad's reading, saving and cutting of audio. NumPy is needed to read and save."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from math import ceil, gcd
from typing import TYPE_CHECKING, Any

from .._core import buffer
from ..recordings import RecordingError, open_recording, soundfile_module

if TYPE_CHECKING:
    from numpy import ndarray

    Floats = ndarray[Any, Any]

_CHUNK_SECONDS = 10
_BLOCK = 1 << 14


def read_audio(path: str | os.PathLike[str], sampling_rate: int = 16000) -> Any:
    """Returns a recording at `sampling_rate` Hz as one channel, the mean of its channels: a tensor where torch is
    installed, otherwise an array of NumPy.

    Raises OSError, or RecordingError if nothing reads it.
    """
    import numpy

    recording = open_recording(path, _CHUNK_SECONDS)
    try:
        pieces = [_mono(numpy.asarray(chunk), recording.channels) for chunk in recording.chunks]
    finally:
        recording.close()
    samples = numpy.concatenate(pieces) if pieces else numpy.zeros(0, "f")
    samples = resampled(samples, recording.sample_rate_hz, sampling_rate)
    try:
        import torch  # pyright: ignore
    except ImportError:
        return samples
    return torch.from_numpy(samples)  # pyright: ignore


def save_audio(path: str | os.PathLike[str], tensor: Any, sampling_rate: int = 16000) -> None:
    """Saves samples, or channels by samples, in the format that the name ends with, WAV with 16 bits.

    Other formats than WAV need soundfile: without it RecordingError is raised.
    """
    import numpy

    channels: Floats = numpy.atleast_2d(numpy.asarray(buffer(tensor)))
    soundfile = soundfile_module()
    if soundfile:
        soundfile.write(os.fspath(path), channels.T, sampling_rate)
    else:
        _save_wave(os.fspath(path), channels, sampling_rate)


def _save_wave(path: str, channels: Floats, rate_hz: int) -> None:
    import wave

    import numpy

    if not path.lower().endswith(".wav"):
        raise RecordingError(f"{path} is not the name of a WAV file: install soundfile, which writes other formats.")
    if channels.dtype.kind == "f":
        channels = numpy.clip(numpy.round(channels * 32768), -32768, 32767)
    with wave.open(path, "wb") as file:
        file.setparams((len(channels), 2, rate_hz, 0, "NONE", ""))
        file.writeframes(channels.T.astype("<i2").tobytes())


def _mono(chunk: Floats, channels: int) -> Floats:
    scale = 1 << (8 * chunk.itemsize - 1) if chunk.dtype.kind == "i" else 1
    return (chunk.reshape(-1, channels).mean(axis=1, dtype="f") / scale).astype("f")


def resampled(samples: Floats, from_hz: int, to_hz: int) -> Floats:
    """Returns samples at another rate.

    The filter is a sinc of 6 zero crossings on each side within a Hann window, and ends at 0.99 of the lower rate's
    band. These are the defaults of torchaudio's Resample, which silero_vad uses.
    """
    import numpy

    if from_hz == to_hz or not len(samples):
        return samples
    step, phases = from_hz // gcd(from_hz, to_hz), to_hz // gcd(from_hz, to_hz)
    crossings, band = 6, 0.99 * min(step, phases)
    width = ceil(crossings * step / band)
    taps = numpy.arange(-width, width + step) / step
    times = (taps - numpy.arange(phases)[:, None] / phases) * band  # a kernel for each phase
    times = times.clip(-crossings, crossings)
    kernels = (numpy.sinc(times) * numpy.cos(times * numpy.pi / crossings / 2) ** 2 * (band / step)).astype("f")
    length = ceil(len(samples) * phases / step)
    padded = numpy.pad(samples, (width, width + step))
    windows = numpy.lib.stride_tricks.sliding_window_view(padded, len(taps))[::step]
    blocks = [windows[at : at + _BLOCK] @ kernels.T for at in range(0, len(windows), _BLOCK)]  # each is copied
    return numpy.concatenate(blocks).reshape(-1)[:length]


def collect_chunks(
    tss: Iterable[Mapping[str, float]], wav: Any, seconds: bool = False, sampling_rate: int | None = None
) -> Any:
    """Returns what `wav` has from each 'start' to its 'end', joined."""
    return _joined(wav, [wav[start:end] for start, end in _spans(tss, seconds, sampling_rate)])


def drop_chunks(
    tss: Iterable[Mapping[str, float]], wav: Any, seconds: bool = False, sampling_rate: int | None = None
) -> Any:
    """Returns the rest of `wav`: what lies between them, joined."""
    spans = _spans(tss, seconds, sampling_rate)
    starts, ends = [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(wav)]
    return _joined(wav, [wav[start:end] for start, end in zip(starts, ends)])


def _spans(tss: Iterable[Mapping[str, float]], seconds: bool, rate_hz: int | None) -> list[tuple[int, int]]:
    if seconds and not rate_hz:
        raise ValueError("Times in seconds need sampling_rate, in Hz.")
    scale = rate_hz if seconds and rate_hz else 1
    return [(round(one["start"] * scale), round(one["end"] * scale)) for one in tss]


def _joined(wav: Any, pieces: list[Any]) -> Any:
    if is_tensor(wav):
        return sys.modules["torch"].cat([wav[:0], *pieces])
    if hasattr(wav, "__array__"):
        return sys.modules["numpy"].concatenate([wav[:0], *pieces])
    joined = wav[:0]
    for piece in pieces:
        joined += piece
    return joined


def is_tensor(audio: object) -> bool:
    return "torch" in sys.modules and isinstance(audio, sys.modules["torch"].Tensor)
