"""Each allocation of the extension fails once, its own and those that Python makes for it.

LD_PRELOAD names Tests/AllocationCounter as a shared object, and PYTHONMALLOC is malloc: Scripts/check-binding.sh. A call
raises MemoryError, or does without the memory; no other object changes, and what was called can start anew.
"""

import ctypes
import gc
import sys
import unittest
from array import array
from typing import Any, Callable

from voiceactivity import Detector, EchoReference, Frames, process_batch
from voiceactivity._core import Cutter, MutedSpeech

from .support import read_talk

COUNTER = ctypes.PyDLL(None) if sys.platform == "linux" else None
CALLERS = {"the extension's own": b"_core.", "any": None}  # whose allocations fail


def fail(nth: int, caller: "bytes | None" = None) -> bool:
    """Lets an allocation fail from now on. Returns whether the one before has."""
    return bool(COUNTER.allocation_counter_fail_in(ctypes.c_long(nth), caller))  # pyright: ignore


def stop() -> bool:
    """Ends it, though the next allocation may be the one that fails. Returns whether one has."""
    has_failed = False
    while True:
        try:
            return fail(0) or has_failed
        except (MemoryError, ctypes.ArgumentError):  # the latter: there was no memory for an argument
            has_failed = True


@unittest.skipUnless(hasattr(COUNTER, "allocation_counter_fail_in"), "LD_PRELOAD has no counter of allocations")
class Memory(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.talk = read_talk()
        cls.floats = array("d", (sample / 32768 for sample in cls.talk))  # which the core cannot read in place
        cls.detector = Detector(8000)
        cls.detector.process(cls.talk[:20000])
        cls.saved = cls.detector.save()
        cls.echo_saved = EchoReference(8000).save()

    def fails_each(self, act: Callable[[], Any], least: "dict[str, int]") -> None:
        """Calls `act`, which returns what can be compared, until nothing fails in it, and again: no block is left."""
        expected = act()
        for name, caller in CALLERS.items():
            held: "list[int]" = []
            for _ in range(5):
                failed = self.fails_each_of(caller, act, expected)
                self.assertGreaterEqual(failed, least[name], name)
                gc.collect()
                held.append(COUNTER.allocation_counter_held())  # pyright: ignore
            # The first times also fill what Python keeps for later; each number in `held` is a block.
            self.assertLessEqual(held[4] - held[2], 2, f"{name}: blocks are left that nobody owns")

    def fails_each_of(self, caller: "bytes | None", act: Callable[[], Any], expected: Any) -> int:
        beside, alone = Detector(8000), Detector(8000)
        nth = at = 0
        while True:
            nth += 1
            found = None
            try:
                fail(nth, caller)
                found = act()
            except MemoryError:
                pass
            finally:
                has_failed = stop()
            if found is not None or not has_failed:
                self.assertEqual(found, expected, nth)
            if not has_failed:
                break
            chunk = self.talk[at : at + 400]
            at = (at + 400) % len(self.talk)
            self.assertEqual(beside.process(chunk), alone.process(chunk))
        self.assertEqual(beside.save(), alone.save())
        return nth - 1

    def test_objects_are_made_or_not(self) -> None:
        for make, own in [
            (lambda: Detector(8000).save(), 0),
            (lambda: Detector(8000, smoothed=True).save(), 2),
            (lambda: Detector(8000, echo=EchoReference(8000)).save(), 0),
            (lambda: EchoReference(8000).save(), 0),
            (lambda: len(Frames()), 0),
            (lambda: Cutter(self.detector, max_length_ms=20000).finish(0), 0),
            (lambda: MutedSpeech().shown, 0),
            (lambda: Detector.restore(self.saved).save(), 0),
            (lambda: EchoReference.restore(self.echo_saved).save(), 0),
        ]:
            self.fails_each(make, {"the extension's own": own, "any": 1})

    def test_a_call_raises_and_the_stream_can_start_anew(self) -> None:
        for smoothed in False, True:
            for sound in self.talk, self.floats:
                detector, frames = Detector(8000, smoothed=smoothed), Frames()

                def hear() -> object:
                    detector.reset()
                    frames.clear()
                    events = detector.process(sound, frames=frames) + detector.gap(9000, frames=frames)
                    return events + detector.flush(frames=frames), len(frames)

                self.fails_each(hear, {"the extension's own": 3, "any": 20})

    def test_hops_come_with_their_events_or_not_at_all(self) -> None:
        frames = Frames()

        def hear() -> object:
            frames.clear()
            detector = Detector(8000)
            try:
                return detector.process(self.talk, frames=frames)
            except MemoryError:
                self.assertEqual(len(frames), 0)
                raise

        self.fails_each(hear, {"the extension's own": 2, "any": 10})

    def test_a_batch_raises_and_its_streams_can_start_anew(self) -> None:
        streams = [Detector(8000, smoothed=n % 2 == 1) for n in range(5)]
        sounds = [self.talk, self.talk[4000:], self.floats, self.floats[6000:], self.talk]

        def hear() -> object:
            for stream in streams:
                stream.reset()
            return process_batch(streams, sounds), [stream.save() for stream in streams]

        self.fails_each(hear, {"the extension's own": 2, "any": 20})

    def test_a_batch_that_fails_leaves_later_times_right(self) -> None:
        """Onsets of a smoothed stream whose results were lost lie where its hops say."""
        nth = 0
        has_failed = True
        while has_failed:
            nth += 1
            streams = [Detector(8000, smoothed=True) for _ in range(3)]
            process_batch(streams, [self.talk] * 3)
            try:
                fail(nth, b"_core.")
                process_batch(streams, [self.talk * 20] * 3)  # more events than fit without more memory
            except MemoryError:
                pass
            finally:
                has_failed = stop()
            for stream in streams:
                frames = Frames()
                onsets = [it.position for it in stream.process(self.talk, frames=frames) if it.type == "onset"]
                speech = [False, *frames.speech]
                rises = [position for n, position in enumerate(frames.position) if speech[n + 1] and not speech[n]]
                self.assertGreater(len(onsets), 1)
                for onset in onsets:
                    self.assertTrue(any(onset <= rise <= onset + 2400 for rise in rises), (nth, onset, rises))
        self.assertGreater(nth, 1)

    def test_a_cutter_loses_only_what_it_could_not_return(self) -> None:
        detector, frames = Detector(8000), Frames()
        first = detector.process(self.talk, frames=frames)
        later_frames = Frames()
        later = detector.process(self.talk, frames=later_frames) + detector.flush(frames=later_frames)

        def cuts(nth: int) -> "tuple[bool, set[tuple[int, int]]]":
            cutter = Cutter(detector, min_silence_ms=30)
            got = []
            fail(nth)
            try:
                got = cutter.push(first, frames)
            except MemoryError:
                pass
            finally:
                has_failed = stop()
            return has_failed, set(got + cutter.push(later, later_frames) + cutter.finish(2 * len(self.talk)))

        _, expected = cuts(0)
        end = len(self.talk)
        nth = 0
        while True:
            nth += 1
            has_failed, found = cuts(nth)
            if not has_failed:
                break
            self.assertLessEqual(found, expected, nth)
            self.assertLessEqual({cut for cut in expected if cut[0] > end}, found, nth)
        self.assertGreater(nth, 5)
