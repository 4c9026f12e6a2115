"""A recording of the catalogue, and the list of all kinds."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from . import programs
from .sound import Sound


class Messages(NamedTuple):
    """How many warnings are right, and what each of them says (a regular expression)."""

    least: int
    most: int
    pattern: str = ""


NONE = Messages(0, 0)
ONE = Messages(1, 1)
# Where a recording is complete as far as its bytes tell, and a number in it says otherwise.
PERHAPS = Messages(0, 1)
SKIPPED = Messages(0, 1, r"\d[\d,.]* (byte|kB|KiB|MB|MiB)")

NAME, PIPE, INSIDE_A_FOLDER = "name", "pipe", "folder"
EVERY_WAY = (NAME, PIPE, INSIDE_A_FOLDER)


@dataclass
class Case:
    name: str
    data: bytes
    right: Sound
    messages: Messages = NONE
    slack: float = 0  # seconds beyond the usual tolerances: frames that a player loses where it resynchronises
    ways: tuple[str, ...] = ()  # by default by name, and in turn from a pipe or in a folder
    judges_speech: bool = True


KINDS: dict[str, Callable[[], Iterator[Case]]] = {}


def kind(title: str) -> Callable:
    """Adds a generator of cases to the catalogue."""

    def add(cases: Callable[[], Iterator[Case]]) -> Callable[[], Iterator[Case]]:
        KINDS[title] = cases
        return cases

    return add


def decoded(data: bytes, *, before: tuple[str, ...] = ()) -> Sound:
    """A recording without faults, as ffmpeg decodes it."""
    result = programs.ffmpeg(data, "-map", "0:a:0", "-c:a", "pcm_s16le", ending=".wav", before=before)
    size, _, channels, rate = struct.unpack_from("<IHHI", result, 16)  # of the chunk `fmt `, which `data` follows
    return Sound(rate, channels, result[28 + size :])
