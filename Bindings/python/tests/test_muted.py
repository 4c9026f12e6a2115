"""Speaking while muted: the rows that the tests of every language replay, and what a host sees of a stream."""

import unittest
from array import array
from pathlib import Path
from typing import Any

from voiceactivity import NOTICE_TEXT, Detector, Event, SpeakingWhileMuted
from voiceactivity._core import MutedSpeech

from .support import needs_samples, read

TABLE = Path(__file__).resolve().parents[3] / "Tests" / "Contract" / "speaking-while-muted.txt"


def take(muted: MutedSpeech, name: str, value: int) -> bool:
    match name:
        case "speech":
            return muted.handle(Event("muted_speech_begin" if value else "muted_speech_end", 0.0, 0, 0, 0))
        case "input_replaced":
            return muted.input_replaced()
        case "end":
            return muted.end()
        case "dismiss":
            muted.dismiss(value)
        case "interval_ms":
            muted.interval_ms = value
        case "is_enabled":
            muted.is_enabled = bool(value)
        case "is_once_per_mute":
            muted.is_once_per_mute = bool(value)
        case "wait":
            pass
        case _:
            return muted.set(name, bool(value))
    return False


@unittest.skipUnless(TABLE.exists(), "the table is in the repository")
class Table(unittest.TestCase):
    def test_each_row_gives_what_it_says(self) -> None:
        rows = TABLE.read_text().split("\nrow ")[1:]
        self.assertEqual([row[:5] for row in rows if row.startswith("SM-")], [f"SM-{n:02}" for n in range(1, 20)])
        for row in rows:
            title, *steps = (line for line in row.splitlines() if line and not line.startswith("#"))
            with self.subTest(title):
                self.replay(steps)

    def replay(self, steps: list[str]) -> None:
        muted = MutedSpeech()
        for step in steps:
            if step.startswith("text "):
                self.assertEqual(step, f"text {NOTICE_TEXT}")
                continue
            ms, name, value, *expected = step.split()
            changed = take(muted, name, int(value))
            muted.update(int(ms))
            is_still = muted.is_speaking and muted.shown == 0
            found = [changed, muted.is_speaking, muted.is_detecting, muted.shown, is_still]
            self.assertEqual([int(it) for it in found], [int(it) for it in expected], step)


