"""Zeros and junk in front of a recording, inside it and behind it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from . import formats, mpeg, ogg
from .catalogue import EVERY_WAY, NONE, PERHAPS, SKIPPED, Case, Messages, decoded, kind
from .sound import Sound, speech


def zeros(size: int) -> bytes:
    return bytes(size)


def noise(size: int) -> bytes:
    return random.Random(size).randbytes(size)


def text(size: int) -> bytes:
    return (b"<!DOCTYPE html><p>503 Service Unavailable</p>\r\n" * (size // 47 + 1))[:size]


FILLERS: dict[str, tuple[Callable[[int], bytes], Messages]] = {
    "zeros": (zeros, NONE),
    "noise": (noise, SKIPPED),
    "text": (text, SKIPPED),
}
# Formats of which a decoder finds the next frame or page by itself. Each with what a frame lasts at most.
PACKETS = {"mp3": 0.036, "mp2": 0.072, "aac": 0.064, "ac3": 0.032, "flac": 0.288, "ogg": 0, "opus": 0, "ts": 0.064}
BY_FFMPEG = ("aac", "ac3", "ts", "tta", "wv")
PCM = ("wav", "aiff", "au", "caf", "w64")
HEADED = ("wav", "aiff", "au", "caf", "w64", "tta", "wv")


def boundaries(name: str, data: bytes) -> list[int]:
    """Where frames or pages begin, and the end."""
    if name in ("mp3", "mp2"):
        return [frame.start for frame in mpeg.frames(data)] + [len(data)]
    if name == "aac":
        return mpeg.adts_frames(data)
    if name in ("ogg", "opus"):
        starts = [0]
        for page in ogg.pages(data):
            starts.append(starts[-1] + len(page))
        return starts
    return [*range(0, len(data), {"ac3": 384, "ts": 188}[name]), len(data)]


def recording(name: str) -> tuple[bytes, Sound]:
    form = formats.FORMATS.get(name) or formats.PLAIN[name]
    data = mpeg.plain() if name == "mp3" else form.encode(speech())
    return data, decoded(data)


def cases(
    place: str, names: tuple[str, ...], sizes: tuple[int, ...], put: Callable[[str, bytes, bytes], bytes]
) -> Iterator[Case]:
    """Recordings with fillers. Amid a frame, zeros too make sound unreadable."""
    for name in names:
        data, right = recording(name)
        ending = (formats.FORMATS.get(name) or formats.PLAIN[name]).ending
        for what, (filler, messages) in FILLERS.items():
            for size in sizes:
                messages = SKIPPED if place == "amid-a-frame" else messages
                # ffmpeg may report a fault instead of bytes, also of zeros, behind which it loses a frame.
                messages = PERHAPS if name in BY_FFMPEG and place != "in-front" else messages
                # Behind PCM, what is neither a chunk, a tag nor padding is more sound.
                more = size // 2 if place == "behind" and name in PCM and what != "zeros" else 0
                slack = 2 * PACKETS.get(name, 0) if place != "behind" else 0
                yield Case(
                    f"{size}-{what}-{place}-{name}.{ending}",
                    put(name, data, filler(size)),
                    Sound(right.rate, right.channels, right.pcm + bytes(2 * more)) if more else right,
                    messages,
                    slack,
                    EVERY_WAY if place == "in-front" else (),
                )


@kind("zeros and junk in front")
def front() -> Iterator[Case]:
    yield from cases("in-front", (*PACKETS, *HEADED), (1, 5000), lambda _, data, filler: filler + data)
    yield from cases("in-front", ("latm", "dts", "vob", "eac3"), (1, 5000), lambda _, data, filler: filler + data)
    yield from cases("in-front", ("mp3", "mp2", "aac"), (60000,), lambda _, data, filler: filler + data)


@kind("zeros and junk inside")
def inside() -> Iterator[Case]:
    def between(name: str, data: bytes, filler: bytes) -> bytes:
        starts = boundaries(name, data)
        at = starts[len(starts) // 2]
        return data[:at] + filler + data[at:]

    def amid(name: str, data: bytes, filler: bytes) -> bytes:
        starts = boundaries(name, data)
        at = starts[len(starts) // 2] + 40
        return data[:at] + filler + data[at:]

    names = tuple(name for name in PACKETS if name != "flac")
    yield from cases("between-frames", names, (1, 417, 5000), between)
    yield from cases("amid-a-frame", ("mp3", "mp2", "aac", "ac3"), (417, 5000), amid)


@kind("zeros and junk behind")
def behind() -> Iterator[Case]:
    yield from cases("behind", (*PACKETS, *HEADED), (1, 70000), lambda _, data, filler: data + filler)


@kind("frames that are damaged")
def damaged() -> Iterator[Case]:
    """The bytes of some frames are overwritten, their number is the same."""
    for name in ("mp3", "mp2", "aac", "ac3"):
        data, right = recording(name)
        starts = boundaries(name, data)
        for what, (filler, _) in FILLERS.items():
            start, end = starts[len(starts) // 2], starts[len(starts) // 2 + 2]
            broken = data[:start] + filler(end - start) + data[end:]
            yield Case(f"{what}-{name}.{name}", broken, right, PERHAPS, slack=4 * PACKETS[name])
