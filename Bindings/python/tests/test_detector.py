"""Detector: the same events whatever holds the samples and however they are cut, and clear errors."""

import gc
import math
import os
import pickle
import re
import sys
import threading
import time
import unittest
import warnings
from array import array
from pathlib import Path
from typing import Any, Literal

import numpy

from voiceactivity import HOP_MS, Detector, EchoReference, Event, Frames, process_batch, segments, simd_name
from voiceactivity._core import Cutter, MutedSpeech

from .support import Tensor, needs_samples, read


def events_of(samples: "array[float]", rate_hz: int, chunk: int) -> list[Event]:
    detector = Detector(rate_hz)
    found: list[Event] = []
    for start in range(0, len(samples), chunk):
        found += detector.process(samples[start : start + chunk])
    return found + detector.flush()


@needs_samples
class Streams(unittest.TestCase):
    def setUp(self) -> None:
        self.rate_hz, self.samples = read("speech.flac")
        self.expected = events_of(self.samples, self.rate_hz, len(self.samples))

    def test_events_are_tuples_with_times_in_seconds(self) -> None:
        first = self.expected[0]
        self.assertEqual(first.type, "onset")
        self.assertAlmostEqual(first.time, first.position / self.rate_hz)
        self.assertGreater(first.decided_at, first.position)
        self.assertEqual(first.length, 0)
        self.assertEqual(len(first), 5)

    def test_events_are_named_tuples(self) -> None:
        event = Event("onset", 0.5, 8000, 8640, 0)
        self.assertEqual(
            event._asdict(), dict(type="onset", time=0.5, position=8000, decided_at=8640, length=0)
        )
        self.assertEqual(event._replace(time=3.0).time, 3)
        self.assertEqual(repr(event), "Event(type='onset', time=0.5, position=8000, decided_at=8640, length=0)")
        match self.expected[0]:
            case Event(type="onset", time=time):
                self.assertEqual(time, self.expected[0][1])
            case _:
                self.fail("no onset")
        self.assertEqual(pickle.loads(pickle.dumps(event)), event)
        self.assertIs(type(self.expected[0]), Event)

    def test_chunks_of_any_length_give_the_same_events(self) -> None:
        for chunk in (7, 160, 480, 4799, 4800, 50000):
            self.assertEqual(events_of(self.samples, self.rate_hz, chunk), self.expected, chunk)

    def test_every_format_gives_the_same_events(self) -> None:
        s16 = numpy.round(numpy.asarray(self.samples) * 32768).astype(numpy.int16)
        forms: dict[str, Any] = {
            "int16": s16,
            "bytes": s16.tobytes(),
            "bytearray": bytearray(s16.tobytes()),
            "int32": s16.astype(numpy.int32) << 16,
            "float64": s16 / 32768,
            "float32": (s16 / 32768).astype(numpy.float32),
            "every second": numpy.repeat(s16, 2)[::2],
            "two channels": numpy.stack([s16, s16], axis=1),
            "channels first, transposed": numpy.stack([s16, s16]).T,
            "memoryview": memoryview(s16.tobytes()).cast("h"),
            "tensor": Tensor(s16),
            "unaligned": numpy.frombuffer(b"x" + s16.tobytes(), dtype=numpy.uint8)[1:].view(numpy.int16),
        }
        for name, samples in forms.items():
            detector = Detector(self.rate_hz)
            self.assertEqual(detector.process(samples) + detector.flush(), self.expected, name)

    def test_frames_are_columns_of_every_hop(self) -> None:
        frames, detector = Frames(), Detector(self.rate_hz)
        detector.process(self.samples[:70000], frames=frames)
        detector.process(self.samples[70000:], frames=frames)
        detector.flush(frames=frames)
        self.assertEqual(len(frames), len(self.samples) * 1000 // self.rate_hz // HOP_MS)
        self.assertEqual(numpy.asarray(frames.posterior).dtype, numpy.float32)
        self.assertEqual(list(frames.position)[:3], [0, 160, 320])
        self.assertEqual(sum(frames.speech), sum(flags & 1 for flags in frames.flags))
        self.assertGreater(sum(frames.speech), 500)
        self.assertTrue(all(-127 <= level <= 12 for level in frames.level_dbfs))
        frames.clear()
        self.assertEqual((len(frames), len(frames.posterior)), (0, 0))

    def test_restored_stream_continues_as_the_saved_one(self) -> None:
        for at in (1, 30000, 100000):
            detector = Detector(self.rate_hz, hangover_ms=120)
            detector.process(self.samples[:at])
            other = Detector.restore(detector.save())
            self.assertEqual(other.settings, detector.settings)
            rest = self.samples[at:]
            self.assertEqual(other.process(rest) + other.flush(), detector.process(rest) + detector.flush())

    def test_reset_begins_another_stream(self) -> None:
        detector = Detector(self.rate_hz)
        for _ in range(2):
            self.assertEqual(detector.process(self.samples) + detector.flush(), self.expected)
            detector.reset()

    def test_speech_while_muted_is_an_event_and_a_property(self) -> None:
        detector = Detector(self.rate_hz, preset="notice")
        detector.muted = True
        types = [event.type for event in detector.process(self.samples[: 3 * self.rate_hz])]
        self.assertIn("muted_speech_begin", types)
        self.assertTrue(detector.muted and detector.is_muted_speech)
        detector.muted = False
        self.assertFalse(detector.is_muted_speech)

    def test_gap_keeps_positions_and_is_an_event(self) -> None:
        frames, detector = Frames(), Detector(self.rate_hz)
        detector.process(self.samples[:16000])
        events = detector.gap(8000, frames=frames) + detector.process(self.samples[24000:], frames=frames)
        gap = next(event for event in events if event.type == "discontinuity")
        self.assertEqual((gap.position, gap.length), (16000, 8000))
        self.assertEqual(detector.missing_samples, 8000)
        self.assertGreaterEqual(sum(frames.missing), 50)

    def test_a_long_gap_is_taken_whole(self) -> None:
        detector = Detector(self.rate_hz)
        detector.gap(3600 * self.rate_hz)
        detector.flush()
        self.assertEqual(detector.hops, 360_000)

    def test_an_onset_threshold_alone_moves_the_offset_threshold(self) -> None:
        rows: list[tuple[Literal["conversation", "notice", "transcription"], float, float]] = [
            ("conversation", 0.3, 0.1),
            ("conversation", 0.66, 0.24),
            ("notice", 0.75, 0.55),
            ("transcription", 0.5, 0.4),
        ]
        for preset, onset, offset in rows:
            settings = Detector(self.rate_hz, preset=preset, onset_threshold=onset).settings
            self.assertEqual(settings["onset_threshold"], numpy.float32(onset))
            self.assertEqual(settings["offset_threshold"], numpy.float32(offset))
        settings = Detector(self.rate_hz, onset_threshold=0.5, offset_threshold=0.45).settings
        self.assertEqual(settings["offset_threshold"], numpy.float32(0.45))

    def test_levels_decide_by_the_voice_bit(self) -> None:
        detector, frames = Detector(self.rate_hz), Frames()
        events: list[Event] = []
        for packet in range(100):
            events += detector.push_level(320, 40, 20 <= packet < 60, frames=frames)
        events += detector.process(self.samples[:320], frames=frames)
        events += detector.flush(frames=frames)
        self.assertEqual([event.type for event in events], ["onset", "offset"])
        hops = 100 * 320 * 1000 // self.rate_hz // HOP_MS
        self.assertEqual(list(frames.level_only), [at < hops for at in range(len(frames))])
        self.assertGreater(len(frames), hops)

    def test_what_the_loudspeaker_plays_is_not_the_user(self) -> None:
        echo = EchoReference(self.rate_hz)
        detector = Detector(self.rate_hz, echo=echo)
        self.assertIs(detector.echo, echo)
        events: list[Event] = []
        for start in range(0, len(self.samples), 160):
            echo.push(self.samples[start : start + 160])
            events += detector.process(array("f", (s / 4 for s in self.samples[start : start + 160])))
        self.assertEqual(events, [])
        self.assertGreater(echo.fit, 0.5)
        self.assertEqual((echo.delay_ms, echo.late_samples), (0, 0))
        self.assertEqual(EchoReference.restore(echo.save()).fit, echo.fit)

    def test_the_users_level_is_learned_and_can_be_set(self) -> None:
        detector = Detector(self.rate_hz)
        detector.process(self.samples)
        level_dbfs, learned_ms = detector.speaker_level
        self.assertTrue(-40 < level_dbfs < 0 and learned_ms > 3000, detector.speaker_level)
        other = Detector(self.rate_hz)
        other.speaker_level = detector.speaker_level
        self.assertEqual(other.speaker_level, detector.speaker_level)
        other.change_input_gain(6)
        self.assertAlmostEqual(other.speaker_level[0], level_dbfs + 6, places=4)
        other.set_speaker_margin(math.inf)
        for learned_ms, kept_ms in ((30_001, 30_000), (2**32, 30_000), (2**32 + 5000, 30_000), (2**70, 30_000), (10, 10)):
            other.speaker_level = (-30.0, learned_ms)
            self.assertEqual(other.speaker_level[1], kept_ms)
        for learned_ms in (-1, -(2**70)):
            with self.assertRaisesRegex(ValueError, "0 ms or more"):
                other.speaker_level = (-20.0, learned_ms)
        with self.assertRaises(TypeError):
            other.speaker_level = (-20.0, 5.5)  # type: ignore
        self.assertAlmostEqual(other.speaker_level[0], -30, places=4)  # what was learned stays


@needs_samples
class Batches(unittest.TestCase):
    def test_a_batch_gives_the_events_of_single_calls(self) -> None:
        rate_hz, samples = read("speech.flac")
        values: Any = numpy.asarray(samples)
        s16: Any = (values * 32767).round().astype("int16")
        forms: list[Any] = [
            values,
            s16,
            s16.tobytes(),
            values.astype("d"),
            numpy.stack([values, values], 1),
            values[:0],
        ]
        for size in (160, 1000, len(samples)):
            alone, together = [[Detector(rate_hz, echo=EchoReference()) for _ in forms] for _ in range(2)]
            for at in range(0, len(samples), size):
                chunks = [
                    form[2 * at : 2 * (at + size)] if form is forms[2] else form[at : at + size] for form in forms
                ]
                expected = [detector.process(chunk) for detector, chunk in zip(alone, chunks)]
                self.assertEqual(process_batch(together, chunks), expected)
        self.assertEqual(process_batch([], []), [])

    def test_what_is_no_batch(self) -> None:
        one, ended = Detector(), Detector()
        ended.flush()
        cases: list[tuple[type[Exception], str, Any, Any]] = [
            (ValueError, "as many chunks", [one], []),
            (TypeError, "sequence of Detectors", [3], [b""]),
            (TypeError, "Samples must be", [one], [None]),
            (ValueError, "in the batch twice: join its chunks", [one, one], [b"", b""]),
            (ValueError, "has ended", [one, ended], [b"", b"ab"]),
            (TypeError, "iterable", 3, [b""]),
        ]
        for kind, text, detectors, chunks in cases:
            with self.assertRaisesRegex(kind, text):
                process_batch(detectors, chunks)
        self.assertEqual(one.process(b""), [])  # nothing keeps it


class Errors(unittest.TestCase):
    def refuses(self, kind: type[Exception], text: str, function: object, *arguments: object, **named: object) -> None:
        self.assertRaisesRegex(kind, re.escape(text), function, *arguments, **named)  # type: ignore

    def test_settings_out_of_range(self) -> None:
        for rate_hz in (-1, 0, 7999, 192001, 2**31):
            self.refuses(ValueError, f"{rate_hz} Hz; 8000 to 192000 Hz", Detector, rate_hz)
            self.refuses(ValueError, f"{rate_hz} Hz; 8000 to 192000 Hz", EchoReference, rate_hz)
        self.refuses(ValueError, "no preset 'calls'", Detector, preset="calls")
        for threshold in (0.0, 1.0, math.nan, math.inf, -1.0):
            self.refuses(ValueError, "thresholds must be above 0", Detector, onset_threshold=threshold)
        self.refuses(ValueError, "thresholds", Detector, onset_threshold=0.3, offset_threshold=0.4)
        self.refuses(ValueError, "hangover_ms is -1", Detector, hangover_ms=-1)
        self.refuses(TypeError, "str", Detector, "16000")
        self.refuses(TypeError, "echo must be", Detector, echo=3)

    def test_samples_that_are_none(self) -> None:
        detector = Detector()
        for other in (None, "text", 3, [0.1, 0.2]):
            self.refuses(TypeError, "Samples must be bytes of 16-bit PCM or an array", detector.process, other)
        for kind in (numpy.float16, numpy.uint16, numpy.complex64, ">i2", numpy.int64):
            self.refuses(TypeError, "convert them first", detector.process, numpy.zeros(9, kind))
        for kind in (numpy.uint8, numpy.int8):
            self.refuses(TypeError, "8-bit", detector.process, numpy.zeros(10, kind))
        self.refuses(ValueError, "number is odd", detector.process, b"abc")
        self.refuses(ValueError, "transpose", detector.process, numpy.zeros((2, 16000), "f"))
        self.refuses(ValueError, "one axis, or two", detector.process, numpy.zeros((2, 2, 2), "f"))
        self.refuses(ValueError, "transpose", detector.process, numpy.zeros((2, 0), "f"))
        self.refuses(TypeError, "frames must be", detector.process, b"", frames=[])
        self.refuses(TypeError, "process takes 1", detector.process, b"", frame=None)
        self.refuses(TypeError, "gap takes 1", detector.gap)
        self.assertEqual(detector.hops, 0)
        self.assertEqual(detector.process(b""), [])

    def test_nan_is_counted_and_segments_warn(self) -> None:
        samples = array("f", [math.nan, math.inf] * 8000)
        detector = Detector()
        self.assertEqual(detector.process(samples) + detector.flush(), [])
        self.assertEqual(detector.non_finite_samples, 16000)
        with self.assertWarnsRegex(RuntimeWarning, "The sound has 16000 samples that are NaN or infinite"):
            self.assertEqual(segments(samples, 16000), [])

    def test_gaps_and_levels_out_of_range(self) -> None:
        detector = Detector()
        self.refuses(ValueError, "2**40", detector.gap, 2**40 + 1)
        self.refuses(ValueError, "2**40", detector.gap, -1)
        self.refuses(ValueError, "2**40", detector.gap, 2**70)
        self.refuses(TypeError, "integer", detector.gap, 1.5)
        self.refuses(ValueError, "level is 128", detector.push_level, 1, 128, True)
        self.refuses(ValueError, "margin must be", detector.set_speaker_margin, -1)
        self.refuses(ValueError, "gain must change", detector.change_input_gain, 61)
        self.refuses(ValueError, "-127 to 12", setattr, detector, "speaker_level", (13.0, 1))
        self.refuses(TypeError, "speaker_level is a tuple", setattr, detector, "speaker_level", 3)
        self.refuses(AttributeError, "set it to False", delattr, detector, "muted")

    def test_lengths_and_numbers_do_not_wrap(self) -> None:
        for length_ms in (-1, 3_600_001, 2**32, 2**70):
            self.refuses(ValueError, "0 ms to an hour", Cutter, Detector(), pad_before_ms=length_ms)
        self.refuses(ValueError, "0 samples or more", Cutter(Detector()).finish, -1)
        self.refuses(ValueError, "from 1 on", MutedSpeech().dismiss, -1)

    def test_a_flushed_stream_has_ended(self) -> None:
        detector = Detector()
        detector.flush()
        self.assertEqual(detector.flush(), [])
        self.refuses(ValueError, "call reset() to begin another", detector.process, b"\0\0")

    def test_bytes_that_are_no_saved_stream(self) -> None:
        saved = Detector().save()
        for damaged in (b"", saved[:-1], saved[:40], saved[:9] + b"?" + saved[10:], EchoReference().save()):
            self.refuses(ValueError, "", Detector.restore, damaged)
        self.refuses(TypeError, "bytes", Detector.restore, None)

    def test_an_echo_reference_belongs_to_one_detector(self) -> None:
        echo = EchoReference()
        detector = Detector(echo=echo)
        self.refuses(ValueError, "belongs to another detector", Detector, echo=echo)
        del detector
        Detector(echo=echo)

    def test_a_reference_far_ahead_is_refused_whole(self) -> None:
        echo = EchoReference()
        self.refuses(ValueError, "", echo.push, bytes(2 * 3200))
        self.refuses(ValueError, "", echo.push, numpy.zeros(3200))
        echo.push(bytes(2 * 1600))
        for count in (-1, -(2**70)):
            self.refuses(ValueError, "0 samples or more", echo.push_silence, count)
        self.refuses(ValueError, "100 ms ahead", echo.push_silence, 2**70)
        self.refuses(TypeError, "integer", echo.push_silence, 1.5)

    @needs_samples
    def test_a_reference_of_several_channels(self) -> None:
        rate_hz, samples = read("speech.flac")
        left = (numpy.asarray(samples) * 32767).astype(numpy.int16)
        heard = numpy.concatenate([numpy.zeros(rate_hz // 10, numpy.int16), left // 2])
        opposite = numpy.stack([left, -left], axis=1)

        def onsets(played: Any) -> int:
            echo = EchoReference(rate_hz)
            detector = Detector(rate_hz, preset="notice", echo=echo)
            found = 0
            for at in range(0, len(left) - 320, 320):
                echo.push(played[at : at + 320])
                found += sum(event.type == "onset" for event in detector.process(heard[at : at + 320]))
            return found

        self.assertEqual(onsets(opposite), 0)
        self.assertEqual(onsets(opposite.astype(numpy.float32) / 32768), 0)
        self.assertEqual(onsets(numpy.asfortranarray(opposite)), 0)
        self.assertGreater(onsets(opposite.mean(axis=1)), 0)
        self.refuses(ValueError, "at most 8 channels", EchoReference().push, numpy.zeros((10, 9)))

    def test_more_samples_than_memory_are_refused(self) -> None:
        endless = numpy.broadcast_to(numpy.int16(7), (2**62 - 1,))  # one sample in memory, whose size in floats wraps
        self.assertRaises(MemoryError, EchoReference().push, endless)
        self.assertRaises(MemoryError, process_batch, [Detector()], [endless])


class Help(unittest.TestCase):
    """What a reader sees who mistook something."""

    def test_an_unknown_keyword_suggests_the_right_one(self) -> None:
        for wrong, right in (
            ("sample_rate", "sample_rate_hz"),
            ("sampling_rate", "sample_rate_hz"),
            ("samplerate", "sample_rate_hz"),
            ("hangover", "hangover_ms"),
            ("threshold", "onset_threshold"),
        ):
            with self.assertRaisesRegex(TypeError, f"'{wrong}'; did you mean '{right}'"):
                Detector(**{wrong: 8000})  # type: ignore
        with self.assertRaisesRegex(TypeError, "'sample_rate'; did you mean 'sample_rate_hz'"):
            EchoReference(sample_rate=8000)  # type: ignore
        with self.assertRaisesRegex(TypeError, r"no argument 'qqq'\.$"):
            Detector(qqq=1)  # type: ignore
        with self.assertRaisesRegex(TypeError, "segments has no argument 'sample_rate'; did you mean 'sample_rate_hz'"):
            segments(bytes(2), sample_rate=8000)  # type: ignore
        with self.assertRaisesRegex(TypeError, "'min_silence'; did you mean 'min_silence_ms'"):
            segments(bytes(2), 8000, min_silence=8000)  # type: ignore

    def test_floats_on_the_scale_of_integers_are_warned_of(self) -> None:
        quiet = numpy.random.default_rng(1).normal(0, 0.05, 16000)
        for wrong in (quiet * 32768, (quiet * 32768).astype("f"), numpy.stack([quiet * 32768] * 2, axis=1)):
            for call, *given in ((Detector().process, wrong), (process_batch, [Detector()], [wrong])):
                self.assertWarnsRegex(RuntimeWarning, "divide 16-bit values by 32768", call, *given)  # type: ignore
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for right in (quiet, quiet * 40, (quiet * 32768).astype("i2"), numpy.full(100, numpy.inf), numpy.zeros(0)):
                Detector().process(right)
            with self.assertRaises(RuntimeWarning):
                Detector().process(quiet * 32768)

    def test_help_has_every_setting(self) -> None:
        for name in Detector().settings.keys() - {"sample_rate_hz"} | {"conversation", "notice", "transcription"}:
            self.assertIn(f"\n{name}: ", Detector.__doc__ or "")

    def test_reprs_say_where_a_stream_is(self) -> None:
        echo, frames = EchoReference(48000), Frames()
        detector = Detector(48000, echo=echo)
        detector.process(bytes(96000), frames=frames)
        detector.muted = True
        self.assertEqual(repr(detector), "<voiceactivity.Detector of 48000 Hz: silence after 97 hops, muted>")
        self.assertEqual(repr(frames), "<voiceactivity.Frames: 97 hops, 0 of speech>")
        self.assertEqual(repr(echo), "<voiceactivity.EchoReference: delay 0 ms, fit 0 %>")


class Threads(unittest.TestCase):
    """A busy machine may not run both threads at once, so that each test has several tries."""

    TRIES = 50
    SAMPLES = bytes(2 * 16000 * 300)
    HOPS = 30000

    def test_long_calls_release_the_gil(self) -> None:
        interval = sys.getswitchinterval()
        self.addCleanup(sys.setswitchinterval, interval)
        sys.setswitchinterval(100)  # so that only a release lets another thread run
        for _ in range(self.TRIES):
            detector = Detector()
            thread = threading.Thread(target=detector.process, args=(self.SAMPLES,))
            thread.start()
            while (hops := detector.hops) == 0 and thread.is_alive():
                time.sleep(0)
            thread.join()
            if 0 < hops < self.HOPS - 10:
                return
        self.fail("no other thread ran during a long call")

    def test_a_second_thread_is_told_that_the_detector_is_in_use(self) -> None:
        for _ in range(self.TRIES):
            detector, refused = Detector(), 0
            thread = threading.Thread(target=detector.process, args=(self.SAMPLES,))
            thread.start()
            while thread.is_alive():
                detector.muted = not detector.muted  # any thread may
                try:
                    detector.process(b"")
                except RuntimeError as error:
                    self.assertIn("Another thread is using this detector", str(error))
                    refused += 1
            thread.join()
            if refused:
                self.assertGreaterEqual(detector.hops, self.HOPS - 4)
                return
        self.fail("the detector was not in use when the second thread asked")


class Processor(unittest.TestCase):
    def test_the_fastest_body_that_the_processor_has_is_used(self) -> None:
        """A compiler can make a build that never sees AVX2, and only its slowness would show it."""
        try:
            flags = Path("/proc/cpuinfo").read_text().split()
        except OSError:
            self.skipTest("only Linux lists the processor's features in a file")
        limit = os.environ.get("VA_CPU")
        if "avx2" not in flags or "fma" not in flags or limit == "portable":
            self.assertEqual(simd_name(), "portable")
        else:
            self.assertIn(simd_name(), ("avx2", "avx512"))


class Memory(unittest.TestCase):
    def test_nothing_leaks(self) -> None:
        samples = bytes(2 * 1600)
        array_: Any = numpy.zeros((1600, 2))

        def use() -> None:
            echo, frames = EchoReference(), Frames()
            detector = Detector(echo=echo)
            detector.process(samples, frames=frames)
            detector.process(array_, frames=frames)
            detector.gap(100)
            detector.push_level(100, 3, True)
            Detector.restore(detector.save())
            EchoReference.restore(echo.save())
            str((frames.posterior, detector.settings, detector.speaker_level, detector.state))
            for bad in (b"odd", None, numpy.zeros((2, 2, 2))):
                with self.assertRaises((TypeError, ValueError)):
                    detector.process(bad)  # type: ignore
            detector.flush(frames=frames)

        counts = [sys.getrefcount(thing) for thing in (samples, array_, Detector, EchoReference, Frames, Event)]
        blocks: list[int] = []
        for _ in range(6):
            for _ in range(200):
                use()
            gc.collect()
            blocks.append(sys.getallocatedblocks())
        after = [sys.getrefcount(thing) for thing in (samples, array_, Detector, EchoReference, Frames, Event)]
        self.assertTrue(all(b - a < 20 for a, b in zip(counts, after)), (counts, after))
        self.assertLess(blocks[-1] - blocks[1], 400, blocks)  # a block lost in each use makes 800


if __name__ == "__main__":
    unittest.main()
