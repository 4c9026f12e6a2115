"""Pages of Ogg."""

from __future__ import annotations

import struct

from .bits import crc32


def pages(data: bytes) -> list[bytes]:
    found, at = [], 0
    while at < len(data):
        lacing = data[at + 26]
        end = at + 27 + lacing + sum(data[at + 27 : at + 27 + lacing])
        found.append(data[at:end])
        at = end
    return found


def granule(page: bytes) -> int:
    return struct.unpack_from("<q", page, 6)[0]


def at(pages: list[bytes], number: int, name: str) -> int:
    """The frames that the pages before one hold; `name` is a form of formats.FORMATS."""
    return granule(pages[number - 1]) - (312 if name == "opus" else 0)


def with_granule(page: bytes, position: int) -> bytes:
    page = page[:6] + struct.pack("<q", position) + page[14:22] + bytes(4) + page[26:]
    return page[:22] + struct.pack("<I", crc32(page)) + page[26:]


def with_last_granule(data: bytes, position: int) -> bytes:
    *others, last = pages(data)
    return b"".join([*others, with_granule(last, position)])
