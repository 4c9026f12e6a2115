"""Recordings in a row: they are one recording, at the rate and with the channels of the first."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator

from . import formats, mpeg, ogg, programs
from .catalogue import EVERY_WAY, NAME, ONE, PERHAPS, Case, decoded, kind
from .sound import Sound, first, second

MONO_AND_STEREO = (1, 2)
# How MP3s are encoded, in turn.
STYLES = [
    lambda sound: mpeg.lame(sound, "--cbr", "-b", "64", info=False),
    lambda sound: mpeg.lame(sound, "--cbr", "-b", "64"),
    lambda sound: mpeg.lame(sound, "-V", "1"),
    lambda sound: mpeg.lame(sound, "-V", "1", info=False),
]
AAC_RATES = (8000, 16000, 24000, 44100, 48000, 96000)
# Those that are joined with each other.
CONTAINERS = ("wav", "w64", "aiff", "caf", "flac", "ogg", "opus", "mp3", "aac", "m4a", "mka", "wma")


def label(sound: Sound) -> str:
    return f"{sound.rate}-{sound.channels}"


def pairs(rates: tuple[int, ...]) -> Iterator[tuple[Sound, Sound]]:
    shapes = list(itertools.product(rates, MONO_AND_STEREO))
    for one, other in itertools.product(shapes, shapes):
        yield first(*one), second(*other)


@kind("joined MP3 of every pair of formats")
def mp3() -> Iterator[Case]:
    turns = itertools.cycle(itertools.product(STYLES, STYLES))
    for (one, other), (style, other_style) in zip(pairs(mpeg.RATES), turns):
        parts = style(one), other_style(other)
        ways = (NAME,) if one.rate != 44100 else ()
        yield Case(f"{label(one)}-and-{label(other)}.mp3", b"".join(parts), mpeg.joined(*parts), ways=ways)


@kind("joined MP2, and with MP3")
def mp2() -> Iterator[Case]:
    for one, other in pairs((16000, 24000, 44100, 48000)):
        parts = mpeg.layer2(one), mpeg.layer2(other, "libtwolame")
        yield Case(f"{label(one)}-and-{label(other)}.mp2", b"".join(parts), mpeg.joined(*parts), ways=(NAME,))
    for one, other in (((16000, 1), (44100, 2)), ((44100, 2), (24000, 1)), ((48000, 1), (48000, 1))):
        parts = STYLES[1](first(*one)), mpeg.layer2(second(*other)), STYLES[2](first(*other))
        name = f"{label(first(*one))}-and-{label(second(*other))}.mp3"
        yield Case(name, b"".join(parts), mpeg.joined(*parts))


@kind("joined AAC of every pair of formats")
def aac() -> Iterator[Case]:
    for one, other in pairs(AAC_RATES):
        yield case_of("aac", one, other, (NAME,) if one.rate != 44100 else ())


def case_of(form: str, one: Sound, other: Sound, ways: tuple[str, ...] = ()) -> Case:
    """Two recordings of one format."""
    name, encode = formats.FORMATS[form]
    parts = encode(one), encode(other)
    right = played(form, one) + played(form, other)
    return Case(f"{label(one)}-and-{label(other)}-{form}.{name}", b"".join(parts), right, ways=ways)


@functools.cache
def played(form: str, sound: Sound) -> Sound:
    encoded = formats.FORMATS[form].encode(sound)
    return mpeg.joined(encoded) if form == "mp3" else decoded(encoded)


@kind("joined recordings of one format")
def same_format() -> Iterator[Case]:
    shapes = [((16000, 1), (44100, 2)), ((44100, 2), (16000, 1)), ((48000, 2), (48000, 1)), ((16000, 1), (16000, 1))]
    for form, (one, other) in itertools.product(formats.FORMATS, shapes):
        # In a transport stream whose rate changes, ffmpeg's aresample=async follows false times; vadmon warns of it.
        if form == "ts" and one[0] != other[0]:
            continue
        if form not in ("mp3", "aac") and not (form in formats.FIXED_RATES and (one, other) != shapes[-1]):
            yield case_of(form, first(*one), second(*other))


@kind("joined recordings of two formats")
def two_formats() -> Iterator[Case]:
    one, other = first(), second()
    for form, next_form in itertools.permutations(CONTAINERS, 2):
        parts = formats.FORMATS[form].encode(one), formats.FORMATS[next_form].encode(other)
        right = played(form, one) + played(next_form, other)
        name = f"{form}-and-{next_form}.{formats.FORMATS[form].ending}"
        # Beside another format, what MP3's encoder put at the ends may be left out or played.
        yield Case(name, b"".join(parts), right, slack=0.1 * ("mp3" in (form, next_form)), ways=(NAME,))


@kind("MP3 of free bit rate in a row with others")
def free_bit_rate() -> Iterator[Case]:
    # ffmpeg reads none. What the encoder put in front of all but the first is played.
    free = formats.PLAIN["lame --freeformat -b 160"].encode
    for one, other in pairs((16000, 44100)):
        yield Case(f"{label(one)}-free-{label(other)}.mp3", free(one) + free(other), one + other, slack=0.2)
        for form in ("mp3", "wav"):
            follower = formats.FORMATS[form].encode(other)
            for what, between in (("", b""), ("-noise", FILLERS["noise"])):
                name = f"{label(one)}-free{what}-{form}-{label(other)}.mp3"
                right = one + played(form, other)
                yield Case(name, free(one) + between + follower, right, PERHAPS, slack=0.2)
        leader = STYLES[1](one)
        yield Case(f"{label(one)}-and-{label(other)}-free.mp3", leader + free(other), played("mp3", one) + other, slack=0.2)


@kind("three recordings in a row")
def three() -> Iterator[Case]:
    one, other = first(), second()
    for form, last in itertools.product(("mp3", "mp2", "aac", "ac3"), ("wav", "flac", "ogg")):
        parts = [("flac", one), (form, other), (last, one)]
        data = b"".join(formats.FORMATS[name].encode(sound) for name, sound in parts)
        right = functools.reduce(Sound.__add__, [played(name, sound) for name, sound in parts])
        yield Case(f"flac-{form}-{last}.flac", data, right, slack=0.1, ways=EVERY_WAY)
    for form in ("mp2", "ac3"):
        loud = formats.by_ffmpeg(form, "-b:a", "384k", "-ar", "48000").encode(second(48000, 2))
        data = formats.FORMATS["flac"].encode(one) + loud
        yield Case(f"flac-loud-{form}.flac", data, one + decoded(loud), slack=0.1, ways=EVERY_WAY)


@kind("Ogg that is cut off, in a row with others")
def cut_ogg() -> Iterator[Case]:
    """As where a stream is interrupted. A part of a page claims the beginning of what follows."""
    one, other = first(), second()
    for form, last in itertools.product(("ogg", "opus", "ogg-flac"), ("ogg", "opus", "ogg-flac", "wav", "flac", "m4a")):
        data = formats.FORMATS[form].encode(one)
        pages, number = ogg.pages(data), 5
        left = decoded(data)[: ogg.at(pages, number, form)]
        parts = [*pages[:number], pages[number][:300], formats.FORMATS[last].encode(other)]
        name = f"{form}-{last}.{formats.FORMATS[form].ending}"
        yield Case(name, b"".join(parts), left + played(last, other), ONE, slack=0.07)


@kind("bytes behind Matroska that has the head of a FLAC in its own")
def behind_matroska() -> Iterator[Case]:
    sound = first()
    data = programs.ffmpeg(sound.wav(), "-c:a", "flac", ending=".mka")
    for filler in ("a-zero", "512-zeros", "line-break"):
        yield Case(f"{filler}.mka", data + FILLERS[filler], sound, PERHAPS)


@kind("AMR in a row with others")
def amr() -> Iterator[Case]:
    one, other = formats.PLAIN["amr"].encode(first()), formats.PLAIN["amr"].encode(second())
    yield Case("amr-and-amr.amr", one + other, decoded(one) + decoded(other), judges_speech=False)
    yield Case("amr-and-wav.amr", one + second().wav(), decoded(one) + second(), judges_speech=False)
    yield Case("wav-and-amr.wav", first().wav() + other, first() + decoded(other), judges_speech=False)


# What may stand between two recordings in a row: padding, a line break, and bytes of no kind.
FILLERS = {
    "a-zero": bytes(1),
    "512-zeros": bytes(512),
    "100000-zeros": bytes(100_000),
    "line-break": b"\r\n",
    "noise": random.Random(2).randbytes(3000),
}


@kind("recordings in a row with bytes between them")
def with_fillers() -> Iterator[Case]:
    one, other = first(), second()
    for form, (filler, between) in itertools.product((*CONTAINERS, "au", "voc", "tta"), FILLERS.items()):
        next_form = "flac" if form == "wav" else "wav"
        data = formats.FORMATS[form].encode(one) + between + formats.FORMATS[next_form].encode(other)
        right = played(form, one) + played(next_form, other)
        name = f"{form}-{filler}-{next_form}.{formats.FORMATS[form].ending}"
        # Of a pipe, only the next 64 KiB are examined.
        ways = (NAME,) if len(between) > 1 << 16 else ()
        yield Case(name, data, right, PERHAPS, slack=0.1 * (form == "mp3"), ways=ways)
