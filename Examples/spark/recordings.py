"""Recordings to try things at scale on: made of samples/ with sox, the same bytes every time, and some that are bad."""

import itertools
import os
import subprocess
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
ENDINGS = ("flac", "wav", "ogg")
RATES = (8000, 16000, 22050, 44100, 48000)
LEVELS_DB = (0, -6, -20, -40)


def sox(*arguments):
    # -R: dither, where there is any, begins the same each time.
    subprocess.run(["sox", "-R", "-V1", *map(str, arguments)], check=True)


def make_many(folder, count, contents=600):
    """`count` recordings as those of make_good, of which at most `contents` differ in more than their name."""
    good = make_good(folder, min(count, contents))
    made = list(good)
    for index in range(len(good), count):
        source = good[index % len(good)]
        made.append(source.with_name(f"{index:05}-{source.name}"))
        os.link(source, made[-1])
    return made


def make_good(folder, count):
    """`count` recordings of 1 to 6 s, at all levels, in all rates and formats."""
    made = []
    sources = sorted(SAMPLES.glob("*.flac")) + sorted(SAMPLES.glob("*.wav"))
    kinds = itertools.cycle(itertools.product(LEVELS_DB, RATES, ENDINGS))
    for index, (level, rate, ending) in zip(range(count), kinds):
        source = sources[index % len(sources)]
        target = folder / f"{index % 10}" / f"{index:05}-{source.stem}.{ending}"
        target.parent.mkdir(parents=True, exist_ok=True)
        seconds, start = 1 + index * 7 % 51 / 10, index * 13 % 40 / 10
        sox(source, "-r", rate, target, "trim", start, seconds, "gain", level)
        made.append(target)
    return made


def make_long(path, minutes):
    """Ten seconds of speech again and again."""
    sox(SAMPLES / "speech.flac", path, "repeat", minutes * 6 - 1)


def make_bad(folder):
    """Names and contents that have stopped programs before; two of them are good all the same."""
    folder.mkdir()
    whole = (SAMPLES / "speech.flac").read_bytes()
    (folder / "torn.flac").write_bytes(whole[:60_000])
    (folder / "cut-in-the-header.flac").write_bytes(whole[:20])
    (folder / "empty.wav").write_bytes(b"")
    (folder / "notes.wav").write_text("no audio at all\n")
    (folder / "zeros.wav").write_bytes(bytes(100_000))
    (folder / "two\nlines.flac").write_bytes(whole)
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.flac")).write_bytes(whole)
    (folder / "loop.wav").symlink_to("loop.wav")
    (folder / "gone.wav").symlink_to("nowhere.wav")
    os.mkfifo(folder / "pipe.wav")
