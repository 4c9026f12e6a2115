#!/usr/bin/env python3
"""Reads label files of every kind with `vadmon compare` and with the parsers of their formats.

  Tests/Program/labels.py VADMON

What is right is known by construction: each file is written from its spans. vadmon must find exactly these, or refuse
the file and name the line. Each parser must find them too, except where REASONS says why it does not. The output counts
the files by format and kind, and the parsers that agree. They come from PyPI.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from xml.sax.saxutils import escape

import parselmouth
import praatio.textgrid
import pympi
import pysubs2
import srt
import textgrid
import webvtt
from parselmouth.praat import call as praat

# Start and end in milliseconds, in multiples of 10: the cells in which vadmon counts.
Span = tuple[int, int]
LENGTH = 60_000

# Why a parser does not find what is right, by parser and kind.
REASONS = {
    ("srt", "neither number nor empty line"): "takes the next cue for text",
    ("srt", "neither text nor empty line"): "takes the next cue for text",
    ("srt", "minutes and seconds alone"): "wants hours",
    ("pysubs2", "no fraction"): "wants a fraction, and drops the cue",
    ("pysubs2", "minutes and seconds alone"): "wants hours, and drops the cue",
    ("pysubs2", "a text with times"): "takes every line with two times for a cue",
    ("pysubs2", "comments with times"): "takes every line with two times for a cue",
    ("webvtt-py", "an empty line before the header"): "wants the header on the first line",
}


@dataclass(frozen=True)
class Case:
    form: str
    kind: str
    ending: str
    data: bytes
    # What is right; None if the file must be refused.
    spans: tuple[Span, ...] | None
    # The line that the refusal must name.
    line: int = 0
    options: tuple[str, ...] = ()
    # The length that the file states.
    length: int | None = None
    # The texts that mark silence here, and the medium of an EAF, for the parsers.
    marks: frozenset[str] = frozenset()
    medium: int = 0
    parsers: tuple[str, ...] = field(default=())


def united(spans: list[Span] | tuple[Span, ...]) -> list[Span]:
    result: list[Span] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], end))
        else:
            result.append((start, end))
    return result


# MARK: Texts and line ends


RANDOM = random.Random(40)
TEXTS = [
    "one", "two words", "1984", "grüße 日本語", "<i>x</i> & y", "it's \"quoted\"", "- a\n- b", "a - b > c", "2, 3: go",
    "9:30 - 10:15",
]


def some_spans(count: int) -> tuple[Span, ...]:
    edges = sorted(RANDOM.sample(range(1, LENGTH // 10 - 1), 2 * count))
    return tuple((10 * edges[2 * i], 10 * edges[2 * i + 1]) for i in range(count))


def with_ends(text: str, name: str) -> bytes:
    """Returns text with the line ends of a system, or with all of them in turn."""
    if name == "mixed":
        ends = itertools.cycle(["\r\n", "\r", "\n"])
        lines = text.split("\n")
        # An end of CR before an empty line that ends with LF would be one CR LF.
        text = "".join(line + (next(ends) if line else "\r\n") for line in lines[:-1]) + lines[-1]
        text = re.sub(r"\r(?=\r\n)", "\r\n", text)
    else:
        text = text.replace("\n", {"LF": "\n", "CR LF": "\r\n", "CR": "\r"}[name])
    return text.encode("utf-8")


ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "UTF-8": lambda data: data,
    "UTF-8 with BOM": lambda data: b"\xef\xbb\xbf" + data,
    "UTF-16 LE": lambda data: b"\xff\xfe" + data.decode().encode("utf-16-le"),
    "UTF-16 BE": lambda data: b"\xfe\xff" + data.decode().encode("utf-16-be"),
}


def decoded(data: bytes) -> str:
    """Returns a file's text as Python reads it, with LF alone."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    return io.TextIOWrapper(io.BytesIO(data), encoding).read()


