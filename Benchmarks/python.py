#!/usr/bin/env python3
"""Measures the Python package beside webrtcvad, and prints a table in Markdown:

  .build-python/python/bin/python Benchmarks/python.py    after `make python`

A time is the least processor time of several rounds, in which both take turns, so that what else the machine does
counts little. The ratio to webrtcvad, from the same rounds, is what to compare between machines. Exits with 1 if a
limit is not kept: an import of 20 ms beyond the interpreter, 0.8 µs for a hop of 10 ms in blocks of 100.
"""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import soundfile
import webrtcvad

import voiceactivity
from voiceactivity import Detector

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
ROUNDS = 15
LIMITS = {"import": 20, "hop": 0.8}


def sound(rate_hz: int) -> bytes:
    """Speech in a café, 9 s, as 16-bit samples. Other rates repeat or omit samples, which costs the same."""
    samples, recorded_hz = soundfile.read(SAMPLES / "speech-cafe-10db.flac", dtype="int16")
    return samples.repeat(rate_hz // 8000)[:: recorded_hz // 8000].tobytes()


def cut(pcm: bytes, size: int) -> list[bytes]:
    return [pcm[at : at + size] for at in range(0, len(pcm) - size + 1, size)]


def microseconds(work, chunks: list[bytes], hops: int) -> float:
    start = time.thread_time_ns()
    for chunk in chunks:
        work(chunk)
    return (time.thread_time_ns() - start) / 1000 / hops


def least(works: dict) -> dict:
    """Returns the least of several rounds, in which all take turns."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(ROUNDS):
        for name, measure in works.items():
            best[name] = min(best[name], measure())
    return best


def hop_times(rate_hz: int) -> dict:
    pcm = sound(rate_hz)
    hop = rate_hz // 100 * 2
    hops, blocks = cut(pcm, hop), cut(pcm, 100 * hop)
    ours, vad = Detector(rate_hz), webrtcvad.Vad(2)
    return least(
        {
            "a call for each hop": lambda: microseconds(ours.process, hops, len(hops)),
            "blocks of 100 hops": lambda: microseconds(ours.process, blocks, len(blocks) * 100),
            "webrtcvad": lambda: microseconds(lambda chunk: vad.is_speech(chunk, rate_hz), hops, len(hops)),
        }
    )


def import_times() -> dict:
    """Milliseconds of processor time beyond those of the interpreter, in processes of their own."""

    def spent(code: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000

    codes = {"nothing": "pass", "voiceactivity": "import voiceactivity", "webrtcvad": "import webrtcvad"}
    best = least({name: lambda code=code: spent(code) for name, code in codes.items()})
    return {name: value - best["nothing"] for name, value in best.items()}


def main() -> int:
    os.environ.pop("VA_CPU", None)
    kept = True
    print(f"| Python {sys.version.split()[0]}, {voiceactivity.simd_name()} | voiceactivity | webrtcvad | ratio |")
    print("|---|--:|--:|--:|")
    imports = import_times()
    ours, theirs = imports["voiceactivity"], imports["webrtcvad"]
    print(f"| import, ms beyond the interpreter | {ours:.1f} | {theirs:.1f} | |")
    kept &= ours <= LIMITS["import"]
    for rate_hz in (8000, 16000, 48000):
        times = hop_times(rate_hz)
        theirs = times.pop("webrtcvad")
        for name, value in times.items():
            print(f"| {rate_hz // 1000} kHz, µs a hop, {name} | {value:.2f} | {theirs:.2f} | {value / theirs:.2f} |")
        kept &= rate_hz != 16000 or times["blocks of 100 hops"] <= LIMITS["hop"]
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
