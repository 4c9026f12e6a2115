"""Replays Tests/Contract/streams.txt, which every binding replays."""

import itertools
import unittest
from array import array

from voiceactivity import Detector, EchoReference, Event, Frames
from voiceactivity._core import Cutter

from .support import CONTRACT, needs_contract, read_talk

STATES = ("silence", "pending_onset", "speech", "hangover")
FLAGS = ("speech", "muted", "muted_speech", "missing", "level_only", "echo")


def hops(frames: Frames) -> list[str]:
    columns = [getattr(frames, flag) for flag in FLAGS]
    return [
        f"{STATES[state]} " + ("+".join(flag for flag, column in zip(FLAGS, columns) if column[n]) or "-")
        for n, state in enumerate(frames.state)
    ]


class Stream:
    def __init__(self, name: str, rate_hz: str, preset: str) -> None:
        self.settings: dict[str, object] = {"sample_rate_hz": int(rate_hz), "preset": preset}
        self.echo = EchoReference(int(rate_hz)) if "echo" in name else None
        self.rules: dict[str, int] = {}
        self.detector: Detector | None = None
        self.cutter: Cutter | None = None
        self.position = 0
        self.answers: list[str] = []
        self.cuts: list[tuple[int, int]] = []
        self.hops: list[str] = []

    def do(self, talk: "array[int]", step: str, words: list[str]) -> None:
        if step == "set":
            self.settings[words[0]] = float(words[1]) if "threshold" in words[0] else int(words[1])
            return
        if step == "rule":
            self.rules[words[0]] = int(words[1])
            return
        detector = self.detector = self.detector or Detector(**self.settings, echo=self.echo)  # type: ignore
        if self.rules and not self.cutter:
            self.cutter = Cutter(detector, **self.rules)
        frames = Frames()
        numbers = [float(word) if word == "inf" else int(word) for word in words]
        events: list[Event] = []

        def hear(first: int, count: int, shift: int) -> None:
            copies = detector.sample_rate_hz // 8000
            heard = (talk[n] >> shift if n >= 0 else 0 for n in range(first, first + count) for _ in range(copies))
            events.extend(detector.process(array("h", heard), frames=frames))
            self.position += count * copies

        match step, numbers:
            case "hear", [int(first), int(count), int(shift)]:
                hear(first, count, shift)
            case "echo", [int(first), int(count), int(late), int(shift)]:
                assert self.echo
                for at in range(first, first + count, 80):
                    self.echo.push(talk[at : at + 80])
                    hear(at - late, 80, shift)
            case "level", [int(times), int(count), int(dbov), int(voice)]:
                for _ in range(times):
                    events += detector.push_level(count, dbov, bool(voice), frames=frames)
            case "mute", [muted]:
                detector.muted = bool(muted)
            case "gap", [int(count)]:
                events += detector.gap(count, frames=frames)
                self.position += count
            case "margin", [margin]:
                detector.set_speaker_margin(margin)
            case "speaker", [dbfs, int(learned_ms)]:
                detector.speaker_level = (dbfs, learned_ms)
            case "gain", [gain]:
                detector.change_input_gain(gain)
            case "flush", []:
                events += detector.flush(frames=frames)
            case _:
                raise ValueError(f"{step} {words}")
        if self.cutter:
            self.cuts += self.cutter.push(events, frames)
        self.hops += hops(frames)
        self.answers += [f"> event {e.type} {e.position} {e.decided_at} {e.length}" for e in events]

    def all_answers(self) -> list[str]:
        assert self.detector
        if self.cutter:
            self.cuts += self.cutter.finish(self.position)
        cuts = [f"> cut {start} {end}" for start, end in self.cuts]
        runs = [f"> hops {len(list(run))} {hop}" for hop, run in itertools.groupby(self.hops)]
        return [*self.answers, *cuts, *runs, f"> status {self.detector.hops} {self.detector.missing_samples}"]


@needs_contract
class Contract(unittest.TestCase):
    def test_every_stream_has_the_answers_of_c(self) -> None:
        talk = read_talk()
        for text in (CONTRACT / "streams.txt").read_text().split("\n\n")[1:]:
            head, *lines = text.splitlines()
            stream = Stream(*head.split()[1:])
            for line in lines:
                if not line.startswith(">"):
                    step, *words = line.split()
                    stream.do(talk, step, words)
            with self.subTest(head):
                # This cutter says no more of a cut than its ends.
                said = [" ".join(line.split()[:4]) if "cut" in line else line for line in lines if line.startswith(">")]
                self.assertEqual(stream.all_answers(), said)
