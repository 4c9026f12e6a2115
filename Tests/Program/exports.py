#!/usr/bin/env python3
"""Reads every format of `vadmon analyze` with the parsers of the tools that it is for.

  Tests/Program/exports.py VADMON

Each parser must find the spans of `--format json`, to the millisecond, in the recordings of samples/, by channels, with
muted speech, in an empty recording and under hostile names. What the tools write again must be the same to
`vadmon compare`. The last lines are a table of formats, parsers and verdicts.
"""

from __future__ import annotations

import csv
import importlib.metadata
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import wave
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pandas
import parselmouth
import praatio.textgrid
import pympi
import srt
import textgrid
import webvtt
from parselmouth.praat import call as praat
from pyannote.database.util import load_rttm

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
os.environ["XDG_CONFIG_HOME"] = os.path.abspath("build/no-config")  # without the user's settings
VADMON = sys.argv[1]
MUTED = "speaking while muted"

# A span: what it is, its channel or 0, its start and its end in milliseconds.
Span = tuple[str, int, int, int]
Spans = list[Span]


def vadmon(*arguments: str | Path) -> str:
    run = subprocess.run([VADMON, *map(str, arguments)], capture_output=True, check=True)
    return run.stdout.decode("utf-8")


def milliseconds(seconds: float) -> int:
    """Returns whole milliseconds. A parser may have added a start and a length in binary."""
    time = round(float(seconds) * 1000)
    assert abs(float(seconds) * 1000 - time) < 1e-5, seconds
    return time


def span(label: str, start: float, end: float) -> Span:
    """Returns the span of a label such as `speech (channel 2)`."""
    found = re.fullmatch(rf"(speech|{MUTED})(?: \(channel (\d+)\))?", label)
    assert found, label
    return (found[1], int(found[2] or 0), milliseconds(start), milliseconds(end))


@dataclass
class Case:
    """One run of vadmon."""

    recordings: list[Path]
    options: list[str]

    def write(self, form: str, recording: Path | None = None) -> str:
        names = [recording] if recording else self.recordings
        return vadmon("analyze", "--quiet", "--format", form, *self.options, "--", *names)

    def truth(self) -> dict[str, Spans]:
        """Returns the spans of each recording as the JSON has them."""
        spans = {}
        for file in json.loads(self.write("json"))["files"]:
            lists = [("speech", file["segments"]), (MUTED, file["muted_speech"])]
            spans[file["file"]] = sorted(
                (label, item["channel"] or 0, milliseconds(item["start"]), milliseconds(item["end"]))
                for label, items in lists for item in items
            )
        return spans

    def duration(self, recording: Path) -> int:
        files = json.loads(self.write("json", recording))["files"]
        return milliseconds(files[0]["duration"])


# MARK: Formats that name their recordings


def table_rows(rows: list[dict[str, str]]) -> dict[str, Spans]:
    kinds = {"segment": "speech", "muted_speech": MUTED}
    spans = defaultdict(list)
    for row in rows:
        channel = 0 if row["channel"] in ("", None) else int(float(row["channel"]))
        times = milliseconds(row["start"]), milliseconds(row["end"])
        spans[row["file"]].append((kinds[row["type"]], channel, *times))
    return spans


def python_csv(dialect: str) -> Callable[[Path], dict[str, Spans]]:
    def read(path: Path) -> dict[str, Spans]:
        with path.open(newline="", encoding="utf-8") as file:
            return table_rows(list(csv.DictReader(file, dialect=dialect, strict=True)))
    return read


def pandas_table(separator: str) -> Callable[[Path], dict[str, Spans]]:
    def read(path: Path) -> dict[str, Spans]:
        # The names of files are text, also one that looks like a missing value.
        table = pandas.read_csv(path, sep=separator, dtype=str, keep_default_na=False)
        return table_rows(table.to_dict("records"))
    return read


def pyannote(path: Path) -> dict[str, Spans]:
    """RTTM has no words for channels of a speaker, so pyannote gives none."""
    labels = {"speech": "speech", "muted_speech": MUTED}
    return {
        name: [
            (labels[label], 0, milliseconds(segment.start), milliseconds(segment.end))
            for segment, _, label in annotation.itertracks(yield_label=True)
        ]
        for name, annotation in load_rttm(path).items()
    }


