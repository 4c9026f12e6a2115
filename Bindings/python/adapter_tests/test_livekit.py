"""adapters.livekit beside LiveKit's own VAD, and in LiveKit's adapter that cuts speech for recognition."""

import inspect
import unittest
from array import array
from collections.abc import Callable
from typing import Any

from livekit import rtc
from livekit.agents import inference, stt, vad
from livekit.agents.vad import VADEvent, VADEventType
from livekit.plugins import silero

from tests.support import read
from voiceactivity.adapters.livekit import VAD

START, DONE, END = VADEventType.START_OF_SPEECH, VADEventType.INFERENCE_DONE, VADEventType.END_OF_SPEECH


def pcm(name: str) -> "tuple[int, array[int]]":
    """Returns the rate of a recording of samples/ and its 16-bit samples, with a second of silence after them."""
    rate_hz, samples = read(name)
    return rate_hz, array("h", (round(sample * 32767) for sample in samples)) + array("h", [0] * rate_hz)


def frames(sound: "array[int]", rate_hz: int, size: int = 0, channels: int = 1) -> list[rtc.AudioFrame]:
    """Cuts samples into frames of `size`, or of 10 ms."""
    size = (size or rate_hz // 100) * channels
    chunks = [sound[at : at + size] for at in range(0, len(sound), size)]
    return [rtc.AudioFrame(chunk.tobytes(), rate_hz, channels, len(chunk) // channels) for chunk in chunks]


async def events(
    detector: vad.VAD,
    sound: list[rtc.AudioFrame],
    at: int = 0,
    act: Callable[[vad.VADStream], object] = lambda _: None,
) -> list[VADEvent]:
    """Returns the events of a stream, in which `act` is called once the events of `at` frames are there."""
    stream = detector.stream()
    found: list[VADEvent] = []
    for frame in sound[:at]:
        stream.push_frame(frame)
    if at:
        # An event reports that 30 ms were analysed.
        heard = sum(frame.samples_per_channel for frame in sound[: at // 3 * 3])
        while not found or found[-1].type is not DONE or found[-1].samples_index < heard:
            found.append(await anext(stream))
        act(stream)
    for frame in sound[at:]:
        stream.push_frame(frame)
    stream.end_input()
    found += [event async for event in stream]
    await stream.aclose()
    return found


def turns(found: list[VADEvent]) -> list[VADEvent]:
    return [event for event in found if event.type is not DONE]


def samples_of(event: VADEvent) -> bytes:
    return b"".join(bytes(frame.data.cast("B")) for frame in event.frames)


class StreamTests(unittest.IsolatedAsyncioTestCase):
    async def test_turns_are_those_of_livekit_and_not_later(self) -> None:
        for name in ("speech.flac", "muted-talk.flac", "keyboard.flac", "music.flac"):
            rate_hz, sound = pcm(name)
            ours, theirs = [turns(await events(one, frames(sound, rate_hz))) for one in (VAD(), inference.VAD())]
            self.assertEqual([event.type for event in ours], [event.type for event in theirs], name)
            for own, other in zip(ours, theirs):
                self.assertLess(own.timestamp, other.timestamp + 0.1)
                began = [each.timestamp - each.speech_duration - each.silence_duration for each in (own, other)]
                self.assertAlmostEqual(began[0], began[1], delta=0.15)

    async def test_durations_date_the_labels(self) -> None:
        rate_hz, sound = pcm("muted-talk.flac")
        start, end = turns(await events(VAD(), frames(sound, rate_hz)))[:2]
        self.assertAlmostEqual(start.timestamp - start.speech_duration, 0.6, delta=0.06)
        self.assertAlmostEqual(end.timestamp - end.silence_duration, 3.1, delta=0.06)
        self.assertAlmostEqual(end.timestamp - end.silence_duration - end.speech_duration, 0.6, delta=0.06)
        self.assertEqual((start.speaking, end.speaking), (True, False))
        self.assertEqual(start.samples_index, round(start.timestamp * rate_hz))

    async def test_frames_of_a_turn_are_its_sound_with_the_padding_before(self) -> None:
        rate_hz, sound = pcm("muted-talk.flac")
        for size in (rate_hz // 100, rate_hz // 20, 441, rate_hz * 20):  # the last: all at once
            found = turns(await events(VAD(prefix_padding_duration=0.3), frames(sound, rate_hz, size)))
            self.assertEqual([event.type for event in found], [START, END] * 3)
            for event in found:
                length = event.speech_duration + event.silence_duration + 0.3
                self.assertEqual(len(event.frames), 1)
                self.assertAlmostEqual(event.frames[0].duration, length, delta=0.011)
                first = event.samples_index - event.frames[0].samples_per_channel
                self.assertEqual(samples_of(event), sound[first : event.samples_index].tobytes())

    async def test_frames_are_limited(self) -> None:
        rate_hz, sound = pcm("muted-talk.flac")
        options = VAD(prefix_padding_duration=0.25, max_buffered_speech=1)
        with self.assertLogs("livekit.agents", "WARNING"):
            found = turns(await events(options, frames(sound, rate_hz)))
        self.assertEqual([event.frames[0].duration for event in found if event.type is END], [1.25] * 3)

    async def test_what_was_analysed_is_told_with_its_frames_in_order(self) -> None:
        rate_hz, sound = pcm("speech.flac")
        found = await events(VAD(), frames(sound, rate_hz))
        done = [event for event in found if event.type is DONE]
        heard = b"".join(map(samples_of, done))
        self.assertEqual(heard, sound.tobytes()[: len(heard)])
        self.assertLess(len(sound) * 2 - len(heard), rate_hz // 100 * 6)
        self.assertEqual(done[-1].samples_index * 2, len(heard))
        told = done[1:]  # with the first, the look-ahead has not passed
        speaking = [event.raw_accumulated_speech > 0 for event in told]
        self.assertEqual(speaking, [event.raw_accumulated_silence == 0 for event in told])
        self.assertGreater(sum(event.probability > 0.5 for event in done), 100)
        self.assertTrue(all(event.inference_duration > 0 for event in done))

    async def test_a_flush_drops_the_turn_and_begins_anew(self) -> None:
        rate_hz, sound = pcm("muted-talk.flac")
        # At 2 s, within the first turn.
        found = await events(VAD(), frames(sound, rate_hz), 200, lambda stream: stream.flush())
        self.assertEqual([event.type for event in turns(found)], [START] + [START, END] * 3)
        rest = turns(await events(VAD(), frames(sound[2 * rate_hz :], rate_hz)))
        self.assertEqual([event.timestamp for event in turns(found)[1:]], [event.timestamp for event in rest])
        self.assertEqual([samples_of(event) for event in turns(found)[1:]], [samples_of(event) for event in rest])

    async def test_other_rates_and_channels(self) -> None:
        rate_hz, sound = pcm("telephone-8k.wav")
        expected = turns(await events(VAD(), frames(sound, rate_hz)))
        self.assertEqual([event.type for event in expected], [START, END] * 2)
        both = array("h", (sample for sample in sound for _ in range(2)))
        stereo = turns(await events(VAD(), frames(both, rate_hz, channels=2)))
        self.assertEqual([event.timestamp for event in stereo], [event.timestamp for event in expected])
        self.assertEqual([event.frames[0].num_channels for event in stereo], [2] * 4)
        self.assertAlmostEqual(stereo[1].frames[0].duration, expected[1].frames[0].duration)
        other_hz, other = pcm("stereo-48k.flac")
        mixed = turns(await events(VAD(), frames(sound, rate_hz) + frames(other, other_hz)))
        self.assertEqual([event.type for event in mixed], [START, END] * 4)
        self.assertEqual(mixed[-1].frames[0].sample_rate, 48000)


class OptionTests(unittest.IsolatedAsyncioTestCase):
    async def test_options_change_within_a_stream(self) -> None:
        rate_hz, sound = pcm("muted-talk.flac")
        detector = VAD()
        self.assertEqual(detector.min_silence_duration, 0.25)
        found = turns(
            await events(
                detector, frames(sound, rate_hz), 400, lambda _: detector.update_options(min_silence_duration=3)
            )
        )
        self.assertEqual(detector.min_silence_duration, 3)
        # The second and the third turn are now one, which does not end.
        self.assertEqual([event.type for event in found], [START, END, START])

    async def test_silence_is_as_long_as_asked_for(self) -> None:
        rate_hz, sound = pcm("muted-talk.flac")
        for seconds in (0.25, 0.55, 1.0):
            end = turns(await events(VAD(min_silence_duration=seconds), frames(sound, rate_hz)))[1]
            self.assertAlmostEqual(end.silence_duration, seconds, delta=0.021)

    def test_options_that_cannot_be(self) -> None:
        detector = VAD(activation_threshold=0.6)
        self.assertAlmostEqual(detector.options.offset_threshold, 0.45)
        wrong: list[dict[str, Any]] = [{"min_silence_duration": -1}, {"activation_threshold": 1}]
        wrong += [{"deactivation_threshold": 0.7}, {"max_buffered_speech": float("inf")}]
        for options in wrong:
            with self.assertRaisesRegex(ValueError, next(iter(options))):
                detector.update_options(**options)
        self.assertEqual(detector.options.min_silence_duration, 0.25)

    def test_calls_that_were_written_for_livekit(self) -> None:
        def defaults(function: Any) -> dict[str, Any]:
            """What can be given: another model cannot, nor an option that is deprecated."""
            left_out = ("self", "onnx_file_path", "padding_duration")
            parameters = inspect.signature(function).parameters.items()
            return {name: one.default for name, one in parameters if name not in left_out}

        ours, theirs = VAD(**defaults(inference.VAD)), inference.VAD()
        self.assertEqual(ours.min_silence_duration, theirs.min_silence_duration)
        loaded = VAD.load(**defaults(silero.VAD.load))
        self.assertEqual(loaded.options, VAD.load().options)
        self.assertEqual(loaded.min_silence_duration, defaults(silero.VAD.load)["min_silence_duration"])
        self.assertEqual(VAD.load(min_silence_duration=0.3).min_silence_duration, 0.3)
        nothing = defaults(inference.VAD.update_options)
        ours.update_options(**{**nothing, "activation_threshold": 0.6})
        self.assertEqual(ours.options, VAD(activation_threshold=0.6).options)
        for make in (VAD, inference.VAD):
            with self.assertRaisesRegex(ValueError, "model"):
                make(model="another")  # type: ignore

    async def test_metrics_are_collected(self) -> None:
        rate_hz, sound = pcm("speech.flac")
        detector, collected = VAD(), list[Any]()
        detector.on("metrics_collected", collected.append)  # pyright: ignore[reportUnknownMemberType]
        await events(detector, frames(sound, rate_hz))
        self.assertGreater(len(collected), 5)
        self.assertEqual(collected[0].metadata.model_name, "voiceactivity")
        self.assertLess(collected[0].inference_duration_total, 0.1)


class Recogniser(stt.STT[Any]):
    """Recognises the length of what it is given."""

    def __init__(self) -> None:
        super().__init__(capabilities=stt.STTCapabilities(streaming=False, interim_results=False))

    async def _recognize_impl(self, buffer: Any, **_: Any) -> stt.SpeechEvent:  # pyright: ignore
        length = rtc.combine_audio_frames(buffer).duration
        found = [stt.SpeechData(language="en", text=f"{length:.1f}")]  # pyright: ignore
        return stt.SpeechEvent(type=stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives=found)


class StreamAdapterTests(unittest.IsolatedAsyncioTestCase):
    async def test_each_turn_is_recognised(self) -> None:
        rate_hz, sound = pcm("muted-talk.flac")
        stream = stt.StreamAdapter(stt=Recogniser(), vad=VAD()).stream()
        for frame in frames(sound, rate_hz):
            stream.push_frame(frame)
        stream.end_input()
        found = [event async for event in stream]
        await stream.aclose()
        texts = [event.alternatives[0].text for event in found if event.alternatives]
        # The labels, and half a second before and a quarter after.
        self.assertEqual([round(float(text)) for text in texts], [3, 4, 2])


if __name__ == "__main__":
    unittest.main()
