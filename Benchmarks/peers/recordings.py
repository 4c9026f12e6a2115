"""The recordings of a folder, decoded once for all detectors, and their labels."""

import os
import subprocess
import wave
from dataclasses import dataclass
from pathlib import Path

import numpy as np

RATE_HZ = 16000
HOP_SAMPLES = 160  # 10 ms: the grid for all scores
HOP_SECONDS = HOP_SAMPLES / RATE_HZ
ENDINGS = {".wav", ".flac", ".ogg", ".opus", ".mp3", ".m4a", ".aac", ".aif", ".aiff", ".au", ".caf", ".w64"}


class Problem(Exception):
    """An error with one sentence for the user and an exit code."""

    def __init__(self, sentence, code):
        super().__init__(sentence)
        self.code = code


@dataclass
class Recording:
    path: Path  # 16 kHz, one channel, 16 bits: a WAV file
    hops: int  # whole hops only
    speech: np.ndarray | None = None  # a Boolean per hop; None without labels

    @classmethod
    def write(cls, path, samples):
        with wave.open(str(path), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE_HZ)
            file.writeframes(samples.astype("<i2").tobytes())
        return cls(path, len(samples) // HOP_SAMPLES)

    def samples(self, most=None):
        with wave.open(str(self.path)) as file:
            return np.frombuffer(file.readframes(most or file.getnframes()), "<i2")


def decode(path, rate_hz=RATE_HZ):
    """Returns 16-bit samples of the mean of all channels."""
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", f"file:{path}",
               "-map", "0:a:0", "-ac", "1", "-ar", str(rate_hz), "-f", "s16le", "-"]
    run = subprocess.run(command, capture_output=True)
    samples = np.frombuffer(run.stdout[: len(run.stdout) // 2 * 2], "<i2")
    if run.returncode != 0 or len(samples) < HOP_SAMPLES:
        reason = (run.stderr.decode(errors="replace").strip().splitlines() or ["less than 10 ms of sound"])[-1]
        raise Problem(f"{path}: ffmpeg cannot decode it ({reason}); mend it or take it out", os.EX_DATAERR)
    return samples


def read_labels(path, hops):
    """Returns whether the middle of each hop lies in a label. All labels count as speech, whatever their text."""
    speech = np.zeros(hops, bool)
    middles = (np.arange(hops) + 0.5) * HOP_SECONDS
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if not line.strip() or line.startswith("\\"):  # "\" begins a label's range of frequencies
            continue
        try:
            start, end = (float(field) for field in line.split("\t")[:2])
        except ValueError:
            start, end = np.nan, np.nan
        if not 0 <= start <= end:
            raise Problem(f"{path}:{number}: not a label, which is start<TAB>end<TAB>text in seconds", os.EX_DATAERR)
        speech |= (middles >= start) & (middles < end)
    return speech


def decode_folder(folder, target):
    """Decodes every recording below `folder` into `target`, under unique names, and returns them."""
    sources = sorted(path for path in folder.rglob("*") if path.suffix.lower() in ENDINGS and path.is_file())
    if not sources:
        raise Problem(f"{folder}: no recordings there; looked for {' '.join(sorted(ENDINGS))}", os.EX_NOINPUT)
    recordings = []
    for number, source in enumerate(sources):
        recording = Recording.write(target / f"{number:06}.wav", decode(source))
        labels = source.with_suffix(".txt")
        if labels.exists():
            recording.speech = read_labels(labels, recording.hops)
        recordings.append(recording)
    return recordings
