"""FLAC of every depth, and FLAC whose format changes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from . import flac
from .catalogue import EVERY_WAY, PERHAPS, Case, kind
from .sound import Sound, first, second


@kind("FLAC of every depth")
def depths() -> Iterator[Case]:
    for depth, channels in itertools.product(range(4, 33), (1, 2)):
        sound = first(16000, channels).until(2)
        yield Case(f"{depth}-bits-{channels}.flac", flac.encoded(sound, depth), flac.at_depth(sound, depth))


@kind("FLAC whose rate, channels or depth change")
def changing() -> Iterator[Case]:
    shapes = [
        (16000, 1, 16),
        (16000, 2, 16),
        (44100, 1, 16),
        (48000, 2, 24),
        (8000, 1, 8),
        (16000, 1, 24),
        (11025, 2, 12),
    ]
    for one, other in itertools.permutations(shapes, 2):
        name = "-".join(map(str, (*one, "then", *other)))
        yield changed(f"{name}.flac", one, other)
    yield changed("16000-1-16-then-16000-2-20-and-back.flac", shapes[0], (16000, 2, 20), shapes[0], shapes[0])


def changed(name: str, shape: tuple[int, int, int], *others: tuple[int, int, int]) -> Case:
    """The frames have the formats that they state; STREAMINFO has the first."""
    data, right, number = b"", None, 0
    for rate, channels, depth in (shape, *others):
        sound = first(rate, channels) if right is None else second(rate, channels)
        sound = sound[: sound.frames // flac.BLOCK * flac.BLOCK]  # only the last frame of a FLAC may be shorter
        parts = flac.frames(sound, depth, start=number, states_depth=True)
        number += len(parts)
        data += b"".join(parts)
        kept = flac.at_depth(sound, depth)
        right = kept if right is None else right + kept
    return Case(name, flac.head(Sound(*shape[:2], right.pcm), shape[2], 0) + data, right)


@kind("FLAC that begins at a frame")
def headless() -> Iterator[Case]:
    for rate, channels, depth in itertools.product((16000, 44100, 48000), (1, 2), (16, 24)):
        sound = first(rate, channels)
        parts = flac.frames(sound, depth, states_depth=True)
        yield Case(f"{rate}-{channels}-{depth}.flac", b"".join(parts), sound, ways=EVERY_WAY)
        yield Case(
            f"{rate}-{channels}-{depth}-cut.flac",
            b"".join(parts)[len(parts[0]) // 2 :],
            sound[flac.BLOCK :],
            PERHAPS,
            ways=EVERY_WAY,
        )
