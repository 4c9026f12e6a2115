"""Recordings that begin or end in the middle."""

from __future__ import annotations

from collections.abc import Iterator

from . import flac, formats, mpeg, ogg, programs
from .catalogue import EVERY_WAY, NONE, ONE, PERHAPS, Case, decoded, kind
from .sound import Sound, silence, speech


@kind("MPEG that begins amid a frame")
def mpeg_heads() -> Iterator[Case]:
    recordings = {
        **{f"{rate}-{channels}.mp3": mpeg.plain(rate, channels) for rate in mpeg.RATES for channels in (1, 2)},
        "vbr.mp3": mpeg.lame(speech(44100), "-V", "4"),
        "info.mp3": mpeg.lame(speech(24000, 2), "--cbr"),
        "16000.mp2": mpeg.layer2(speech()),
        "48000.mp2": mpeg.layer2(speech(48000, 2)),
    }
    for name, data in recordings.items():
        frame = mpeg.frames(data)[9]
        for place, at in (
            ("middle", frame.middle),
            ("header", frame.start + 2),
            ("sync", frame.start + 1),
            ("byte", frame.end - 1),
        ):
            if place == "middle" or "-" not in name:
                # Without the frames before it, the next frame may lack its beginning.
                right = mpeg.played(data)[(9 if mpeg.info_at(data) is not None else 10) * frame.samples :]
                yield Case(f"{place}-{name}", data[at:], right, slack=2 * frame.samples / frame.rate, ways=EVERY_WAY)


@kind("AAC, AC-3 and MPEG-TS that begin amid a frame")
def other_heads() -> Iterator[Case]:
    for name in ("aac", "ac3", "ts"):
        data = formats.FORMATS[name].encode(speech())
        whole = decoded(data)
        at = starts_of(name, data)[30]
        for cut in (at, at + 1, at + 3, at + 100):
            # ffmpeg, as a second opinion of where the first whole frame is, since a packet of TS has a part of it.
            right = decoded(data[cut:])
            assert abs(right.seconds - whole.seconds * (1 - cut / len(data))) < 0.5
            yield Case(f"{cut - at}-bytes.{name}", data[cut:], right, slack=2 * 1536 / 16000, ways=EVERY_WAY)


def starts_of(name: str, data: bytes) -> list[int]:
    return mpeg.adts_frames(data) if name == "aac" else list(range(0, len(data), 188 if name == "ts" else 384))


# Formats of samples without compression.
SAMPLES = ("wav", "w64", "aiff", "au", "caf", "voc", "sph")


@kind("streams copied from their middle")
def copied() -> Iterator[Case]:
    """As `ffmpeg -ss 2 -c copy` cuts: the head states the length of the whole."""
    for name in ("flac", "wv"):
        data = formats.FORMATS[name].encode(speech())
        part = programs.ffmpeg(data, "-c", "copy", ending=f".{name}", before=("-ss", "2"))
        yield Case(f"{name}.{name}", part, decoded(part), ways=EVERY_WAY)


