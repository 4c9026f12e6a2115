"""Reads the meetings in a folder: recordings with RTTM files that state who speaks when.

A mixed recording has no track for each participant, so one is made: the recording where the RTTM has the participant
speaking (10 ms fades), and noise at -65 dBFS throughout. Where two speak at once, both tracks contain both voices at
the same level, and no track contains another participant's cough or echo. This therefore measures turn-taking in real
speech, but neither levels nor cross-talk. A recording with as many channels as speakers, in the RTTM's order, would not
need the mask, but is masked too.
"""

import os
import subprocess

import numpy as np

from meetings import Meeting, Turn, decibels
from speech_bank import RATE

ENDINGS = (".flac", ".wav", ".ogg", ".opus", ".mp3")
BRIDGED_SECONDS = 0.5  # a shorter pause does not end a turn
TURN_SECONDS = 1.0  # shorter speech is a backchannel, not a turn


class Problem(Exception):
    """An error with one sentence for the user and an exit code."""

    def __init__(self, sentence, code):
        super().__init__(sentence)
        self.code = code


def read_rttm(path):
    """Returns {speaker: [(start, end)]} in seconds, sorted."""
    spans = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fields = line.split()
        if not fields or fields[0] != "SPEAKER":
            continue
        try:
            start, length, name = float(fields[3]), float(fields[4]), fields[7]
        except (ValueError, IndexError):
            start, length, name = np.nan, np.nan, ""
        if not (start >= 0 and length >= 0):
            raise Problem(f"{path}:{number}: not an RTTM line; SPEAKER FILE 1 START LENGTH <NA> <NA> NAME", os.EX_DATAERR)
        spans.setdefault(name, []).append((start, start + length))
    return {name: sorted(spans[name]) for name in sorted(spans)}


def bridged(spans):
    merged = []
    for start, end in spans:
        if merged and start - merged[-1][1] < BRIDGED_SECONDS:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def decode(path):
    command = ["sox", path, "-t", "raw", "-e", "signed", "-b", "16", "-c", "1", "-r", str(RATE), "-"]
    run = subprocess.run(command, capture_output=True)
    if run.returncode != 0:
        raise Problem(f"{path}: sox cannot decode it; mend it or take it out", os.EX_DATAERR)
    return np.frombuffer(run.stdout, "<i2").astype(np.float32) / 32768


def masked(sound, spans, seed):
    fade = np.ones(160) / 160
    mask = np.zeros(len(sound))
    for start, end in spans:
        mask[round(start * RATE) : round(end * RATE)] = 1
    noise = np.random.default_rng(seed).standard_normal(len(sound)) * decibels(-65)
    return (sound * np.convolve(mask, fade, "same") + noise).astype(np.float32)


def read_meeting(rttm):
    audio = next((rttm.with_suffix(e) for e in ENDINGS if rttm.with_suffix(e).exists()), None)
    if audio is None:
        raise Problem(f"{rttm}: no recording beside it; looked for {' '.join(ENDINGS)}", os.EX_NOINPUT)
    speakers, sound = read_rttm(rttm), decode(audio)
    turns = [Turn(who, start, end) for who, spans in enumerate(speakers.values())
             for start, end in bridged(spans) if end - start >= TURN_SECONDS]
    tracks = [masked(sound, spans, seed) for seed, spans in enumerate(speakers.values())]
    return Meeting(rttm.stem, len(tracks), len(sound) / RATE, sorted(turns, key=lambda turn: turn.start), tracks,
                   [False] * len(tracks))


def read_folder(folder):
    files = sorted(folder.rglob("*.rttm"))
    if not files:
        raise Problem(f"{folder}: no .rttm there", os.EX_NOINPUT)
    return [read_meeting(path) for path in files]
