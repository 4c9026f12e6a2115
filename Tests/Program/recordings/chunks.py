"""Containers of chunks, and chunks that hold no sound."""

from __future__ import annotations

import struct

from . import formats, mpeg, tags
from .sound import Sound, speech

W64_SUFFIX = bytes.fromhex("f3acd3118cd100c04f8edb8a")


def chunk(name: bytes, content: bytes, order: str = "<") -> bytes:
    return name + struct.pack(order + "I", len(content)) + content + b"\0" * (len(content) & 1)


def riff(chunks: list[bytes]) -> bytes:
    body = b"WAVE" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def riff_chunks(wav: bytes) -> tuple[bytes, bytes]:
    """`fmt ` and `data` of a WAV that has nothing else."""
    return wav[12:36], wav[36:]


def aiff(chunks: list[bytes]) -> bytes:
    body = b"AIFF" + b"".join(chunks)
    return b"FORM" + struct.pack(">I", len(body)) + body


def aiff_chunks(data: bytes) -> tuple[bytes, bytes]:
    """COMM and SSND of sox's AIFF."""
    common, sound = data.index(b"COMM"), data.index(b"SSND")
    size = struct.unpack_from(">I", data, sound + 4)[0]
    return data[common : common + 26], data[sound : sound + 8 + size]


def wav_extras() -> dict[str, bytes]:
    text = b"A line of text"
    return {
        "list-info": chunk(b"LIST", b"INFO" + chunk(b"INAM", text) + chunk(b"ISFT", b"Lavf59")),
        "list-adtl": chunk(b"LIST", b"adtl" + chunk(b"labl", struct.pack("<I", 1) + b"a\0")),
        "cue": chunk(b"cue ", struct.pack("<IIIIIII", 1, 1, 100, 0x61746164, 0, 0, 100)),
        "bext": chunk(b"bext", text.ljust(602, b"\0") + b"A=PCM,F=16000\r\n"),
        "ixml": chunk(b"iXML", b"<?xml version='1.0'?><BWFXML></BWFXML>"),
        "junk": chunk(b"JUNK", bytes(28)),
        "pad": chunk(b"PAD ", bytes(4052)),
        "odd": chunk(b"DISP", b"\1\0\0\0odd"),
        "id3": chunk(b"id3 ", tags.id3v2(3, picture=tags.PICTURE)),
        "ID3": chunk(b"ID3 ", tags.id3v2(4, padding=11)),
        "with-wav": chunk(b"JUNK", speech().until(1).wav()),
        "with-mp3": chunk(b"_PMX", mpeg.plain()[:9000]),
        "peak": chunk(b"PEAK", struct.pack("<IIfIfI", 1, 0, 0.5, 9, 0.5, 9)),
    }


def aiff_extras() -> dict[str, bytes]:
    def big(name: bytes, content: bytes) -> bytes:
        return chunk(name, content, ">")

    return {
        "name": big(b"NAME", b"A name"),
        "odd-name": big(b"NAME", b"odd"),
        "author": big(b"AUTH", b"Author"),
        "copyright": big(b"(c) ", b"2026"),
        "annotation": big(b"ANNO", b"ID3 and RIFF and OggS"),
        "comments": big(b"COMT", struct.pack(">HIHH", 1, 3_000_000_000, 0, 4) + b"text"),
        "application": big(b"APPL", b"stoc" + speech().until(1).wav()),
        "marks": big(b"MARK", struct.pack(">HHI", 1, 1, 100) + b"\1a"),
        "instrument": big(b"INST", bytes(20)),
        "id3": big(b"ID3 ", tags.id3v2(4)),
        "id3-picture": big(b"ID3 ", tags.id3v2(3, picture=tags.PICTURE)),
        "id3-lower": big(b"id3 ", tags.id3v2(2)),
        "id3-odd": big(b"ID3 ", tags.id3v2(3, padding=10)),
    }


def flac_picture() -> bytes:
    head = struct.pack(">II10sIIIIII", 3, 10, b"image/jpeg", 0, 1, 1, 24, 0, len(tags.PICTURE))
    return head + tags.PICTURE


def other_extras(sound: Sound) -> dict[str, bytes]:
    """CAF, W64, AU and SPHERE with what they may hold besides sound. By the name of the recording."""
    made = {}
    caf, at = formats.FORMATS["caf"].encode(sound), formats.FORMATS["caf"].encode(sound).index(b"data")
    for name, content in (
        (b"free", bytes(5000)),
        (b"info", struct.pack(">I", 1) + b"title\0a\0"),
        (b"uuid", bytes(16) + b"RIFF"),
    ):
        extra = name + struct.pack(">Q", len(content)) + content
        made[f"{name.decode()}-in-front.caf"] = caf[:at] + extra + caf[at:]
        made[f"{name.decode()}-behind.caf"] = caf + extra
    w64 = formats.FORMATS["w64"].encode(sound)
    at = w64.index(b"data" + W64_SUFFIX)
    for name, content in ((b"junk", bytes(40)), (b"bext", b"x" * 608), (b"levl", b"ID3\3\0\0" + bytes(50))):
        extra = name + W64_SUFFIX + struct.pack("<Q", 24 + len(content)) + content
        extra += bytes(-len(extra) % 8)
        for place, data in (("in-front", w64[:at] + extra + w64[at:]), ("behind", w64 + extra)):
            made[f"{name.decode()}-{place}.w64"] = data[:16] + struct.pack("<Q", len(data)) + data[24:]
    au = formats.FORMATS["au"].encode(sound)
    start = struct.unpack_from(">I", au, 4)[0]
    for name, note in (("note", b"A note\0\0"), ("long-note", b"OggS".ljust(4000, b"\0")), ("no-note", b"")):
        made[f"{name}.au"] = au[:4] + struct.pack(">I", 24 + len(note)) + au[8:24] + note + au[start:]
    sph = formats.FORMATS["sph"].encode(sound)
    made["fields.sph"] = sph[:1024].replace(b"end_head\n", b"speaker_id -s4 fcjf\nend_head\n")[:1024] + sph[1024:]
    made["long-header.sph"] = sph[:1024].replace(b"   1024\n", b"   2048\n") + bytes(1024) + sph[1024:]
    return made
