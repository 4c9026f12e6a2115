"""adapters.pipecat in pipecat's own pipeline, with pipecat's test utilities."""

import logging
import unittest
from array import array
from collections.abc import Sequence

from pipecat.audio.vad.vad_analyzer import VADAnalyzer, VADParams, VADState
from pipecat.frames.frames import (
    Frame,
    InputAudioRawFrame,
    SpeechControlParamsFrame,
    VADParamsUpdateFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.pipeline.worker import PipelineParams
from pipecat.processors.audio.vad_processor import VADProcessor
from pipecat.tests.utils import SleepFrame, run_test

from tests.support import read
from voiceactivity.adapters.pipecat import VoiceActivityVADAnalyzer

CONTROLS = (VADUserStartedSpeakingFrame, VADUserStoppedSpeakingFrame)


def setUpModule() -> None:
    # Under unittest, asyncio logs every step that takes 0.1 s, as the first steps of the pipeline do.
    logging.getLogger("asyncio").setLevel(logging.ERROR)


def pcm(name: str, gain: float = 1) -> tuple[int, bytes]:
    """Returns the rate of a recording of samples/ and its 16-bit samples, with a second of silence after them."""
    rate_hz, samples = read(name)
    return rate_hz, array("h", (round(sample * gain * 32767) for sample in samples)).tobytes() + bytes(rate_hz * 2)


def cut(sound: bytes, size: int) -> list[bytes]:
    return [sound[at : at + size] for at in range(0, len(sound), size)]


async def heard_in_pipeline(name: str, first: Sequence[Frame] = ()) -> list[type]:
    """Returns the kinds of frames that a VADProcessor sends downstream."""
    rate_hz, sound = pcm(name)
    audio: list[Frame] = [InputAudioRawFrame(chunk, rate_hz, 1) for chunk in cut(sound, rate_hz // 50 * 2)]
    down, _ = await run_test(
        VADProcessor(vad_analyzer=VoiceActivityVADAnalyzer()),
        frames_to_send=[*first, *audio],
        pipeline_params=PipelineParams(audio_in_sample_rate=rate_hz),
    )
    return [type(frame) for frame in down]


class PipelineTests(unittest.IsolatedAsyncioTestCase):
    async def test_each_labelled_turn_starts_and_stops(self) -> None:
        for name, count in (("speech.flac", 4), ("telephone-8k.wav", 2), ("stereo-48k.flac", 2)):
            with self.subTest(name):
                controls = [kind for kind in await heard_in_pipeline(name) if kind in CONTROLS]
                self.assertEqual(controls, list(CONTROLS) * count)

    async def test_noise_is_no_turn(self) -> None:
        for name in ("keyboard.flac", "music.flac"):
            self.assertFalse(set(CONTROLS) & set(await heard_in_pipeline(name)), name)

    async def test_parameters_that_a_pipeline_sends_hold(self) -> None:
        patient = VADParamsUpdateFrame(params=VADParams(stop_secs=3))
        kinds = await heard_in_pipeline("speech.flac", [patient, SleepFrame()])
        self.assertEqual([kind for kind in kinds if kind in CONTROLS], [VADUserStartedSpeakingFrame])
        self.assertEqual(kinds.count(SpeechControlParamsFrame), 2)


class AnalyzerTests(unittest.IsolatedAsyncioTestCase):
    async def states(self, analyzer: VADAnalyzer, sound: bytes, size: int) -> list[tuple[VADState, int]]:
        """Returns each change between speaking and quiet, and the bytes up to it."""
        changes = [(VADState.QUIET, 0)]
        for count, chunk in enumerate(cut(sound, size), 1):
            state = await analyzer.analyze_audio(chunk)
            if state in (VADState.SPEAKING, VADState.QUIET) and state is not changes[-1][0]:
                changes.append((state, count * size))
        return changes[1:]

    def analyzer(self, rate_hz: int, params: VADParams | None = None) -> VoiceActivityVADAnalyzer:
        analyzer = VoiceActivityVADAnalyzer(params=params)
        analyzer.set_sample_rate(rate_hz)
        return analyzer

    async def test_start_and_stop_come_after_the_seconds_asked_for(self) -> None:
        rate_hz, sound = pcm("muted-talk.flac")
        heard_at: list[float] = []
        for start, stop in ((0.2, 0.2), (0.1, 0.5)):
            analyzer = self.analyzer(rate_hz, VADParams(start_secs=start, stop_secs=stop))
            changes = await self.states(analyzer, sound, rate_hz // 100 * 2)
            (_, started), (_, stopped) = changes[:2]
            heard_at += [started / 2 / rate_hz - start, stopped / 2 / rate_hz - stop]
        self.assertAlmostEqual(heard_at[0], heard_at[2], delta=0.011)
        self.assertAlmostEqual(heard_at[1], heard_at[3], delta=0.011)
        self.assertAlmostEqual(heard_at[0], 0.6, delta=0.06)  # the label of the first turn
        self.assertAlmostEqual(heard_at[1], 3.1, delta=0.06)

    async def test_the_pieces_do_not_matter(self) -> None:
        rate_hz, sound = pcm("speech.flac")
        ends = [
            [(state, at // 3200) for state, at in await self.states(self.analyzer(rate_hz), sound, size)]
            for size in (320, 640, 3200)
        ]
        self.assertEqual([len(each) for each in ends], [8, 8, 8])
        for other in ends[1:]:
            for (state, at), (expected_state, expected_at) in zip(other, ends[0]):
                self.assertIs(state, expected_state)
                self.assertLessEqual(abs(at - expected_at), 1)

    async def test_a_turn_must_reach_the_volume(self) -> None:
        rate_hz, sound = pcm("muted-talk.flac", gain=0.01)  # 40 dB quieter: -63 dBFS
        self.assertEqual(await self.states(self.analyzer(rate_hz), sound, 640), [])
        changes = await self.states(self.analyzer(rate_hz, VADParams(min_volume=0)), sound, 640)
        self.assertEqual(len(changes), 6)

    async def test_every_rate_but_the_impossible_is_taken(self) -> None:
        analyzer = VoiceActivityVADAnalyzer(sample_rate=44100)
        analyzer.set_sample_rate(16000)
        self.assertEqual((analyzer.sample_rate, analyzer.num_frames_required()), (44100, 441))
        self.assertLess(analyzer.voice_confidence(bytes(8820)), 0.5)
        with self.assertRaisesRegex(ValueError, "7000 Hz"):
            VoiceActivityVADAnalyzer().set_sample_rate(7000)


if __name__ == "__main__":
    unittest.main()