class Stream(unittest.TestCase):
    def follow(self, rate_hz: int = 16000, **settings: Any) -> SpeakingWhileMuted:
        """Returns what follows a new detector. It tells `changes` and `notices`, which begin empty."""
        self.changes: list[bool] = []
        self.notices: list[int | None] = []
        detector = Detector(rate_hz, **settings)
        return SpeakingWhileMuted(detector, on_change=self.changes.append, on_notice=self.notices.append)

    def voice(self, speaking: SpeakingWhileMuted, seconds: float, voice: bool) -> None:
        for _ in range(round(seconds * 50)):
            speaking.handle(speaking.detector.push_level(320, 30, voice))

    def test_a_host_sees_changes_and_notices(self) -> None:
        speaking = self.follow(mute_grace_ms=0)
        speaking.muted = True
        self.assertTrue(speaking.detector.muted)
        self.voice(speaking, 4, True)
        self.assertEqual((self.changes, self.notices), ([True], [1, None]))
        self.assertTrue(speaking.is_still_speaking)
        self.voice(speaking, 1, False)
        self.voice(speaking, 1, True)
        self.assertEqual((self.changes, self.notices, speaking.notice), ([True, False, True], [1, None, 2], 2))
        speaking.dismiss(1)
        speaking.dismiss(2)
        speaking.set_requirement("session_active", False)
        self.assertEqual((self.changes[3:], self.notices[3:]), ([False], [None]))
        with self.assertRaisesRegex(ValueError, "no requirement 'joined'; there are: .* session_active .*flowing[.]"):
            speaking.set_requirement("joined", True)

    def test_a_reset_ends_the_value_and_the_time_goes_on(self) -> None:
        speaking = self.follow(mute_grace_ms=0, mute_carry_over_ms=0)
        speaking.muted = True
        self.voice(speaking, 1, True)
        self.assertEqual((self.changes, self.notices), ([True], [1]))
        speaking.detector.reset()
        self.assertFalse(speaking.is_speaking)
        self.voice(speaking, 0.5, False)
        self.assertEqual((self.changes, self.notices), ([True, False], [1]))
        self.voice(speaking, 1, False)
        self.assertEqual((self.notices, speaking.notice), ([1, None], None))

    def test_a_reset_shows_though_more_was_heard_since(self) -> None:
        speaking = self.follow(mute_grace_ms=0, mute_carry_over_ms=0)
        speaking.muted = True
        self.voice(speaking, 1, True)
        speaking.detector.reset()
        speaking.handle(speaking.detector.push_level(16000 * 60, 127, False))
        self.assertEqual((speaking.is_speaking, speaking.notice), (False, None))
        self.voice(speaking, 1, True)
        self.assertEqual((speaking.is_speaking, speaking.notice), (True, 2))

    def test_a_mute_of_the_detector_counts(self) -> None:
        speaking = self.follow(mute_grace_ms=0, mute_carry_over_ms=0)
        speaking.detector.muted = True
        self.voice(speaking, 1, True)
        self.assertTrue(speaking.is_speaking)
        speaking.detector.muted = False
        self.assertFalse(speaking.is_speaking)
        self.assertEqual(self.changes, [True])
        speaking.handle([])
        self.assertEqual(self.changes, [True, False])
        speaking.set_requirement("microphone_muted", True)
        self.assertTrue(speaking.detector.muted)

    @needs_samples
    def test_chunks_of_any_size_tell_the_same(self) -> None:
        rate_hz, speech = read("speech.flac")
        told: list[tuple[list[bool], list[bool], list[int | None]]] = []
        for seconds in (0.01, 1, 3, 10):
            speaking = self.follow(rate_hz)
            speaking.muted = True
            size = round(seconds * rate_hz)
            chunks = (speech[start : start + size] for start in range(0, len(speech), size))
            told.append((list(speaking.changes(chunks)), self.changes, self.notices))
        self.assertEqual(told[1:], told[:1] * 3)
        self.assertEqual(told[0][0], told[0][1])
        self.assertEqual(told[0][2][:4], [1, None, 2, None])

    @needs_samples
    def test_events_of_a_stream_that_was_reset_leave_nothing(self) -> None:
        rate_hz, speech = read("speech.flac")
        speaking = self.follow(rate_hz)
        speaking.muted = True
        events = speaking.detector.process(speech[: rate_hz * 2])
        self.assertIn("muted_speech_begin", [event.type for event in events])
        speaking.detector.reset()
        speaking.handle(events)
        self.assertFalse(speaking.is_speaking)

    @needs_samples
    def test_a_callback_that_raises_loses_no_event(self) -> None:
        def fail(value: bool) -> None:
            raise RuntimeError(value)

        rate_hz, speech = read("speech.flac")
        detector = Detector(rate_hz)
        speaking = SpeakingWhileMuted(detector, on_change=fail)
        detector.muted = True
        with self.assertRaises(RuntimeError):
            speaking.process(array("f", [*speech, *[0.0] * 2 * rate_hz]))
        self.assertFalse(speaking.is_speaking)

    def test_a_callback_that_raises_loses_no_other(self) -> None:
        told: list[object] = []

        def fail(value: bool) -> None:
            told.append(value)
            raise RuntimeError(value)

        detector = Detector(16000, mute_grace_ms=0)
        speaking = SpeakingWhileMuted(detector, on_change=fail, on_notice=told.append)
        detector.muted = True
        events = [event for _ in range(50) for event in detector.push_level(320, 30, True)]
        events += [event for _ in range(200) for event in detector.push_level(320, 30, False)]
        with self.assertRaisesRegex(RuntimeError, "True"):
            speaking.handle(events)
        self.assertEqual(told, [True, 1, False, None])

    def test_changes_iterates(self) -> None:
        speaking = self.follow()
        self.assertEqual(list(speaking.changes([array("h", [0] * 320)] * 3)), [])
        speaking.muted = True
        self.voice(speaking, 2, True)
        self.assertTrue(speaking.is_speaking)
        speaking.muted = False
        self.assertFalse(speaking.is_speaking)
