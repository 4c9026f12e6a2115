"""Segments as faster-whisper's filters find them."""

import time

import numpy
from faster_whisper import vad
from labelled import RATE_HZ, Recording, Score

from voiceactivity.adapters import faster_whisper

OPTIONS = vad.VadOptions(min_silence_duration_ms=200, speech_pad_ms=0)


async def measure(recordings: list[Recording]) -> dict[str, Score]:
    kinds = {
        "faster-whisper: its filter": vad.get_speech_timestamps,
        "faster-whisper: **faster_whisper**": faster_whisper.get_speech_timestamps,
    }
    scores = {name: Score() for name in kinds}
    for name, find in kinds.items():
        find(numpy.zeros(RATE_HZ, numpy.float32), OPTIONS)  # which loads the model
        for recording in recordings:
            audio = recording.pcm.astype(numpy.float32) / 32768
            used = time.process_time()
            found = find(audio, OPTIONS)
            scores[name].microseconds += (time.process_time() - used) * 1e6
            scores[name].add(recording, [(each["start"] / RATE_HZ, each["end"] / RATE_HZ) for each in found])
    return scores
