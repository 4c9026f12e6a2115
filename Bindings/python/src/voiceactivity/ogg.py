"""What is wrong with an Ogg file, which libsndfile does not tell: it leaves out pages that are damaged.

Source: RFC 3533, section 6.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from os import PathLike
from typing import IO, Literal

_HEAD = 27
_FIRST, _LAST = 2, 4  # page of a stream
_MOST_FAILURES = 1 << 10  # the search must end soon in a file of nothing but damaged pages
_LARGEST_PAGE = _HEAD + 255 + 255 * 255
_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def fault(path: str | PathLike[str]) -> Literal["damaged", "cut off"] | None:
    """Returns whether a file is an Ogg of which pages are damaged or missing: between others, or only at the end.

    Raises OSError.
    """
    following: dict[bytes, int] = {}  # the number of the next page of each stream that has not ended
    with open(path, "rb") as file:
        if not file.seekable() or file.read(4) != b"OggS":  # what is read from a pipe is gone
            return None
        file.seek(0)
        for page in _pages(file):
            flags, stream, number = page[5], page[14:18], int.from_bytes(page[18:22], "little")
            if not flags & _FIRST and number != following.get(stream, number):
                return "damaged"
            following[stream] = (number + 1) % (1 << 32)
            if flags & _LAST:
                del following[stream]
    return "cut off" if following else None


def _pages(file: IO[bytes]) -> Iterator[bytes]:
    """Yields the pages whose checksum is right."""
    data, at, failures = b"", 0, 0
    while failures < _MOST_FAILURES:
        if len(data) - at < _LARGEST_PAGE:
            data, at = data[at:] + file.read(1 << 20), 0
        if len(data) < _HEAD:
            return
        page = _page(data, at)
        if page:
            yield page
            at += len(page)
        else:
            failures += 1
            following = data.find(b"OggS", at + 1)
            at = len(data) - 3 if following < 0 else following


def _page(data: bytes, at: int) -> bytes:
    """Returns the page that begins there, or nothing if none does, or one with a wrong checksum."""
    if not data.startswith(b"OggS", at) or len(data) < at + _HEAD:
        return b""
    table = data[at + _HEAD : at + _HEAD + data[at + _HEAD - 1]]
    page = data[at : at + _HEAD + len(table) + sum(table)]
    # The polynomial is that of zlib, but with the first bit highest, and nothing inverted.
    plain = page[:22] + bytes(4) + page[26:]
    checksum = zlib.crc32(plain.translate(_MIRRORED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return page if checksum.to_bytes(4, "big").translate(_MIRRORED) == page[22:26] else b""