def files(case: Case, text: str) -> Iterator[Case]:
    """Yields a file with every line end, and in every encoding."""
    for ends in ("LF", "CR LF", "CR", "mixed"):
        yield replace(case, data=with_ends(text, ends))
    for name, encode in list(ENCODINGS.items())[1:]:
        # XML names its encoding.
        named = text.replace('encoding="UTF-8"', f'encoding="{name.split(" ")[0]}"', 1)
        yield replace(case, data=encode(with_ends(named, "LF")))


# MARK: SubRip and WebVTT


def clock(time: int, mark: str, hours: bool = True) -> str:
    seconds, rest = divmod(time, 1000)
    head = f"{seconds // 3600:02}:" if hours else ""
    return f"{head}{seconds // 60 % 60:02}:{seconds % 60:02}" + (f"{mark}{rest:03}" if mark else "")


def cue(span: Span, mark: str, arrow: str = " --> ", hours: bool = True, after: str = "") -> str:
    return clock(span[0], mark, hours) + arrow + clock(span[1], mark, hours) + after


def subrip() -> Iterator[Case]:
    def cues(spans: tuple[Span, ...], cue_text: Callable[[int, Span, str], str]) -> str:
        texts = RANDOM.choices(TEXTS, k=len(spans))
        return "".join(cue_text(i + 1, span, text) for i, (span, text) in enumerate(zip(spans, texts)))

    kinds: dict[str, Callable[[int, Span, str], str]] = {
        "as it should be": lambda i, s, t: f"{i}\n{cue(s, ',')}\n{t}\n\n",
        "no empty line": lambda i, s, t: f"{i}\n{cue(s, ',')}\n{t}\n",
        "neither number nor empty line": lambda i, s, t: f"{cue(s, ',')}\n{t}\n",
        "no number": lambda i, s, t: f"{cue(s, ',')}\n{t}\n\n",
        "no text": lambda i, s, t: f"{i}\n{cue(s, ',')}\n\n",
        "neither text nor empty line": lambda i, s, t: f"{i}\n{cue(s, ',')}\n",
        "empty lines everywhere": lambda i, s, t: f"\n\n{i}\n{cue(s, ',')}\n{t}\n\n\n\n",
        "one line in two is empty": lambda i, s, t: f"{i}\n\n{cue(s, ',')}\n\nwords\n\n",
        "an empty line in the text": lambda i, s, t: f"{i}\n{cue(s, ',')}\nwords\n\nmore words\n\n",
        "a position": lambda i, s, t: f"{i}\n{cue(s, ',', after='  X1:100 X2:200 Y1:1 Y2:9')}\n{t}\n\n",
        "points": lambda i, s, t: f"{i}\n{cue(s, '.')}\n{t}\n\n",
        "no blanks beside the arrow": lambda i, s, t: f"{i}\n{cue(s, ',', '-->')}\n{t}\n\n",
        "many blanks beside the arrow": lambda i, s, t: f"{i}\n{cue(s, ',', '   -->   ')}\n{t}\n\n",
        "a text of digits": lambda i, s, t: f"{i}\n{cue(s, ',')}\n{i + 1}\n{i}\n",
        "a text with an arrow": lambda i, s, t: f"{i}\n{cue(s, ',')}\nA --> B\n\n",
        "a text with times": lambda i, s, t: f"{i}\n{cue(s, ',')}\nfrom 00:00:01,000 to 00:00:02,000 it rings\n\n",
        "numbers in no order": lambda i, s, t: f"{99 - i}\n{cue(s, ',')}\n{t}\n\n",
        "the number 7.": lambda i, s, t: f"{i}.\n{cue(s, ',')}\n{t}\n\n",
        "no fraction": lambda i, s, t: f"{i}\n{cue(s, '')}\n{t}\n\n",
        "minutes and seconds alone": lambda i, s, t: f"{i}\n{cue(s, ',', hours=False)}\n{t}\n\n",
    }
    for kind, write in kinds.items():
        for count in (1, 2, 5):
            spans = some_spans(count)
            if kind == "no fraction":
                spans = ((1000, 2000), (4000, 7000), (9000, 11000), (12000, 20000), (30000, 31000))[:count]
            text = cues(spans, write)
            case = Case("SubRip", kind, "srt", b"", spans, parsers=("srt", "pysubs2"))
            yield from files(case, text)
            yield replace(case, data=text.rstrip("\n").encode(), kind=kind)
    first = f"1\n{cue((1000, 2000), ',')}\none\n"
    for kind, text, line in [
        ("a torn number", f"{first}\n2\ntwo\n", 5), ("a torn time", f"{first}\n2\n00:00:03,000 -->\n", 6),
        ("another arrow", f"{first}2\n00:00:03,000 -> 00:00:04,000\ntwo\n", 5),
        ("no time", f"{first}2\n00:00:03,000 --> soon\n", 5), ("0:03", f"{first}2\n0:03 --> 0:04\n", 5),
        ("minute 60", f"{first}2\n00:60:03,000 --> 02:00:00,000\n", 5),
        ("a short fraction", f"{first}2\n00:00:03,5 --> 00:00:04,000\n", 5),
        ("no cue at all", "words\n", 1), ("the end before the start", f"1\n{cue((2000, 1000), ',')}\n", 2),
    ]:
        for ends in ("LF", "CR LF", "CR"):
            yield Case("SubRip", kind, "srt", with_ends(text, ends), None, line)


