"""Recordings with tags, chunks and blocks that hold no sound, at every place."""

from __future__ import annotations

import base64
import io
import struct
from collections.abc import Iterator

import mutagen.aiff
import mutagen.apev2
import mutagen.asf
import mutagen.flac
import mutagen.id3
import mutagen.mp4
import mutagen.oggopus
import mutagen.oggvorbis
import mutagen.trueaudio
import mutagen.wave

from . import chunks, flac, formats, mpeg, tags
from .catalogue import EVERY_WAY, PERHAPS, Case, decoded, kind
from .sound import Sound, speech


def tags_in_front() -> dict[str, bytes]:
    inner, wav = mpeg.plain(), speech().wav()
    return {
        **{f"id3v2.{version}": tags.id3v2(version) for version in (2, 3, 4)},
        **{f"id3v2.{version}-padding": tags.id3v2(version, padding=5000) for version in (2, 3, 4)},
        **{f"id3v2.{version}-picture": tags.id3v2(version, picture=tags.PICTURE) for version in (2, 3, 4)},
        **{
            f"id3v2.{version}-unsynchronised": tags.id3v2(version, picture=tags.PICTURE[:9000], unsynchronised=True)
            for version in (2, 3, 4)
        },
        **{f"id3v2.{version}-extended": tags.id3v2(version, extended=True, padding=100) for version in (3, 4)},
        "id3v2.4-footer": tags.id3v2(4, footer=True),
        "id3v2.3-with-mp3": tags.id3v2(3, attached=inner),
        "id3v2.3-with-wav": tags.id3v2(3, attached=wav),
        "three-id3v2": tags.id3v2(3, padding=1000) + tags.id3v2(4, padding=10) + tags.id3v2(2),
        "id3v2-then-zeros": tags.id3v2(3) + bytes(3000),
        "ape": tags.ape(),
        "ape-picture": tags.ape(picture=tags.PICTURE),
        "id3v2-and-ape": tags.id3v2(3) + tags.ape(),
    }


def tags_behind() -> dict[str, bytes]:
    return {
        "id3v1": tags.id3v1(),
        "id3v1-and-zeros": tags.id3v1() + bytes(4096),
        "id3v1.1": tags.id3v1(7),
        "two-id3v1": tags.id3v1() * 2,
        "apev1": tags.ape(1),
        "apev2": tags.ape(),
        "apev2-without-header": tags.ape(header=False),
        "apev2-picture": tags.ape(picture=tags.PICTURE),
        "apev2-and-id3v1": tags.ape() + tags.id3v1(),
        "lyrics3v1": tags.lyrics3(1) + tags.id3v1(),
        "lyrics3v2": tags.lyrics3() + tags.id3v1(7),
        "ape-lyrics3-id3v1": tags.ape() + tags.lyrics3() + tags.id3v1(),
        "id3v2.4-footer": tags.id3v2(4, footer=True),
        "id3v2.3": tags.id3v2(3, picture=tags.PICTURE[:5000]),
    }


@kind("wrong sizes of tags")
def wrong_sizes() -> Iterator[Case]:
    for name in ("mp3", "wav", "flac"):
        data = mpeg.plain() if name == "mp3" else formats.FORMATS[name].encode(speech())
        right = mpeg.joined(data) if name == "mp3" else decoded(data)
        for version, surplus in ((1, 20_000), (2, 20_000), (2, 1000)):
            yield Case(f"apev{version}-{surplus}.{name}", data + tags.ape(version, surplus=surplus), right, PERHAPS)
        yield Case(f"front-20000.{name}", tags.ape(surplus=20_000) + data, right, PERHAPS, ways=EVERY_WAY)


# Formats in front of which programs put ID3 or APE tags. The offsets of MP4, Matroska and others would be wrong.
TAGGED = ("mp3", "mp2", "aac", "wav", "aiff", "flac", "ogg", "opus", "tta", "ac3", "au")


@kind("tags in front of MP3")
def mp3_front() -> Iterator[Case]:
    for mode, data in (("vbr", mpeg.lame(speech(), "-V", "5")), ("plain", mpeg.plain(44100, 2))):
        right = mpeg.joined(data)
        for name, tag in tags_in_front().items():
            yield Case(f"{name}-{mode}.mp3", tag + data, right, ways=EVERY_WAY)


@kind("tags behind MP3")
def mp3_behind() -> Iterator[Case]:
    for mode, data in (("vbr", mpeg.lame(speech(), "-V", "5")), ("plain", mpeg.plain(44100, 2))):
        right = mpeg.joined(data)
        for name, tag in tags_behind().items():
            yield Case(f"{name}-{mode}.mp3", data + tag, right)
    data = mpeg.plain()
    for name, tag in tags_behind().items():
        yield Case(f"{name}-between.mp3", data + tag + tags.id3v2(4) + data, mpeg.joined(data, data), slack=0.072)


@kind("tags at other recordings")
def others() -> Iterator[Case]:
    front, behind = tags_in_front(), tags_behind()
    for name in TAGGED[1:]:
        data, ending = formats.FORMATS[name].encode(speech()), formats.FORMATS[name].ending
        right = decoded(data)
        for tag in ("id3v2.2", "id3v2.3-padding", "id3v2.4-picture", "id3v2.4-footer", "three-id3v2"):
            yield Case(f"{tag}-in-front.{name}.{ending}", front[tag] + data, right)
        for tag in ("id3v1", "id3v1-and-zeros", "apev2", "lyrics3v2", "id3v2.4-footer"):
            yield Case(f"{tag}-behind.{name}.{ending}", data + behind[tag], right)


