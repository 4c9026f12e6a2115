"""webrtcvad's face: `from voiceactivity.compat import webrtcvad`.

It takes what webrtcvad takes, and chunks of any length at any rate from 8 to 192 kHz. A decision is about the sound
that ended 30 ms ago, the look-ahead. Speech lasts until the hangover of its mode is over.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any, cast

from .._core import Detector

if TYPE_CHECKING:
    from ..sources import Buffer

__all__ = ["Error", "Vad", "valid_rate_and_frame_length"]

# The detector of each mode, from one that misses little to one that is seldom wrong.
_MODES = (
    {"preset": "transcription"},
    {"preset": "conversation", "onset_threshold": 0.65},
    {"preset": "conversation"},
    {"preset": "notice", "hangover_ms": 80},
)
_RATES_HZ = (8000, 16000, 32000, 48000)
_FRAMES_MS = (10, 20, 30)


class Error(ValueError):
    """A frame cannot be analysed: it has no samples, or a rate below 8000 or above 192000 Hz."""


class Vad:
    """Decides of each frame of a stream whether it is speech. `mode` is 0 (misses little) to 3 (seldom wrong)."""

    def __init__(self, mode: int | None = None) -> None:
        self._detector: Detector | None = None
        self.set_mode(0 if mode is None else mode)

    def set_mode(self, mode: int) -> None:
        """Sets the mode, and begins a new stream.

        Raises ValueError for an unknown mode, and TypeError if it is not an integer.
        """
        mode = index(mode)
        if mode not in range(len(_MODES)):
            raise ValueError(f"There is no mode {mode}: choose 0, 1, 2 or 3.")
        self._mode, self._detector = mode, None

    def is_speech(self, buf: Buffer, sample_rate: int, length: int | None = None) -> bool:
        """Analyses a frame of 16-bit samples, or its first `length` ones. Another rate than before begins a new stream.

        As with webrtcvad, half a sample at the end is left out. Raises Error for a frame that cannot be analysed,
        IndexError if `length` is more than `buf` has, and TypeError for what is neither bytes nor an integer.
        """
        samples = memoryview(cast("Any", buf)).cast("B")
        count, rate_hz = index(length or len(samples) // 2), index(sample_rate)
        if count * 2 > len(samples):
            raise IndexError(f"The buffer has {len(samples) // 2} samples, fewer than the length of {count}.")
        if count <= 0:
            raise Error(f"The frame has {count} samples: pass at least one, and stop where the sound ends.")
        if not self._detector or self._detector.sample_rate_hz != rate_hz:
            try:
                self._detector = Detector(rate_hz, **_MODES[self._mode])  # type: ignore[arg-type]
            except ValueError as error:
                raise Error(*error.args) from None
        self._detector.process(samples[: count * 2])
        return self._detector.is_speech


def valid_rate_and_frame_length(rate: int, frame_length: int) -> bool:
    """Returns whether webrtcvad takes such a frame: 10, 20 or 30 ms at 8, 16, 32 or 48 kHz.

    Raises ValueError for a number beyond 32 bits, and TypeError for one that is no integer. Vad takes other frames too.
    """
    for number in (rate, frame_length):
        if not -(2**31) <= index(number) < 2**31:
            raise ValueError(f"{number} is not a rate or a length: both fit into 32 bits.")
    return rate in _RATES_HZ and frame_length * 1000 in (rate * ms for ms in _FRAMES_MS)
