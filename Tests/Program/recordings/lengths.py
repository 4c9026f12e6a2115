"""Recordings whose headers state a wrong length: too small, none, or too large."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

from . import chunks, flac, formats, mpeg, ogg
from .catalogue import NONE, ONE, PERHAPS, Case, Messages, decoded, kind
from .plain import SLACK
from .sound import speech

Patch = Callable[[bytes, int], bytes]


def field(layout: str, name: bytes, offset: int) -> tuple[Patch, Callable[[bytes], int], int]:
    """A number at an offset from a name: what changes it, what reads it, and its number with all bits set."""

    def place(data: bytes) -> int:
        return data.index(name) + offset

    def patch(data: bytes, value: int) -> bytes:
        at = place(data)
        return data[:at] + struct.pack(layout, value) + data[at + struct.calcsize(layout) :]

    return patch, lambda data: struct.unpack_from(layout, data, place(data))[0], 256 ** struct.calcsize(layout) - 1


# A number that is too large means that sound is missing if it is the size of the sound; it may mean so if it is a mere
# duration, or the size of what encloses the sound.
SOUND, OUTSIDE = ONE, PERHAPS
FIELDS = {
    "wav": {"RIFF": (field("<I", b"RIFF", 4), OUTSIDE), "data": (field("<I", b"data", 4), SOUND)},
    "rf64": {
        "riff": (field("<Q", b"ds64", 8), OUTSIDE),
        "data": (field("<Q", b"ds64", 16), SOUND),
        "samples": (field("<Q", b"ds64", 24), OUTSIDE),
    },
    "w64": {"riff": (field("<Q", b"riff", 16), OUTSIDE), "data": (field("<Q", b"data" + chunks.W64_SUFFIX, 16), SOUND)},
    "aiff": {
        "FORM": (field(">I", b"FORM", 4), OUTSIDE),
        "COMM": (field(">I", b"COMM", 10), OUTSIDE),
        "SSND": (field(">I", b"SSND", 4), SOUND),
    },
    **{
        f"{name} adpcm_ms": {"data": (field(layout, b"data", offset), SOUND)}
        for name, layout, offset in (("wav", "<I", 4), ("w64", "<Q", 16))
    },
    "aiff adpcm_ima_qt": {"SSND": (field(">I", b"SSND", 4), SOUND)},
    "caf adpcm_ima_qt": {"data": (field(">Q", b"data", 4), SOUND)},
    "au": {"size": (field(">I", b".snd", 8), SOUND)},
    "caf": {"data": (field(">Q", b"data", 4), SOUND)},
    "avr": {"samples": (field(">I", b"2BIT", 26), OUTSIDE)},
    "8svx": {
        "FORM": (field(">I", b"FORM", 4), OUTSIDE),
        "VHDR": (field(">I", b"VHDR", 8), OUTSIDE),
        "BODY": (field(">I", b"BODY", 4), SOUND),
    },
    "wv": {"samples": (field("<I", b"wvpk", 12), OUTSIDE)},
    "m4a": {
        "mvhd": (field(">I", b"mvhd", 20), OUTSIDE),
        "tkhd": (field(">I", b"tkhd", 24), OUTSIDE),
        "mdhd": (field(">I", b"mdhd", 20), OUTSIDE),
    },
    "mka": {"duration": (field(">Q", b"\x44\x89\x88", 3), OUTSIDE)},
    "avi": {
        "RIFF": (field("<I", b"RIFF", 4), OUTSIDE),
        "avih": (field("<I", b"avih", 24), OUTSIDE),
        "strh": (field("<I", b"strh", 40), OUTSIDE),
        "movi": (field("<I", b"movi", -4), OUTSIDE),
    },
    "wma": {
        name: (field("<Q", bytes.fromhex("a1dcab8c47a9cf118ee400c00c205365"), offset), OUTSIDE)
        for name, offset in (("file", 40), ("packets", 56), ("play", 64), ("send", 72))
    },
    "flv": {"duration": (field(">Q", b"duration\0", 9), OUTSIDE)},
}
# Formats of PCM, in which sound behind a size that is too small is read and reported.
PCM = ("wav", "rf64", "w64", "aiff", "au", "caf")
# Numbers that are floats: half and ten times as much.
FLOATS = ("mka", "flv")


@kind("wrong lengths in headers")
def headers() -> Iterator[Case]:
    for name, fields in FIELDS.items():
        form = formats.FORMATS.get(name) or formats.PLAIN.get(name) or formats.PLAIN[f"sox {name}"]
        data = form.encode(speech())
        right = decoded(data)
        for what, ((patch, read, ones), too_large) in fields.items():
            too_small = ONE if name in PCM and too_large == SOUND else NONE
            for value, number, messages in values(read(data), ones, too_small, too_large, name in FLOATS):
                slack = SLACK.get(name, 0)
                yield Case(f"{what}-{value}-{name}.{form.ending}", patch(data, number), right, messages, slack)


def values(
    stated: int, ones: int, too_small: Messages, too_large: Messages, is_float: bool
) -> Iterator[tuple[str, int, Messages]]:
    if is_float:
        seconds = struct.unpack(">d", stated.to_bytes(8, "big"))[0]
        half, large = (int.from_bytes(struct.pack(">d", seconds * factor), "big") for factor in (0.5, 10))
    else:
        half, large = stated // 2 & ~3, min(10 * stated, ones - 5)
    yield from (("half", half, too_small), ("zero", 0, NONE), ("large", large, too_large))
    if not is_float:
        yield from (("ones", ones, NONE), ("small", 32, too_small))


@kind("wrong lengths of FLAC")
def flac_total() -> Iterator[Case]:
    sound = speech()
    for value, total, messages in (
        ("half", 48000, NONE),
        ("small", 1, NONE),
        ("zero", 0, NONE),
        ("ones", (1 << 36) - 1, NONE),
        ("large", 960000, ONE),
        ("a-frame-large", 97000, PERHAPS),
    ):
        yield Case(f"{value}.flac", flac.encoded(sound, 16, total), sound, messages)
        by_flac = formats.FORMATS["flac"].encode(sound)
        stated = (int.from_bytes(by_flac[18:26], "big") >> 36 << 36 | total).to_bytes(8, "big")
        yield Case(f"{value}-by-flac.flac", by_flac[:18] + stated + by_flac[26:], sound, messages)


@kind("wrong lengths of MP3")
def info() -> Iterator[Case]:
    for mode, options in (("cbr", ("--cbr", "-b", "64")), ("vbr", ("-V", "4"))):
        data = mpeg.lame(speech(24000, 2), *options)
        count, right = len(mpeg.frames(data)) - 1, mpeg.joined(data)
        # If a player does not believe the number of frames, it plays what fills the last one.
        slack = 0.08
        for value, frames, messages in (
            ("half", count // 2, NONE),
            ("one", 1, NONE),
            ("zero", 0, NONE),
            ("ones", 2**32 - 1, NONE),
            ("large", count * 3, ONE),
        ):
            yield Case(f"frames-{value}-{mode}.mp3", mpeg.patched_info(data, frames=frames), right, messages, slack)
        for value, size in (("half", len(data) // 2), ("zero", 0), ("ones", 2**32 - 1), ("large", len(data) * 3)):
            messages = PERHAPS if value == "large" else NONE
            yield Case(f"bytes-{value}-{mode}.mp3", mpeg.patched_info(data, size=size), right, messages, slack)
        both = mpeg.patched_info(data, frames=count // 3, size=len(data) // 3)
        yield Case(f"both-third-{mode}.mp3", both, right, NONE, slack)
    for rate in (8000, 44100):
        data = mpeg.plain(rate, 1)
        count, right = len(mpeg.frames(data)), mpeg.played(data)
        for value, factor, messages in (("right", 1, NONE), ("half", 0.5, NONE), ("zero", 0, NONE), ("large", 3, ONE)):
            numbered = mpeg.vbri(data, frames=int(count * factor), size=int(len(data) * factor))
            yield Case(f"vbri-{value}-{rate}.mp3", numbered, right, messages)


@kind("wrong last positions of Ogg")
def granules() -> Iterator[Case]:
    for name in ("ogg", "opus", "ogg-flac"):
        form, sound = formats.FORMATS[name], speech()
        data, rate = form.encode(sound), 48000 if name == "opus" else 16000
        right, last = decoded(data), ogg.granule(ogg.pages(data)[-1])
        for value, position, messages in (
            ("half", last // 2, NONE),
            ("zero", 0, NONE),
            ("none", -1, NONE),
            ("a-little-large", last + rate * 27 // 1000, NONE),
            ("large", last + 3600 * rate, PERHAPS),  # the numbers of the pages show that none is missing
            ("ones-of-32-bits", 2**32 - 1, PERHAPS),
            ("ones", 2**63 - 1, PERHAPS),
        ):
            # What the encoder put behind the sound to fill its last packet may be played.
            yield Case(
                f"{value}-{name}.{form.ending}", ogg.with_last_granule(data, position), right, messages, slack=0.07
            )


@kind("wrong lengths of SPHERE and VOC")
def text_and_blocks() -> Iterator[Case]:
    sound = speech()
    sph, voc = formats.FORMATS["sph"].encode(sound), formats.FORMATS["voc"].encode(sound)
    for value, count, messages in (
        ("half", b"48000", ONE),
        ("small", b"00001", ONE),
        ("zero", b"00000", NONE),
        ("large", b"99999", ONE),
    ):
        yield Case(f"{value}.sph", sph.replace(b"sample_count -i 96000", b"sample_count -i " + count), sound, messages)
    start = struct.unpack_from("<H", voc, 20)[0] + 1  # behind the type of the first block
    size = int.from_bytes(voc[start : start + 3], "little")
    for value, stated, messages in (
        ("half", size // 2, PERHAPS),
        ("zero", 0, NONE),
        ("ones", 2**24 - 1, NONE),
        ("large", size * 3, ONE),
    ):
        yield Case(f"{value}.voc", voc[:start] + stated.to_bytes(3, "little") + voc[start + 3 :], sound, messages)


@kind("wrong sizes of Matroska")
def segment() -> Iterator[Case]:
    data = formats.FORMATS["mka"].encode(speech())
    at = data.index(bytes.fromhex("18538067")) + 4  # the size of the segment, of eight bytes
    for value, stated, messages in (
        ("ones", 2**56 - 1, NONE),
        ("half", len(data) // 2, PERHAPS),  # ffmpeg reports it
        ("large", len(data) * 3, PERHAPS),
    ):
        numbered = data[:at] + (stated | 1 << 56).to_bytes(8, "big") + data[at + 8 :]
        yield Case(f"segment-{value}.mka", numbered, decoded(data), messages)
