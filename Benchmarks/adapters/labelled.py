"""Recordings with their labels, and how well turns match them."""

import sys
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import numpy
import soundfile
import soxr

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
RATE_HZ = 16000  # which every VAD here takes
CHUNK = RATE_HZ // 50


@dataclass
class Recording:
    name: str
    pcm: numpy.ndarray  # 16-bit, with a second of silence after it, in which the last turn can end
    labels: list[tuple[float, float]]  # start and end of speech, in seconds


def recordings(folders: list[Path]) -> list[Recording]:
    tracks = [labels for folder in folders for labels in sorted(folder.glob("*.txt")) if _audio(labels)]
    if not tracks:
        sys.exit(f"compare: no audio file with a label track NAME.txt beside it in {', '.join(map(str, folders))}")
    return [_read(labels) for labels in tracks]


def _audio(labels: Path) -> Path | None:
    return next((path for path in labels.parent.glob(labels.stem + ".*") if path.suffix in (".flac", ".wav")), None)


def _read(labels: Path) -> Recording:
    file = _audio(labels)
    assert file
    samples, rate_hz = soundfile.read(file, dtype="float32", always_2d=True)
    samples = soxr.resample(samples.mean(axis=1), rate_hz, RATE_HZ)
    pcm = numpy.clip(numpy.rint(samples * 32768), -32768, 32767).astype(numpy.int16)
    spans = [line.split("\t")[:2] for line in labels.read_text().splitlines()]
    return Recording(
        labels.stem,
        numpy.concatenate([pcm, numpy.zeros(RATE_HZ, numpy.int16)]),
        [(float(start), float(end)) for start, end in spans],
    )


@dataclass
class Score:
    """How turns match labels. A turn is the times, in seconds, at which its start and its end were told."""

    labelled: int = 0
    found: int = 0  # labels of which a turn began: neither missed nor joined with another
    false: int = 0  # turns that contain no labelled speech
    split: int = 0  # turns beyond the first of a label
    start_delays: list[float] = field(default_factory=list)
    end_delays: list[float] = field(default_factory=list)
    microseconds: float = 0  # of processor
    seconds: float = 0  # of sound

    def add(self, recording: Recording, turns: list[tuple[float, float]]) -> None:
        """Counts a turn for the last label that had begun when its start was told, or was to begin within 0.1 s."""
        self.seconds += len(recording.pcm) / RATE_HZ
        self.labelled += len(recording.labels)
        of_label: dict[tuple[float, float], list[tuple[float, float]]] = {}
        for told in turns:
            begun = [label for label in recording.labels if label[0] - 0.1 <= told[0] < label[1] + 0.5]
            if begun:
                of_label.setdefault(begun[-1], []).append(told)
            else:
                self.false += 1
        for (start, end), told in of_label.items():
            self.found += 1
            self.split += len(told) - 1
            self.start_delays.append(told[0][0] - start)
            following = [label[0] for label in recording.labels if label[0] > start]
            if not following or told[-1][1] < following[0]:
                self.end_delays.append(told[-1][1] - end)

    def row(self, name: str) -> str:
        delays = (f"{median(part) * 1000:.0f}" for part in (self.start_delays, self.end_delays))
        of_hop = self.microseconds / self.seconds / 100
        cells = [name, f"{self.found} of {self.labelled}", self.false, self.split, *delays, f"{of_hop:.1f}"]
        return "| " + " | ".join(map(str, cells)) + " |"


HEADER = """\
| | turns found | false | split | start delay, ms | end delay, ms | processor, µs for 10 ms |
|---|--:|--:|--:|--:|--:|--:|"""