def web_vtt() -> Iterator[Case]:
    def body(spans: tuple[Span, ...], between: str = "\n", before: str = "", **options) -> str:
        return between.join(f"{before}{cue(span, '.', **options)}\n{RANDOM.choice(TEXTS)}\n" for span in spans)

    def kinds(spans: tuple[Span, ...]) -> dict[str, str]:
        cues = body(spans)
        return {
            "as it should be": f"WEBVTT\n\n{cues}",
            "a cue behind the header": f"WEBVTT\n{cues}",
            "a cue behind a title": f"WEBVTT - a title\n{cues}",
            "metadata in the header": f"WEBVTT\nKind: captions\nLanguage: en\n\n{cues}",
            "a named cue behind the header": f"WEBVTT\nKind: captions\nfirst\n{cues}",
            "no empty line": "WEBVTT\n\n" + body(spans, ""),
            "no empty line anywhere": "WEBVTT\n" + body(spans, ""),
            "names": "WEBVTT\n\n" + body(spans, before="a name - 7\n"),
            "numbers without empty lines": "WEBVTT\n\n" + body(spans, "", before="7\n"),
            "settings": "WEBVTT\n\n" + body(spans, after=" align:start position:10%,line-left size:35%"),
            "no hours": "WEBVTT\n\n" + body(spans, hours=False),
            "no blanks beside the arrow": "WEBVTT\n\n" + body(spans, arrow="-->"),
            "tabs beside the arrow": "WEBVTT\n\n" + body(spans, arrow="\t-->\t"),
            "a map to 0": f"WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n{cues}",
            # RFC 8216, 3.5: where the recording begins on the clock of the stream stands in the stream.
            "a map to a stream": f"WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n\n{cues}",
            "a cue behind a map": f"WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n{cues}",
            "comments": f"WEBVTT\n\nNOTE a comment\nof two lines\n\nNOTE\n\n{cues}\nNOTE the end\n",
            "comments with times": f"WEBVTT\n\nNOTE 00:50.000 --> 00:59.000\nis cut\n\n{cues}",
            "a cue behind a comment": f"WEBVTT\n\nNOTE a comment\n{cues}",
            "styles and regions": f"WEBVTT\n\nSTYLE\n::cue {{ color: red }}\n\nREGION\nid:x\nwidth:40%\n\n{cues}",
            "a cue behind a style": f"WEBVTT\n\nSTYLE\n::cue {{ color: red }}\n{cues}",
            "a name of several lines": f"WEBVTT\n\n1\n2\n3\n{cues}",
            "joined segments": f"WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n{cues}\n"
            + "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n" + cues,
            "an empty line before the header": f"\nWEBVTT\n\n{cues}",
            "voices": "WEBVTT\n\n" + "\n".join(f"{cue(span, '.')}\n<v Anna>said</v>\n" for span in spans),
        }

    for count in (1, 2, 5):
        spans = some_spans(count)
        for kind, text in kinds(spans).items():
            case = Case("WebVTT", kind, "vtt", b"", spans, parsers=("webvtt-py", "pysubs2"))
            yield from files(case, text)
            yield replace(case, data=text.rstrip("\n").encode())
    for kind, text, line in [
        ("no header", "words\n", 1), ("no time", "WEBVTT\n00:01.000 --> soon\n", 2),
        ("minute 60", "WEBVTT\n\n60:01.000 --> 61:00.000\n", 3), ("a torn number", "WEBVTT\n\n1\nwords\n", 3),
        ("another arrow", "WEBVTT\n\n00:01.000 -> 00:02.000\n", 3),
        ("a comment that became a cue", "WEBVTT\n\nNOTE\n00:01.000 --> 00:02.000\nx\n00:03.000 --> x\n", 6),
        ("another map", "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:1,LOCAL:0\n\nWEBVTT\nX-TIMESTAMP-MAP=MPEGTS:2,LOCAL:0\n", 5),
    ]:
        for ends in ("LF", "CR LF", "CR"):
            yield Case("WebVTT", kind, "vtt", with_ends(text, ends), None, line)