@kind("cut samples")
def samples() -> Iterator[Case]:
    sound = speech(16000, 2)
    for name in SAMPLES:
        data = formats.FORMATS[name].encode(sound)
        for lost in (1, 2, 3, 4, 64001, 200002):
            right = sound[: sound.frames - -(-lost // 4)]
            # sox pads VOC with an end mark, of which one byte is no sound.
            messages = PERHAPS if name == "voc" and lost == 1 else ONE
            yield Case(f"{lost}-bytes.{name}", data[:-lost], right, messages)


@kind("cut frames")
def frames() -> Iterator[Case]:
    info = mpeg.lame(speech(), "-V", "5")
    whole = mpeg.frames(info)
    for lost in (1, 300, 10000):
        left = sum(frame.end <= len(info) - lost for frame in whole) - 1
        delay = whole[0].samples + mpeg.DECODER_DELAY  # lame's own
        yield Case(f"info-{lost}.mp3", info[:-lost], mpeg.played(info)[delay : left * 576], ONE, slack=0.036)
    for name, data in (
        ("plain.mp3", mpeg.plain()),
        ("stereo.mp3", mpeg.plain(44100, 2)),
        ("layer2.mp2", mpeg.layer2(speech())),
    ):
        whole = mpeg.frames(data)
        for lost in (1, whole[-1].size - 1, 3 * whole[-1].size // 2, whole[-1].size * 20):
            left = [frame for frame in whole if frame.end <= len(data) - lost]
            # Nothing says how many frames there were; only the last one can be seen to be cut.
            messages = NONE if left[-1].end == len(data) - lost else PERHAPS
            right = mpeg.played(data)[: sum(frame.samples for frame in left)]
            yield Case(f"{lost}-bytes-{name}", data[:-lost], right, messages, slack=whole[0].samples / whole[0].rate)


@kind("cut compressed recordings")
def compressed() -> Iterator[Case]:
    sound = speech()
    for name in ("ogg", "opus", "ogg-flac"):
        form = formats.FORMATS[name]
        pages = ogg.pages(form.encode(sound))
        right = decoded(form.encode(sound))
        for kept, extra in ((len(pages) - 1, 0), (len(pages) - 1, 30), (len(pages) // 2 + 1, 500)):
            end = ogg.at(pages, kept, name)
            data = b"".join(pages[:kept]) + pages[kept][:extra]
            yield Case(f"{kept}-pages-{extra}-bytes-{name}.{form.ending}", data, right[:end], ONE, slack=0.07)
    for name in ("flac", "tta", "m4a", "mka", "webm", "wma", "avi", "aac", "ac3", "ts"):
        yield from cut_by_size(name, speech(44100))


def cut_by_size(name: str, sound: Sound) -> Iterator[Case]:
    """Formats whose frames we do not parse: what ffmpeg decodes of them is right, if it is about as much as was left."""
    form = formats.FORMATS[name]
    encode = form.encode if name != "m4a" else formats.PLAIN["mp4 index first"].encode
    data = encode(sound)
    for part in (0.3, 0.7):
        cut = data[: int(part * len(data))]
        right = decoded(cut)
        assert abs(right.seconds - part * sound.seconds) < 1.1, f"{name}: {right.seconds}"
        # Formats that do not state their length may end anywhere.
        messages = PERHAPS if name in ("aac", "ac3", "ts", "wma", "mka", "webm") else ONE
        yield Case(f"{round(100 * part)}-percent-{name}.{form.ending}", cut, right, messages, slack=0.07)


@kind("damaged pages of Ogg")
def damaged() -> Iterator[Case]:
    """Silence takes the place of a page that is damaged or lost, so that later times stay."""
    sound = speech()
    for name in ("ogg", "opus", "ogg-flac"):
        form = formats.FORMATS[name]
        data = form.encode(sound)
        pages, whole = ogg.pages(data), decoded(data)
        number = len(pages) // 2
        head, page, tail = pages[:number], pages[number], pages[number + 1 :]
        start, end = ogg.at(pages, number, name), ogg.at(pages, number + 1, name)
        right = whole[:start] + silence(whole.rate, whole.channels, end - start) + whole[end:]
        flipped = page[:200] + bytes([page[200] ^ 1]) + page[201:]
        for what, middle in (("flipped", flipped), ("lost", b""), ("longer", page[:200] + bytes(50) + page[200:])):
            # In FLAC, ffmpeg takes a page for the one that is missing before it, and puts the silence after it.
            judges = name != "ogg-flac"
            coded = b"".join([*head, middle, *tail])
            yield Case(f"{what}-{name}.{form.ending}", coded, right, ONE, slack=0.07, judges_speech=judges)


@kind("Ogg with two tracks, one of which has a damaged head")
def damaged_head() -> Iterator[Case]:
    sound = speech(48000)
    for codec in ("libvorbis", "libopus"):
        data = programs.ffmpeg(sound.wav(), "-map", "0", "-map", "0", "-c:a", codec, ending=".ogg")
        one, other, *rest = ogg.pages(data)
        damaged = other[:-1] + bytes([other[-1] ^ 1])
        right = decoded(data)
        yield Case(f"{codec}.ogg", b"".join([one, damaged, *rest]), right, PERHAPS, slack=0.07)


@kind("headers alone")
def headers() -> Iterator[Case]:
    aiff = formats.FORMATS["aiff"].encode(speech())
    heads = {
        "wav": speech().wav()[:44],
        "aiff": aiff[: aiff.index(b"SSND") + 16],
        "au": formats.FORMATS["au"].encode(speech())[:44],
        "flac": flac.head(speech(), 16),
    }
    for name, data in heads.items():
        yield Case(f"{name}.{name}", data, silence(16000, 1, 0), ONE)
