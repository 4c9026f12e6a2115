"""Tags, byte by byte: ID3 of every version, APE and Lyrics3."""

from __future__ import annotations

import random
import struct

PICTURE = b"\xff\xd8\xff\xe0" + random.Random(1).randbytes(300_000) + b"\xff\xd9"


def syncsafe(number: int) -> bytes:
    return bytes(number >> shift & 127 for shift in (21, 14, 7, 0))


def id3v1(track: int | None = None) -> bytes:
    comment = b"a comment".ljust(30, b"\0") if track is None else b"a comment".ljust(28, b"\0") + bytes([0, track])
    return (
        b"TAG"
        + b"A title".ljust(30)
        + b"An artist".ljust(30, b"\0")
        + b"An album".ljust(30)
        + b"2026"
        + comment
        + b"\x0c"
    )


def id3_frame(version: int, name: str, content: bytes) -> bytes:
    """A frame of version 2.2, 2.3 or 2.4. The name is that of 2.3."""
    old = {"TIT2": b"TT2", "TPE1": b"TP1", "APIC": b"PIC", "GEOB": b"GEO"}
    if version == 2:
        return old[name] + len(content).to_bytes(3, "big") + content
    return (
        name.encode()
        + (syncsafe(len(content)) if version == 4 else struct.pack(">I", len(content)))
        + bytes(2)
        + content
    )


def id3v2(
    version: int = 3,
    *,
    padding: int = 0,
    picture: bytes = b"",
    attached: bytes = b"",
    unsynchronised: bool = False,
    footer: bool = False,
    extended: bool = False,
) -> bytes:
    """A tag, with what it may have besides text: `attached` is any file."""
    body = id3_frame(version, "TIT2", b"\0A title") + id3_frame(version, "TPE1", b"\1\xff\xfeA\0n\0")
    if picture:
        body += id3_frame(version, "APIC", (b"\0JPG\3\0" if version == 2 else b"\0image/jpeg\0\3\0") + picture)
    if attached:
        body += id3_frame(version, "GEOB", b"\0audio/mpeg\0a name\0\0" + attached)
    if extended:
        body = (b"\0\0\0\6\1\0" if version == 4 else b"\0\0\0\6" + bytes(6)) + body
    body += bytes(padding)
    if unsynchronised:
        for byte in (0, *range(0xE0, 0x100)):
            body = body.replace(bytes([0xFF, byte]), bytes([0xFF, 0, byte]))
    head = bytes([version, 0, unsynchronised << 7 | extended << 6 | footer << 4]) + syncsafe(len(body))
    return b"ID3" + head + body + (b"3DI" + head) * footer


def ape(version: int = 2, *, header: bool = True, picture: bytes = b"", surplus: int = 0) -> bytes:
    """APEv1 has a footer only. The size that is stated may be too large by a surplus."""

    def item(name: bytes, content: bytes, flags: int = 0) -> bytes:
        return struct.pack("<II", len(content), flags) + name + b"\0" + content

    items = item(b"Title", b"A title") + item(b"Artist", b"An artist")
    count = 2 + bool(picture)
    items += item(b"Cover Art (Front)", b"cover.jpg\0" + picture, 2) if picture else b""

    def edge(is_header: bool) -> bytes:
        flags = 0 if version == 1 else header << 31 | is_header << 29
        return b"APETAGEX" + struct.pack("<IIII", 1000 * version, len(items) + 32 + surplus, count, flags) + bytes(8)

    return (edge(True) if header and version == 2 else b"") + items + edge(False)


def lyrics3(version: int = 2) -> bytes:
    if version == 1:
        return b"LYRICSBEGIN[00:01]A line\r\n[00:02]another\r\nLYRICSEND"
    body = b"LYRICSBEGININD0000200LYR00016[00:01]A line\r\n\r\n"
    return body + b"%06dLYRICS200" % len(body)