@kind("chunks of WAV")
def wav() -> Iterator[Case]:
    sound = speech(16000, 2)
    form, data = chunks.riff_chunks(sound.wav())
    for name, extra in chunks.wav_extras().items():
        for place, order in (
            ("first", [extra, form, data]),
            ("middle", [form, extra, data]),
            ("last", [form, data, extra]),
        ):
            yield Case(f"{name}-{place}.wav", chunks.riff(order), sound)
    every = list(chunks.wav_extras().values())
    yield Case("sound-first.wav", chunks.riff([data, form]), sound, ways=EVERY_WAY)
    odd = sound[: sound.frames - 1]
    packed = b"".join(b"\0" + odd.pcm[at : at + 2] for at in range(0, len(odd.pcm), 4))  # 24 bits, the left channel
    mono = struct.pack("<HHIIHH", 1, 1, 16000, 48000, 3, 24)
    left = Sound(16000, 1, b"".join(odd.pcm[at : at + 2] for at in range(0, len(odd.pcm), 4)))
    for name in ("list-info", "id3", "cue", "bext"):
        order = [chunks.chunk(b"fmt ", mono), chunks.chunk(b"data", packed), chunks.wav_extras()[name]]
        yield Case(f"padded-{name}.wav", chunks.riff(order), left, ways=EVERY_WAY)
    halves = chunks.chunk(b"data", data[8:-9000]), chunks.chunk(b"data", data[-9000:])
    for name, between in (("", b""), ("-and-a-cue", chunks.wav_extras()["cue"])):
        order = [form, halves[0], between, halves[1]]
        yield Case(f"two-data{name}.wav", chunks.riff(order), sound, ways=EVERY_WAY)
    yield Case("all.wav", chunks.riff([*every, form, *every, data, *every]), sound)


@kind("chunks of AIFF")
def aiff() -> Iterator[Case]:
    sound = speech(16000, 2)
    common, data = chunks.aiff_chunks(formats.FORMATS["aiff"].encode(sound))
    for name, extra in chunks.aiff_extras().items():
        orders = {
            "first": [extra, common, data],
            "middle": [common, extra, data],
            "last": [common, data, extra],
            "sound-first": [data, extra, common],
        }
        for place, order in orders.items():
            yield Case(f"{name}-{place}.aiff", chunks.aiff(order), sound)
    every = list(chunks.aiff_extras().values())
    yield Case("all.aiff", chunks.aiff([*every, common, *every, data, *every]), sound)


@kind("chunks and blocks of other formats")
def blocks() -> Iterator[Case]:
    sound = speech(16000, 2)
    plain = flac.encoded(sound)
    inner = sound.wav()
    extras = {
        "padding": (1, bytes(70000)),
        "application": (2, b"riff" + inner),
        "seek-table": (3, b"\xff" * 18),
        "comment": (4, struct.pack("<I", 1) + b"x" + struct.pack("<II", 1, 7) + b"TITLE=a"),
        "picture": (6, chunks.flac_picture()),
    }
    for name, block in extras.items():
        yield Case(f"{name}.flac", flac.with_blocks(plain, block), sound)
    yield Case("all.flac", flac.with_blocks(plain, *extras.values()), sound)
    for name, data in chunks.other_extras(sound).items():
        yield Case(name, data, sound)


def saved(tagged: mutagen.FileType | mutagen.id3.ID3, data: bytes, **options: object) -> bytes:
    file = io.BytesIO(data)
    tagged.save(file, **options)
    return file.getvalue()


@kind("ID3 by mutagen")
def id3_by_mutagen() -> Iterator[Case]:
    id3 = mutagen.id3
    cover = id3.APIC(encoding=3, mime="image/jpeg", type=3, desc="", data=tags.PICTURE)
    for name in ("mp3", "aiff", "wav", "tta"):
        data = formats.FORMATS[name].encode(speech())
        for version in (3, 4):
            classes = {"aiff": mutagen.aiff.AIFF, "wav": mutagen.wave.WAVE}
            container = classes[name](io.BytesIO(data)) if name in classes else None
            if container is not None:
                container.add_tags()
            tag = id3.ID3() if container is None else container.tags
            for frame in (id3.TIT2(encoding=1, text="Ü"), id3.COMM(encoding=3, lang="eng", desc="", text="a"), cover):
                tag.add(frame)
            tagged = saved(tag, data, v2_version=version, **({"v1": 2} if container is None else {}))
            yield Case(f"id3v2.{version}.{name}", tagged, mpeg.joined(data) if name == "mp3" else decoded(data))


@kind("comments and pictures by mutagen")
def comments_by_mutagen() -> Iterator[Case]:
    picture = mutagen.flac.Picture()
    picture.data, picture.type, picture.mime = tags.PICTURE, 3, "image/jpeg"
    for name, read in (
        ("flac", mutagen.flac.FLAC),
        ("ogg", mutagen.oggvorbis.OggVorbis),
        ("opus", mutagen.oggopus.OggOpus),
        ("m4a", mutagen.mp4.MP4),
        ("wma", mutagen.asf.ASF),
        ("wv", mutagen.apev2.APEv2),
    ):
        data = formats.FORMATS[name].encode(speech())
        file = read() if name == "wv" else read(io.BytesIO(data))
        file["\xa9nam" if name == "m4a" else "title"] = "Ü" * 1000
        if name == "flac":
            file.add_picture(picture)
        elif name in ("ogg", "opus"):
            file["metadata_block_picture"] = base64.b64encode(picture.write()).decode()
        elif name == "m4a":
            file["covr"] = [mutagen.mp4.MP4Cover(tags.PICTURE)]
        yield Case(f"comments.{formats.FORMATS[name].ending}", saved(file, data), decoded(data))