# MARK: Tiers and tables

# As the aligners write them; the sources are in SilenceMarks.swift.
MARKS = [
    "", "<p:>", "<p>", "#", "<eps>", "<sil>", "<SIL>", "sil", "SIL", "sp", "pau", "epi", "h#", "_", "silence", "silent",
    "silB", "silE", "<s>", "</s>", "!SIL", "{SL}", "ssil", "+", "[silence]", "<pause>", "(pause)", "(.)", "(--)",
    "non-speech",
]
SPEECH = ["silly", "pause", "a", "<unk>", "spn", "sil sp", "one"]


def tiled(spans: tuple[Span, ...], speech: str, silence: str) -> list[tuple[int, int, str]]:
    """Returns intervals that cover the whole recording."""
    intervals, position = [], 0
    for start, end in spans:
        intervals += [(position, start, silence), (start, end, speech)]
        position = end
    return [*intervals, (position, LENGTH, silence)]


def seconds(time: int) -> str:
    return f"{time / 1000:.3f}"


def long_grid(tiers: list[list[tuple[int, int, str]]]) -> str:
    text = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0 \nxmax = 60 \ntiers? <exists> \n'
    text += f"size = {len(tiers)} \nitem []: \n"
    for number, tier in enumerate(tiers, 1):
        text += f'    item [{number}]:\n        class = "IntervalTier" \n        name = "tier {number}" \n'
        text += f"        xmin = 0 \n        xmax = 60 \n        intervals: size = {len(tier)} \n"
        for index, (start, end, label) in enumerate(tier, 1):
            label = label.replace('"', '""')
            text += f"        intervals [{index}]:\n            xmin = {seconds(start)} \n"
            text += f'            xmax = {seconds(end)} \n            text = "{label}" \n'
    return text


def short_grid(tiers: list[list[tuple[int, int, str]]]) -> str:
    text = f'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n60\n<exists>\n{len(tiers)}\n'
    for number, tier in enumerate(tiers, 1):
        text += f'"IntervalTier"\n"tier {number}"\n0\n60\n{len(tier)}\n'
        for start, end, label in tier:
            label = label.replace('"', '""')
            text += f'{seconds(start)}\n{seconds(end)}\n"{label}"\n'
    return text