def json_lines(path: Path) -> dict[str, Spans]:
    validator = schema("analyze-lines.json")
    spans = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        validator.validate(record)
        label = {"segment": "speech", "muted_speech": MUTED}.get(record["type"])
        if label:
            times = milliseconds(record["start"]), milliseconds(record["end"])
            spans[record["file"]].append((label, record["channel"] or 0, *times))
    return spans


def json_document(path: Path) -> dict[str, Spans]:
    """The truth itself, so that only its schema is of interest."""
    document = json.loads(path.read_text(encoding="utf-8"))
    schema("analyze.json").validate(document)
    return {
        file["file"]: [
            (label, item["channel"] or 0, milliseconds(item["start"]), milliseconds(item["end"]))
            for label, name in (("speech", "segments"), (MUTED, "muted_speech")) for item in file[name]
        ]
        for file in document["files"]
    }


def schema(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads((ROOT / "docs" / "schemas" / name).read_text()))


# MARK: Formats that hold one recording


def cues(parsed: Iterator[tuple[str, float, float]]) -> Spans:
    return [span(*cue) for cue in parsed]


def python_srt(path: Path) -> Spans:
    items = srt.parse(path.read_text(encoding="utf-8"), ignore_errors=False)
    return cues((item.content, item.start.total_seconds(), item.end.total_seconds()) for item in items)


def ffmpeg(path: Path) -> Spans:
    """What ffmpeg makes of subtitles, as SubRip. It takes a file without cues for none."""
    if "-->" not in path.read_text():
        return []
    command = ["ffmpeg", "-loglevel", "error", "-i", f"file:{path}", "-f", "srt", "-"]
    text = subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8")
    return cues((item.content, item.start.total_seconds(), item.end.total_seconds()) for item in srt.parse(text))


def webvtt_py(path: Path) -> Spans:
    captions = webvtt.read(path)
    return cues((caption.text, caption.start_in_seconds + caption.start_time.milliseconds / 1000,
                 caption.end_in_seconds + caption.end_time.milliseconds / 1000) for caption in captions)


def label_track(path: Path) -> Spans:
    """The grammar in Audacity's manual: start, end and label with tabs between them. Audacity has no parser to install."""
    rows = (line.split("\t") for line in path.read_text().splitlines())
    return cues((label, float(start), float(end)) for start, end, label in rows)


def tiers(grid: list[tuple[str, list[tuple[float, float, str]]]], duration: int) -> Spans:
    """Returns the spans of a TextGrid's tiers, whose intervals must cover the recording."""
    spans = []
    for name, intervals in grid:
        position = 0
        for start, end, text in intervals:
            assert milliseconds(start) == position, (name, start)
            position = milliseconds(end)
            assert text == "" or name.startswith(text), (name, text)
            if text:
                spans.append(span(name, start, end))
        assert position == duration, (name, position, duration)
    return spans


def praat_itself(path: Path, duration: int) -> Spans:
    grid = parselmouth.read(str(path))
    assert milliseconds(grid.xmax) == duration
    return tiers([
        (praat(grid, "Get tier name", tier), [
            (praat(grid, "Get start time of interval", tier, number),
             praat(grid, "Get end time of interval", tier, number),
             praat(grid, "Get label of interval", tier, number))
            for number in range(1, praat(grid, "Get number of intervals", tier) + 1)
        ])
        for tier in range(1, praat(grid, "Get number of tiers") + 1)
    ], duration)


def praatio_grid(path: Path, duration: int) -> Spans | None:
    if duration == 0:
        return None  # praatio refuses the grid of an empty recording, which Praat reads.
    grid = praatio.textgrid.openTextgrid(str(path), includeEmptyIntervals=True, reportingMode="error")
    return tiers([(tier.name, list(tier.entries)) for tier in grid.tiers], duration)


def textgrid_grid(path: Path, duration: int) -> Spans:
    grid = textgrid.TextGrid.fromFile(str(path))
    return tiers([(tier.name, [(i.minTime, i.maxTime, i.mark) for i in tier]) for tier in grid], duration)


