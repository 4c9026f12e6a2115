"""faster-whisper's filter: `from voiceactivity.adapters import faster_whisper`, then `faster_whisper.install()`.

From then on, `vad_filter=True` and the batched pipeline hear with this engine. faster-whisper's rules and its
VadOptions stay as they are. They decide over posteriors that come every 10 ms and not every 32.
"""

from __future__ import annotations

from typing import Any

from ..compat import silero

try:
    from faster_whisper import transcribe, vad  # pyright: ignore[reportMissingTypeStubs]
except ImportError as error:
    raise ImportError("voiceactivity.adapters.faster_whisper needs it: pip install faster-whisper") from error

__all__ = ["get_speech_timestamps", "install", "uninstall"]


def get_speech_timestamps(
    audio: Any, vad_options: vad.VadOptions | None = None, sampling_rate: int = 16000, **kwargs: Any
) -> list[dict[str, Any]]:
    """Returns the segments of speech as {'start': …, 'end': …}, in samples, for faster_whisper.vad.collect_chunks.

    `audio` is one channel. The options are faster-whisper's, at once or one by one; its rule that speech beyond the
    limit is cut at the last silence is kept. Raises TypeError or ValueError for audio that is none, or has a rate that
    is not read.
    """
    options = vad.VadOptions(**kwargs) if vad_options is None else vad_options
    return silero.get_speech_timestamps(
        audio,
        threshold=options.threshold,
        neg_threshold=options.neg_threshold,
        sampling_rate=sampling_rate,
        min_speech_duration_ms=options.min_speech_duration_ms,
        max_speech_duration_s=options.max_speech_duration_s,
        min_silence_duration_ms=options.min_silence_duration_ms,
        speech_pad_ms=options.speech_pad_ms,
        use_max_poss_sil_at_max_speech=False,
    )


def install() -> None:
    """Makes all models of faster-whisper in this process, including existing ones, use this filter."""
    transcribe.get_speech_timestamps = get_speech_timestamps


def uninstall() -> None:
    """Restores the filter of faster-whisper."""
    transcribe.get_speech_timestamps = vad.get_speech_timestamps  # pyright: ignore[reportUnknownMemberType]