def text_grids() -> Iterator[Case]:
    parsers = ("praatio", "textgrid", "Praat")
    for mark in MARKS:
        spans = some_spans(3)
        case = Case("TextGrid", f"silence is {mark or 'empty'}", "TextGrid", b"", spans, length=LENGTH,
                    marks=frozenset({mark, ""}), parsers=parsers)
        for write in (long_grid, short_grid):
            yield replace(case, data=write([tiled(spans, "one", mark)]).encode())
    for text in SPEECH:
        spans = some_spans(3)
        yield Case("TextGrid", f"speech is {text}", "TextGrid", long_grid([tiled(spans, text, "")]).encode(), spans,
                   length=LENGTH, marks=frozenset({""}), parsers=parsers)
    for write in (long_grid, short_grid):
        spans, others = some_spans(4), some_spans(2)
        grid = write([tiled(spans, 'she said "5"', "<p:>"), tiled(others, "zwölf", "")])
        yield from files(Case("TextGrid", "line ends and encodings", "TextGrid", b"", spans + others, length=LENGTH,
                              marks=frozenset({"", "<p:>"}), parsers=parsers), grid)
        added = ("--silence", "<breath>")
        grid = write([tiled(spans, "one", "<breath>")]).encode()
        yield Case("TextGrid", "a mark of --silence", "TextGrid", grid, spans, options=added, length=LENGTH,
                   marks=frozenset({"<breath>"}), parsers=parsers)
    whole = long_grid([tiled(((1000, 2000),), "one", "")])
    for kind, text, line in [
        ("torn", whole[: whole.index("intervals [3]")], 23),
        ("no number", whole.replace("xmax = 2.000", "xmax = x"), 22),
    ]:
        for ends in ("LF", "CR LF", "CR"):
            yield Case("TextGrid", kind, "TextGrid", with_ends(text, ends), None, line)


def eaf(spans: tuple[Span, ...], media: list[str], texts: list[str]) -> str:
    """Returns a file with the times of ELAN's time line."""
    times = [time for span in spans for time in span]
    slots = "\n".join(f'<TIME_SLOT TIME_SLOT_ID="ts{i}" TIME_VALUE="{time}"/>' for i, time in enumerate(times, 1))
    annotations = "\n".join(
        f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{i}"'
        f' TIME_SLOT_REF1="ts{2 * i + 1}" TIME_SLOT_REF2="ts{2 * i + 2}">'
        f"<ANNOTATION_VALUE>{escape(text)}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
        for i, text in enumerate(texts))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="2018-02-22T00:00:00+00:00" FORMAT="3.0" VERSION="3.0"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
 xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">
