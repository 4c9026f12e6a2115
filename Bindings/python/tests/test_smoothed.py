"""A smoothed detector: what it decides follows from its posteriors, and everything else stays as it was."""

import random
import unittest
from array import array
from collections.abc import Iterator
from typing import Any, Literal

from voiceactivity import Detector, Event, Frames, frames, process_batch, segments
from voiceactivity.segments import Settings

from .support import RECORDINGS, needs_samples, read

DELAY_HOPS = 67
RISE_HOPS = 20

# What smoothing does not change.
MEASURED = "position level_dbfs peak_dbfs noise_floor_dbfs muted muted_speech missing level_only echo".split()

Span = tuple[int, int]


def decided(posteriors: list[float], settings: dict[str, Any]) -> tuple[list[Span], list[bool]]:
    """Returns the spans of speech in hops, and of each hop whether it is speech, by the rules of docs/detection.md."""
    onset, offset = settings["onset_threshold"], settings["offset_threshold"]
    debounce, hangover = (max(settings[name] // 10, 1) for name in ("onset_debounce_ms", "hangover_ms"))
    spans, is_speech, hop, free_from = list[Span](), [False] * len(posteriors), 0, 0
    while hop < len(posteriors):
        if hop + debounce > len(posteriors) or min(posteriors[hop : hop + debounce]) < onset:
            hop += 1
            continue
        start = hop
        while start > max(free_from, hop - RISE_HOPS) and posteriors[start - 1] >= offset:
            start -= 1
        first = end = hop + debounce  # the onset is decided with the hop before
        while end < len(posteriors) and max(posteriors[end : end + hangover]) >= offset:
            end += 1
        hop = min(end + hangover, len(posteriors))
        upto = hop - 1 if end + hangover <= len(posteriors) else hop  # the last hop of the hangover is silence
        is_speech[first - 1 : upto] = [True] * (upto - first + 1)
        spans.append((start, end))
        free_from = end
    return spans, is_speech


def spans_of(events: list[Event], rate_hz: int) -> list[Span]:
    hops = [event.position * 100 // rate_hz for event in events if event.type in ("onset", "offset")]
    return list(zip(hops[::2], hops[1::2]))


class Script:
    """The same sounds, gaps and levels for several detectors."""

    def __init__(self, seed: int, rate_hz: int, samples: "array[float]") -> None:
        chance = random.Random(seed)
        self.steps = list[tuple[Literal["process", "gap", "level"], Any]]()
        at = 0
        while at < len(samples):
            count = chance.randrange(1, rate_hz)
            self.steps.append(("process", samples[at : at + count]))
            at += count
            if chance.random() < 0.4:
                self.steps.append(("gap", chance.randrange(rate_hz // 3)))
            if chance.random() < 0.2:
                level = chance.randrange(rate_hz), chance.randrange(20, 90), chance.random() < 0.5
                self.steps.append(("level", level))

    def feed(self, detector: Detector, into: Frames, chunk: int) -> Iterator[list[Event]]:
        for kind, what in self.steps:
            match kind:
                case "process":
                    for start in range(0, len(what), chunk):
                        yield detector.process(what[start : start + chunk], frames=into)
                case "gap":
                    yield detector.gap(what, frames=into)
                case "level":
                    yield detector.push_level(*what, frames=into)
        yield detector.flush(frames=into)

    def results(self, detector: Detector, chunk: int = 1 << 20) -> tuple[list[Event], Frames]:
        into = Frames()
        return [event for events in self.feed(detector, into, chunk) for event in events], into


@needs_samples
class Smoothed(unittest.TestCase):
    def setUp(self) -> None:
        self.rate_hz, self.samples = read("speech.flac")

    def whole(self, detector: Detector) -> tuple[list[Event], Frames]:
        into = Frames()
        return detector.process(self.samples, frames=into) + detector.flush(frames=into), into

    def test_decisions_follow_from_the_posteriors(self) -> None:
        found = 0
        for recording in RECORDINGS:
            rate_hz, samples = read(recording.name)
            slow = Settings(hangover_ms=300, onset_debounce_ms=50)
            for settings in (Settings(), Settings(preset="transcription"), slow):
                detector, into = Detector(rate_hz, smoothed=True, **settings), Frames()
                events = detector.process(samples, frames=into) + detector.flush(frames=into)
                spans, is_speech = decided(list(into.posterior), detector.settings)
                self.assertEqual(spans_of(events, rate_hz), spans, recording.name)
                self.assertEqual(list(into.speech), is_speech, recording.name)
                unshaped = segments(recording, min_silence_ms=0, **settings)
                starts = [-(-hop * rate_hz // 100) for span in spans for hop in span]
                self.assertEqual([at for each in unshaped for at in each[2:]], starts)
                found += len(spans)
        self.assertGreater(found, 20)

    def test_what_was_measured_stays(self) -> None:
        for seed, recording in enumerate(RECORDINGS):
            rate_hz, samples = read(recording.name)
            script = Script(seed, rate_hz, samples)
            live, smoothed = Detector(rate_hz), Detector(rate_hz, smoothed=True)
            live.muted = smoothed.muted = seed % 2 == 0
            events, before = script.results(live)
            smoothed_events, after = script.results(smoothed)
            for column in MEASURED:
                self.assertEqual(list(getattr(after, column)), list(getattr(before, column)), column)
            self.assertNotEqual(list(after.posterior), list(before.posterior))
            for one, two, missing, told in zip(before.posterior, after.posterior, after.missing, after.level_only):
                self.assertTrue(one == two or not (missing or told))
            others = [
                [event for event in each if event.type not in ("onset", "offset")] for each in (events, smoothed_events)
            ]
            self.assertEqual(*others)

    def test_chunks_do_not_change_the_results(self) -> None:
        for seed, recording in enumerate(RECORDINGS):
            rate_hz, samples = read(recording.name)
            script = Script(seed, rate_hz, samples)
            events, into = script.results(Detector(rate_hz, smoothed=True))
            for chunk in (rate_hz // 100, 4801):
                detector, cut = Detector(rate_hz, smoothed=True), Frames()
                again = list[Event]()
                for found in script.feed(detector, cut, chunk):
                    again += found
                    self.assertLessEqual(detector.hops - len(cut), DELAY_HOPS)
                self.assertEqual(sorted(again), sorted(events), (recording.name, chunk))
                self.assertEqual(bytes(cut.posterior), bytes(into.posterior))
                self.assertEqual(bytes(cut.flags), bytes(into.flags))

    def test_frames_are_those_of_a_smoothed_detector(self) -> None:
        _, into = self.whole(Detector(self.rate_hz, smoothed=True))
        found = frames(self.samples, self.rate_hz)
        self.assertEqual(bytes(found.posterior), bytes(into.posterior))
        self.assertEqual(bytes(found.flags), bytes(into.flags))

    def test_the_properties_stay_live(self) -> None:
        live, smoothed = Detector(self.rate_hz), Detector(self.rate_hz, smoothed=True)
        for start in range(0, len(self.samples), 1600):
            for detector in (live, smoothed):
                detector.process(self.samples[start : start + 1600])
            self.assertEqual((smoothed.posterior, smoothed.state), (live.posterior, live.state))

    def test_reset_begins_another_stream(self) -> None:
        detector = Detector(self.rate_hz, smoothed=True)
        expected, into = self.whole(detector)
        self.assertEqual(detector.flush(), [])
        for heard in (len(self.samples), 50_000):
            detector.reset()
            events, again = self.whole(detector)
            self.assertEqual(events, expected)
            self.assertEqual(bytes(again.posterior), bytes(into.posterior))
            detector.reset()
            detector.process(self.samples[:heard])

    def test_a_restored_detector_is_live(self) -> None:
        live, smoothed = Detector(self.rate_hz), Detector(self.rate_hz, smoothed=True)
        for detector in (live, smoothed):
            detector.process(self.samples[:30_000])
        other, rest = Detector.restore(smoothed.save()), self.samples[30_000:]
        self.assertEqual(other.process(rest) + other.flush(), live.process(rest) + live.flush())

    def test_a_batch_may_have_smoothed_streams(self) -> None:
        expected = [self.whole(Detector(self.rate_hz, smoothed=smoothed))[0] for smoothed in (True, False)]
        detectors = [Detector(self.rate_hz, smoothed=smoothed) for smoothed in (True, False)]
        events: list[list[Event]] = [[], []]
        for start in range(0, len(self.samples), 8000):
            chunk = self.samples[start : start + 8000]
            for found, of in zip(process_batch(detectors, [chunk, chunk]), events):
                of += found
        for detector, of, all_events in zip(detectors, events, expected):
            self.assertEqual(of + detector.flush(), all_events)

    def test_a_batch_with_a_stream_that_has_ended_keeps_the_others_in_step(self) -> None:
        quiet = bytes(2 * self.rate_hz)
        results = list[tuple[list[Event], Frames]]()
        for ended in (Detector(), None):
            detector = Detector(self.rate_hz, smoothed=True)
            if ended:
                ended.flush()
                with self.assertRaisesRegex(ValueError, "has ended"):
                    process_batch([detector, ended], [quiet, quiet])
            else:
                detector.process(quiet)
            results.append(self.whole(detector))
        self.assertEqual(results[0][0], results[1][0])
        self.assertEqual(list(results[0][1].position), list(results[1][1].position))


if __name__ == "__main__":
    unittest.main()
