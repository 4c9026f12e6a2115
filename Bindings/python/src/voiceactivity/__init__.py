"""Detects speech in streams and recordings, and that the user speaks while muted.

`segments` finds the speech of a recording, `frames` what was measured every 10 ms, and `Detector` follows a stream.
"""

from ._core import (
    HOP_MS,
    LOOKAHEAD_MS,
    NOTICE_TEXT,
    Detector,
    EchoReference,
    Event,
    Frames,
    __version__,
    process_batch,
    simd_name,
)
from .muted import SpeakingWhileMuted
from .recordings import RecordingError
from .segments import asegments, frames, iter_segments, segments
from .shaping import Segment

__all__ = [
    "HOP_MS",
    "LOOKAHEAD_MS",
    "NOTICE_TEXT",
    "Detector",
    "EchoReference",
    "Event",
    "Frames",
    "RecordingError",
    "Segment",
    "SpeakingWhileMuted",
    "__version__",
    "asegments",
    "frames",
    "iter_segments",
    "process_batch",
    "segments",
    "simd_name",
]