<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">{''.join(media)}</HEADER>
<TIME_ORDER>{slots}</TIME_ORDER>
<TIER LINGUISTIC_TYPE_REF="default-lt" TIER_ID="A">{annotations}</TIER>
<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true" GRAPHIC_REFERENCES="false"/>
</ANNOTATION_DOCUMENT>
"""


def medium(name: str, kind: str, origin: int | None = None) -> str:
    attribute = "" if origin is None else f' TIME_ORIGIN="{origin}"'
    return f'<MEDIA_DESCRIPTOR MEDIA_URL="file:///x/{name}" MIME_TYPE="{kind}"{attribute}/>'


def elan() -> Iterator[Case]:
    def moved(spans: tuple[Span, ...], by: int) -> tuple[Span, ...]:
        return tuple((max(0, start + by), end + by) for start, end in spans if end + by > 0)

    sound, video = ("x.wav", "audio/x-wav"), ("x.mp4", "video/mp4")
    kinds: list[tuple[str, list[str], int, int]] = [
        ("no medium", [], 0, 0), ("no TIME_ORIGIN", [medium(*sound)], 0, 0),
        *[(f"TIME_ORIGIN {origin}", [medium(*sound, origin)], 0, origin)
          for origin in (0, 10, 1000, 12340, -500, -20000)],
        ("two media in step", [medium(*video, 700), medium(*sound, 700)], 1, 700),
        ("the sound is the second medium", [medium(*video, 3000), medium(*sound, 1000)], 1, 1000),
        ("the sound is the first medium", [medium(*sound, 1000), medium(*video, 3000)], 0, 1000),
        ("the sound has no TIME_ORIGIN", [medium(*video, 3000), medium(*sound)], 1, 0),
        ("two videos", [medium(*video, 200), medium("y.mp4", "video/mp4", 900)], 0, 200),
        ("the name tells the medium", [medium(*sound, 200), medium("file.mp4", "video/mp4", 900)], 1, 900),
    ]
    for kind, media, chosen, origin in kinds:
        spans = some_spans(4)
        case = Case("ELAN", kind, "eaf", b"", moved(spans, origin), medium=chosen, parsers=("pympi-ling",))
        yield from files(case, eaf(spans, media, RANDOM.choices(TEXTS, k=4)))
    for mark in MARKS[1:]:
        spans = some_spans(3)
        text = eaf(spans, [medium(*sound, 100)], ["one", mark, "two"])
        yield Case("ELAN", f"silence is {mark}", "eaf", text.encode(), moved((spans[0], spans[2]), 100),
                   marks=frozenset({mark}), parsers=("pympi-ling",))
    for ends in ("LF", "CR LF", "CR"):
        yield Case("ELAN", "a wrong TIME_ORIGIN", "eaf", with_ends(
            eaf(((1000, 2000),), [medium(*sound).replace("/>", ' TIME_ORIGIN="1 s"/>')], ["x"]), ends), None, 5)


def tables() -> Iterator[Case]:
    def audacity(spans: tuple[Span, ...], texts: list[str]) -> str:
        return "".join(f"{seconds(s)}\t{seconds(e)}\t{text}\n" for (s, e), text in zip(spans, texts))

    def rttm(spans: tuple[Span, ...], texts: list[str]) -> str:
        return "".join(f"SPEAKER file 1 {seconds(s)} {seconds(e - s)} <NA> <NA> {text} <NA> <NA>\n"
                       for (s, e), text in zip(spans, texts))

    def table(separator: str) -> Callable[[tuple[Span, ...], list[str]], str]:
        def write(spans: tuple[Span, ...], texts: list[str]) -> str:
            file = io.StringIO()
            rows = csv.writer(file, delimiter=separator, lineterminator="\n")
            rows.writerow(["label", "start", "end"])
            rows.writerows([text, seconds(s), seconds(e)] for (s, e), text in zip(spans, texts))
            return file.getvalue()
        return write

    formats = [
        ("Audacity", "txt", audacity), ("RTTM", "rttm", rttm), ("CSV", "csv", table(",")), ("TSV", "tsv", table("\t")),
    ]
    for form, ending, write in formats:
        for count in (1, 2, 6):
            spans = some_spans(count)
            text = write(spans, ["one", "zwölf", "3", "x", "two", "1984"][:count])
            yield from files(Case(form, "line ends and encodings", ending, b"", spans, parsers=(form,)), text)
            yield Case(form, "no last line end", ending, text.rstrip("\n").encode(), spans, parsers=(form,))
        for mark in [mark for mark in MARKS[1:] if form != "RTTM"]:
            spans = some_spans(3)
            text = write(spans, ["one", mark, "two"])
            yield Case(form, f"silence is {mark}", ending, text.encode(), (spans[0], spans[2]),
                       marks=frozenset({mark}), parsers=(form,))
        for text in SPEECH[:4] + ["SP", "sil"] * (form == "RTTM"):
            spans = some_spans(2)
            yield Case(form, f"speech is {text}", ending, write(spans, [text, "x"]).encode(), spans, parsers=(form,))
        spans = some_spans(3)
        for ends in ("LF", "CR LF", "CR"):
            data = with_ends(write(spans, ["one", "Noise", "two"]), ends)
            yield Case(form, "a mark of --silence", ending, data, (spans[0], spans[2]), options=("--silence", "noise"),
                       marks=frozenset({"Noise"}), parsers=(form,))
            bad = write(((0, 1000), (2000, 3000), (4000, 5000)), ["one"] * 3).replace("2.000", "2,0")
            yield Case(form, "no number", ending, with_ends(bad, ends), None, {"CSV": 3, "TSV": 3}.get(form, 2))


# MARK: The parsers


def milliseconds(time: float) -> int:
    return round(float(time) * 1000)


def read_srt(case: Case, path: Path) -> list[Span]:
    found = srt.parse(decoded(case.data))
    return [(milliseconds(c.start.total_seconds()), milliseconds(c.end.total_seconds())) for c in found]


def read_pysubs2(case: Case, path: Path) -> list[Span]:
    return [(c.start, c.end) for c in pysubs2.SSAFile.from_string(decoded(case.data), format_=case.ending)]


def read_webvtt(case: Case, path: Path) -> list[Span]:
    return [(milliseconds(c.start_in_seconds) + c.start_time.milliseconds,
             milliseconds(c.end_in_seconds) + c.end_time.milliseconds)
            for c in webvtt.from_string(decoded(case.data))]


def speech(intervals: Iterator[tuple[float, float, str]], case: Case) -> list[Span]:
    return [(milliseconds(start), milliseconds(end))
            for start, end, text in intervals if text.strip() not in case.marks]


def read_praatio(case: Case, path: Path) -> list[Span]:
    grid = praatio.textgrid.openTextgrid(str(path), includeEmptyIntervals=True)
    return speech(((i[0], i[1], i[2]) for tier in grid.tiers for i in tier.entries), case)


def read_textgrid(case: Case, path: Path) -> list[Span]:
    grid = textgrid.TextGrid.fromFile(str(path))
    return speech(((i.minTime, i.maxTime, i.mark) for tier in grid for i in tier), case)


def read_praat(case: Case, path: Path) -> list[Span]:
    grid = parselmouth.read(str(path))
    return speech((
        (praat(grid, "Get start time of interval", tier, number), praat(grid, "Get end time of interval", tier, number),
         praat(grid, "Get label of interval", tier, number))
        for tier in range(1, praat(grid, "Get number of tiers") + 1)
        for number in range(1, praat(grid, "Get number of intervals", tier) + 1)), case)


def read_pympi(case: Case, path: Path) -> list[Span]:
    """pympi gives the times of ELAN's time line and TIME_ORIGIN, and leaves it to the caller to add them."""
    found = pympi.Eaf(str(path))
    media = found.media_descriptors
    origin = int(media[case.medium].get("TIME_ORIGIN", 0)) if media else 0
    return [(max(0, item[0] + origin), item[1] + origin) for item in found.get_annotation_data_for_tier("A")
            if item[2] not in case.marks and item[1] + origin > 0]


