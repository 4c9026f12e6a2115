"""Turns as the VADs of LiveKit Agents tell them."""

import time

from labelled import CHUNK, RATE_HZ, Recording, Score
from livekit import rtc
from livekit.agents import inference, vad

from voiceactivity.adapters import livekit


async def turns(detector: vad.VAD, recording: Recording, score: Score) -> None:
    chunks = [recording.pcm[at : at + CHUNK] for at in range(0, len(recording.pcm), CHUNK)]
    frames = [rtc.AudioFrame(chunk.tobytes(), RATE_HZ, 1, len(chunk)) for chunk in chunks]
    stream = detector.stream()
    found: list[tuple[float, float]] = []
    began = 0.0
    used = time.process_time()
    for frame in frames:
        stream.push_frame(frame)
    stream.end_input()
    async for event in stream:
        if event.type is vad.VADEventType.START_OF_SPEECH:
            began = event.timestamp
        elif event.type is vad.VADEventType.END_OF_SPEECH:
            found.append((began, event.timestamp))
    score.microseconds += (time.process_time() - used) * 1e6
    await stream.aclose()
    score.add(recording, found)


async def measure(recordings: list[Recording]) -> dict[str, Score]:
    kinds = {"LiveKit: inference.VAD": inference.VAD(), "LiveKit: **livekit.VAD**": livekit.VAD()}
    scores = {name: Score() for name in kinds}
    for name, detector in kinds.items():
        for recording in recordings:
            await turns(detector, recording, scores[name])
    return scores