def pympi_eaf(path: Path) -> Spans:
    eaf = pympi.Eaf(str(path))
    spans = []
    for name in eaf.get_tier_names():
        for start, end, text in (item[:3] for item in eaf.get_annotation_data_for_tier(name)):
            assert name.startswith(text), (name, text)
            spans.append(span(name, start / 1000, end / 1000))
    return spans


# MARK: What the tools write


def rewritten(work: Path, form: str, path: Path) -> Iterator[tuple[str, Path]]:
    """Yields what tools make of a file: the tool and its file."""
    if form == "rttm":
        for annotation in load_rttm(path).values():
            with (work / "pyannote.rttm").open("w") as file:
                annotation.write_rttm(file)
            yield "pyannote", work / "pyannote.rttm"
    if form == "textgrid":
        grid = parselmouth.read(str(path))
        # Praat writes UTF-16 if a name is not Latin.
        for name, command in [("speech", "Save as text file"), ("話", "Save as short text file")]:
            praat(grid, "Set tier name", 1, name)
            praat(grid, command, str(work / "praat.TextGrid"))
            yield "Praat", work / "praat.TextGrid"
        for form in ["short_textgrid", "long_textgrid"]:
            praatio.textgrid.openTextgrid(str(path), True).save(str(work / "praatio.TextGrid"), form, True)
            yield "praatio", work / "praatio.TextGrid"
        textgrid.TextGrid.fromFile(str(path)).write(str(work / "textgrid.TextGrid"))
        yield "textgrid", work / "textgrid.TextGrid"
    if form == "eaf":
        pympi.Eaf(str(path)).to_file(str(work / "pympi.eaf"))
        yield "pympi-ling", work / "pympi.eaf"
    if form == "srt":
        (work / "srt.srt").write_text(srt.compose(srt.parse(path.read_text())))
        yield "srt", work / "srt.srt"
    if form == "vtt":
        webvtt.read(path).save(str(work / "webvtt.vtt"))
        yield "webvtt-py", work / "webvtt.vtt"
    if form in ("srt", "vtt"):
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", path, work / f"ffmpeg.{form}"], check=True)
        yield "ffmpeg", work / f"ffmpeg.{form}"
    if form == "tsv":
        pandas.read_csv(path, sep="\t").to_csv(work / "pandas.tsv", sep="\t", index=False)
        yield "pandas", work / "pandas.tsv"


# MARK: The check


def version(parser: str) -> str:
    packages = {"pyannote": "pyannote-database", "Praat": "praat-parselmouth"}
    if parser == "ffmpeg":
        return subprocess.run(["ffmpeg", "-version"], capture_output=True, text=True).stdout.split()[2]
    if parser == "the manual's grammar":
        return "–"
    if parser == "csv (Python)":
        return sys.version.split()[0]
    name = importlib.metadata.version(packages.get(parser, parser))
    return f"{parselmouth.PRAAT_VERSION} in parselmouth {name}" if parser == "Praat" else name


NAMING = {
    ("json", "jsonschema"): json_document,
    ("jsonl", "jsonschema"): json_lines,
    ("csv", "csv (Python)"): python_csv("excel"),
    ("csv", "pandas"): pandas_table(","),
    ("tsv", "csv (Python)"): python_csv("excel-tab"),
    ("tsv", "pandas"): pandas_table("\t"),
    ("rttm", "pyannote"): pyannote,
}
SINGLE = {
    ("audacity", "the manual's grammar"): lambda path, _: label_track(path),
    ("srt", "srt"): lambda path, _: python_srt(path),
    ("srt", "ffmpeg"): lambda path, _: ffmpeg(path),
    ("vtt", "webvtt-py"): lambda path, _: webvtt_py(path),
    ("vtt", "ffmpeg"): lambda path, _: ffmpeg(path),
    ("textgrid", "Praat"): praat_itself,
    ("textgrid", "praatio"): praatio_grid,
    ("textgrid", "textgrid"): textgrid_grid,
    ("eaf", "pympi-ling"): lambda path, _: pympi_eaf(path),
}
ENDINGS = {"textgrid": "TextGrid", "audacity": "txt"}
HOSTILE = [
    'it\'s "quoted".wav', "tab\tin.wav", "new\nline.wav", "-dash.wav", ";;semicolon; comma, .wav", "=1+1.wav",
    "grüße-日本語-🎤.wav", "<a&b>%20.wav", "NA.wav", "#hash {brace}.wav", " blanks .wav",
]