def read_rows(case: Case, path: Path) -> list[Span]:
    if case.form == "Audacity":  # the manual's grammar
        rows = [line.split("\t") for line in decoded(case.data).splitlines()]
        intervals = [(float(row[0]), float(row[1]), row[2]) for row in rows]
    elif case.form == "RTTM":  # the evaluation plan's grammar
        rows = [line.split() for line in decoded(case.data).splitlines()]
        intervals = [(float(row[3]), float(row[3]) + float(row[4]), row[7]) for row in rows]
    else:
        table = csv.DictReader(io.StringIO(decoded(case.data)), delimiter="," if case.form == "CSV" else "\t")
        intervals = [(float(row["start"]), float(row["end"]), row["label"]) for row in table]
    return speech(iter(intervals), case)


PARSERS: dict[str, Callable[[Case, Path], list[Span]]] = {
    "srt": read_srt, "pysubs2": read_pysubs2, "webvtt-py": read_webvtt, "praatio": read_praatio,
    "textgrid": read_textgrid, "Praat": read_praat, "pympi-ling": read_pympi, "Audacity": read_rows, "RTTM": read_rows,
    "CSV": read_rows, "TSV": read_rows,
}


# MARK: The check


def complaint(case: Case, path: Path, truth: Path) -> str | None:
    """Returns what vadmon does wrong."""
    run = subprocess.run([VADMON, "compare", path, truth, "--resamples", "0", "--format", "json", *case.options],
                         capture_output=True, text=True)
    if case.spans is None:
        if run.returncode == 65 and f"{path.name}, line {case.line}:" in run.stderr:
            return None
        return f"must be refused at line {case.line}, but ended with {run.returncode}: {run.stderr.strip()}"
    if run.returncode != 0:
        return f"is refused: {run.stderr.strip()}"
    figures = json.loads(run.stdout)["pooled"]
    count = len(united(case.spans))
    if figures["segments_labelled"] != count or count > 0 and figures["f1"] != 1:
        found = f"{figures['segments_labelled']} segments of {figures['speech_seconds']} s"
        return f"has {found} instead of {united(case.spans)}"
    if case.length is not None and milliseconds(figures["duration"]) != case.length:
        return f"is {figures['duration']} s long instead of {case.length / 1000}"
    return None


