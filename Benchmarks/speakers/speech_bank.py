"""Phrases of sixteen talkers, synthesised once by espeak-ng and cached; and coughs."""

import concurrent.futures
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Training"))
from synthesis import animals  # noqa: E402  (the training's sounds: coughs computed from seeded noise)

RATE = 16000

SENTENCES = (
    "Let us go through the open points, one by one.",
    "I looked at the numbers yesterday, and they are better than last month.",
    "The second plan costs more, but it is done by spring.",
    "We should ask the people who use it every day.",
    "What happens when the line is slow?",
    "My suggestion is to keep the old one until the new one has run for a week.",
    "That is what the customer wrote in the letter.",
    "Could you show the picture once more, please?",
    "I am not sure that this is the right order.",
    "The test fails on the small machine, and only there.",
    "We measured it twice, with the same result both times.",
    "Perhaps we can meet again on Thursday morning.",
    "It was late, so nobody noticed the difference.",
    "Then the battery lasts about nine hours.",
    "If you ask me, the handle is too short and the lid is too heavy.",
    "There are three reasons why I would rather wait.",
    "Nobody has answered the question from the other team.",
    "So we agree on the colour, and the shape stays open.",
    "The train was full, which is why I am late.",
    "Please write down who does what, and until when.",
)
BACKCHANNELS = ("Mhm.", "Yeah.", "Right.", "Okay.", "Uh huh.", "Sure.", "I see.", "Yes, yes.")

# Voice, words a minute, pitch 0 … 99.
TALKERS = (
    ("en-us", 160, 45), ("en-us+f3", 165, 55), ("en-gb", 150, 40), ("en-gb+f4", 170, 60),
    ("en-gb-scotland", 155, 50), ("en-us+m3", 175, 35), ("en-gb-x-rp", 150, 45), ("en-us+f2", 180, 65),
    ("en-us+m7", 145, 30), ("en-gb+f1", 160, 70), ("en-us+m1", 185, 50), ("en-us+f5", 155, 45),
    ("en-gb+m5", 165, 55), ("en-us-nyc", 170, 40), ("en-gb+m2", 140, 45), ("en-us+f4", 175, 50),
)


def trimmed(x):
    """Returns x without the parts at both ends that are 40 dB or more below its loudest 10 ms."""
    hops = x[: len(x) // 160 * 160].reshape(-1, 160)
    power = (hops**2).mean(axis=1)
    loud = np.flatnonzero(power > power.max() * 1e-4)
    return x[loud[0] * 160 : (loud[-1] + 1) * 160]


def spoken(task):
    """Synthesises one phrase at 16 kHz with RMS 1."""
    (voice, speed, pitch), text = task
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.wav")
        subprocess.run(["espeak-ng", "-v", voice, "-s", str(speed), "-p", str(pitch), "-w", path, text], check=True)
        raw = subprocess.run(
            ["sox", "-D", path, "-t", "raw", "-e", "signed", "-b", "16", "-", "gain", "-3", "rate", "-h", str(RATE)],
            check=True, capture_output=True).stdout
    x = trimmed(np.frombuffer(raw, "<i2") / 32768)
    return (x / np.sqrt((x**2).mean())).astype(np.float32)


class SpeechBank:
    """`sentences[talker]` and `backchannels[talker]` are lists of phrases, each with RMS 1."""

    def __init__(self, cache):
        path = Path(cache, "phrases.npz")
        if not path.exists():
            tasks = [(talker, text) for talker in TALKERS for text in SENTENCES + BACKCHANNELS]
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                phrases = list(pool.map(spoken, tasks))
            path.parent.mkdir(parents=True, exist_ok=True)
            np.savez(path, *phrases)
        with np.load(path) as kept:
            phrases = [kept[f"arr_{i}"] for i in range(len(kept.files))]
        size = len(SENTENCES) + len(BACKCHANNELS)
        rows = [phrases[i : i + size] for i in range(0, len(phrases), size)]
        self.sentences = [row[: len(SENTENCES)] for row in rows]
        self.backchannels = [row[len(SENTENCES) :] for row in rows]


def cough(rng):
    """Returns a bout of coughs with peak 1, at most 1.2 s long."""
    x = animals.cough(rng)[: round(1.2 * RATE)]
    return (x / np.abs(x).max()).astype(np.float32)
