"""Turns as pipecat's analyzers tell them."""

import time

from loguru import logger

logger.remove()  # it reports each change of the parameters

from labelled import CHUNK, RATE_HZ, Recording, Score
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADAnalyzer, VADParams, VADState

from voiceactivity.adapters.pipecat import VoiceActivityVADAnalyzer


async def turns(analyzer: VADAnalyzer, recording: Recording, score: Score) -> None:
    analyzer.set_sample_rate(RATE_HZ)
    found: list[tuple[float, float]] = []
    began: float | None = None
    chunks = [recording.pcm[at : at + CHUNK].tobytes() for at in range(0, len(recording.pcm), CHUNK)]
    used = time.process_time()
    for count, chunk in enumerate(chunks, 1):
        state = await analyzer.analyze_audio(chunk)
        if state is VADState.SPEAKING and began is None:
            began = count * CHUNK / RATE_HZ
        elif state is VADState.QUIET and began is not None:
            found.append((began, count * CHUNK / RATE_HZ))
            began = None
    score.microseconds += (time.process_time() - used) * 1e6
    await analyzer.cleanup()
    score.add(recording, found)


async def measure(recordings: list[Recording]) -> dict[str, Score]:
    quiet = VADParams(min_volume=0)
    kinds = {
        "pipecat: SileroVADAnalyzer": SileroVADAnalyzer,
        "pipecat: SileroVADAnalyzer, `min_volume=0`": lambda: SileroVADAnalyzer(params=quiet),
        "pipecat: **VoiceActivityVADAnalyzer**": VoiceActivityVADAnalyzer,
    }
    scores = {name: Score() for name in kinds}
    for name, kind in kinds.items():
        for recording in recordings:
            await turns(kind(), recording, scores[name])
    return scores