def file_id(name: str) -> str:
    """The name of a recording in RTTM, as docs/terminal.md has it."""
    return re.sub(r"[\s\x00-\x1f\x7f]", "_", Path(name).stem).lstrip(";")


def cases(work: Path) -> list[Case]:
    samples = sorted([*SAMPLES.glob("*.flac"), *SAMPLES.glob("*.wav")])
    names = work / "names"
    names.mkdir()
    for name in HOSTILE:
        (names / name).write_bytes((SAMPLES / "telephone-8k.wav").read_bytes())
    for name, frames in [("empty.wav", 0), ("silence.wav", 16000)]:
        with wave.open(str(work / name), "wb") as file:
            file.setparams((1, 2, 16000, frames, "NONE", None))
            file.writeframes(bytes(2 * frames))
    return [
        Case(samples, []),
        Case([SAMPLES / "stereo-48k.flac"], ["--channel", "each", "--min-silence", "0"]),
        Case([SAMPLES / "stereo-48k.flac"], ["--channel", "each", "--muted"]),
        Case([SAMPLES / "muted-talk.flac"], ["--mute-timeline", "0-3.5,6-"]),
        Case([SAMPLES / "speech.flac"], ["--pad", "200ms", "--channel", "1"]),
        Case([names / name for name in HOSTILE], []),
        Case([work / "empty.wav", work / "silence.wav"], []),
    ]


def check(work: Path) -> tuple[dict[tuple[str, str], list[int]], dict[str, set[str]]]:
    """Returns the numbers of recordings and spans that each parser found right, and who wrote which format again."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    again: dict[str, set[str]] = defaultdict(set)

    def equal(key: tuple[str, str], found: Spans, expected: Spans, name: str) -> None:
        assert sorted(found) == sorted(expected), f"{key} {name}: {found} instead of {expected}"
        counts[key][0] += 1
        counts[key][1] += len(expected)

    for case in cases(work):
        truth = case.truth()
        for (form, parser), read in NAMING.items():
            path = work / f"all.{form}"
            path.write_text(case.write(form), encoding="utf-8", newline="")
            found = read(path)
            for name, spans in truth.items():
                if form == "rttm":
                    spans = [(label, 0, start, end) for label, _, start, end in spans]
                    name = file_id(name)
                    if name == "NA":
                        continue  # pyannote reads RTTM with pandas, which takes this name for a missing value.
                equal((form, parser), found.pop(name, []), spans, name)
            assert not found, f"{form} {parser}: {list(found)} are new"
        for recording in case.recordings:
            spans, duration = truth[str(recording)], case.duration(recording)
            truth_path = work / "truth.json"
            truth_path.write_text(case.write("json", recording), encoding="utf-8")
            for form in dict(SINGLE) | dict(NAMING):
                path = work / f"one.{ENDINGS.get(form[0], form[0])}"
                path.write_text(case.write(form[0], recording), encoding="utf-8", newline="")
                found = SINGLE[form](path, duration) if form in SINGLE else None
                if found is not None:
                    equal(form, found, spans, str(recording))
                if any(label == "speech" for label, *_ in spans):
                    vadmon("compare", truth_path, path, "--min", "f1=1", "--resamples", "0")
                    for tool, file in rewritten(work, form[0], path):
                        vadmon("compare", truth_path, file, "--min", "f1=1", "--resamples", "0")
                        again[form[0]].add(tool)
            if any(label == "speech" for label, *_ in spans):
                comparison = vadmon("compare", truth_path, truth_path, "--format", "json")
                schema("compare.json").validate(json.loads(comparison))
                counts["compare json", "jsonschema"][0] += 1
    return counts, again


def main() -> None:
    rows = [("format", "parser", "version", "spans equal to those of JSON", "written again, and read by compare")]
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        counts, again = check(work)
        for (form, parser), (recordings, spans) in counts.items():
            rewrote = "yes" if parser in again[form] else "–"
            verdict = f"{spans} in {recordings} recordings" if spans else f"{recordings} are valid"
            rows.append((form, parser, version(parser), verdict, rewrote))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


if __name__ == "__main__":
    main()