def check(number: int, case: Case, work: Path) -> tuple[list[str], list[str]]:
    """Returns the complaints, and the parsers that found what is right."""
    folder = work / str(number)
    folder.mkdir()
    path, truth = folder / f"file.{case.ending}", folder / "truth.csv"
    path.write_bytes(case.data)
    truth.write_text("start,end\n" + "".join(f"{seconds(s)},{seconds(e)}\n" for s, e in united(case.spans or ())))
    wrong = complaint(case, path, truth)
    complaints = [f"vadmon: {wrong}"] if wrong else []
    right = []
    for name in case.parsers:
        try:
            found: object = united(PARSERS[name](case, path))
        except Exception as error:  # What a parser raises is its own affair.
            found = f"{type(error).__name__}: {error}"
        if found == united(case.spans or ()):
            right.append(name)
        elif (name, case.kind) not in REASONS:
            complaints.append(f"{name}: finds {found} instead of {united(case.spans or ())}, without a reason")
    return [f"{case.form}, {case.kind}: {text}\n    {case.data!r:.400}" for text in complaints], right


def stale_reasons(cases: list[Case], agreed: Counter[tuple[str, str, str]]) -> list[str]:
    """Returns the reasons that explain nothing."""
    counts = Counter((case.kind, parser) for case in cases for parser in case.parsers)
    right: Counter[tuple[str, str]] = Counter()
    for (_, kind, parser), count in agreed.items():
        right[kind, parser] += count
    return [f"{parser}: the reason for '{kind}' is not needed" for parser, kind in REASONS
            if counts[kind, parser] == right[kind, parser]]


def main() -> None:
    cases = [*subrip(), *web_vtt(), *text_grids(), *elan(), *tables()]
    counts: Counter[tuple[str, str]] = Counter()
    agreed: Counter[tuple[str, str, str]] = Counter()
    complaints: list[str] = []
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda pair: check(*pair, Path(name)), enumerate(cases))
        for case, (wrong, right) in zip(cases, results):
            kind = re.sub(r"^(silence|speech) is .*", r"texts of \1", case.kind)
            complaints += wrong
            counts[case.form, kind if case.spans is not None else f"refused: {kind}"] += 1
            for parser in right:
                agreed[case.form, kind, parser] += 1
    complaints += stale_reasons(cases, agreed)
    for (form, kind), count in counts.items():
        parsers = [f"{parser} {number}" for (f, k, parser), number in agreed.items() if (f, k) == (form, kind)]
        reasons = [f"{parser}: {why}" for (parser, k), why in REASONS.items() if k == kind and any(
            case.form == form and parser in case.parsers for case in cases)]
        print(f"{form:9} {kind:36} {count:4}  {', '.join(parsers + reasons)}".rstrip())
    print(f"{len(cases)} files in {len(counts)} kinds, {len(complaints)} differences")
    for text in complaints:
        print(text, file=sys.stderr)
    sys.exit(1 if complaints else 0)


VADMON = sys.argv[1]

if __name__ == "__main__":
    main()
