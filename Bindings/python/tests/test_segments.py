"""segments, frames and the command: vadmon's segments from every kind of source, and clear errors."""

import asyncio
import gc
import io
import itertools
import json
import linecache
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from array import array
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from struct import pack
from typing import Any
from unittest import mock

import numpy
import soundfile  # pyright: ignore[reportMissingTypeStubs]

import voiceactivity
from voiceactivity import Detector, Event, RecordingError, Segment
from voiceactivity import asegments, frames, iter_segments, ogg, segments
from voiceactivity.compat import silero
from voiceactivity.recordings import open_recording
from voiceactivity.shaping import Rules, Segmenter

try:
    import torch  # pyright: ignore
except ImportError:
    torch: Any = None

from .support import RECORDINGS, SAMPLES, VADMON, Tensor, needs_samples, needs_vadmon, read, write_wave
from .whole_list import Rows, shaped


def by_vadmon(recording: Path, *options: str) -> list[tuple[float, float]]:
    command = [str(VADMON), "analyze", "--quiet", "--format", "json", *options, str(recording)]
    result = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return [(segment["start"], segment["end"]) for segment in result["files"][0]["segments"]]


def times(found: list[Segment]) -> list[tuple[float, float]]:
    return [(round(segment.start, 3), round(segment.end, 3)) for segment in found]


@needs_vadmon
@needs_samples
class SameAsVadmon(unittest.TestCase):
    def same(self, *options: str, **arguments: object) -> None:
        for recording in RECORDINGS:
            with self.subTest(recording.name):
                found = segments(recording, **arguments)  # type: ignore
                self.assertEqual(times(found), by_vadmon(recording, *options))

    def test_by_default(self) -> None:
        self.same()

    def test_unshaped(self) -> None:
        self.same("--min-silence", "0", min_silence_ms=0)

    def test_shaped(self) -> None:
        options = ("--pad", "120ms", "--min-speech", "300ms", "--min-silence", "500ms")
        self.same(*options, pad_ms=120, min_speech_ms=300, min_silence_ms=500)

    def test_split(self) -> None:
        # The second ones have speech to cut on samples of a few seconds.
        self.same("--split", "30s", "--pad", "100ms", max_speech_ms=30_000, pad_ms=100)
        options = ("--split", "2s", "--pad", "100ms", "--min-silence", "2s", "--onset-threshold", "0.1")
        self.same(*options, max_speech_ms=2000, pad_ms=100, min_silence_ms=2000, onset_threshold=0.1)

    def test_presets_and_thresholds(self) -> None:
        self.same("--preset", "transcription", preset="transcription")
        self.same("--preset", "notice", preset="notice")
        self.same("--onset-threshold", "0.5", onset_threshold=0.5)
        self.same("--onset-threshold", "0.3", "--hangover", "300ms", onset_threshold=0.3, hangover_ms=300)

    def test_one_channel(self) -> None:
        recording = SAMPLES / "stereo-48k.flac"
        for channel in (0, 1):
            found = segments(recording, channel=channel)
            self.assertEqual(times(found), by_vadmon(recording, "--channel", str(channel + 1)))

    def test_with_a_reference(self) -> None:
        heard, played = SAMPLES / "muted-talk.flac", SAMPLES / "speech.flac"
        found = segments(heard, reference=played)
        self.assertEqual(times(found), by_vadmon(heard, "--reference", str(played)))
        self.assertEqual(segments(heard, reference=heard), [])

    def test_with_a_stereo_reference(self) -> None:
        heard, (rate_hz, samples) = SAMPLES / "muted-talk.flac", read("speech.flac")
        left = (numpy.asarray(samples) * 32767).astype(numpy.int16)
        with tempfile.TemporaryDirectory() as folder:
            played = Path(folder) / "opposite.wav"
            write_wave(played, rate_hz, numpy.stack([left, -left], axis=1).tobytes(), channels=2)
            found = segments(heard, reference=played)
            self.assertEqual(times(found), by_vadmon(heard, "--reference", str(played)))
        self.assertNotEqual(found, segments(heard))

    def test_frames(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            by_vadmon(SAMPLES / "speech.flac", "--frames", folder)
            table = (Path(folder) / "speech.csv").read_text().splitlines()
        rows = [line.split(",") for line in table if line[:1].isdigit()]
        found = frames(SAMPLES / "speech.flac")
        self.assertEqual(len(found), len(rows))
        for row, posterior in zip(rows, found.posterior):
            self.assertAlmostEqual(float(row[1]), posterior, delta=5e-3)


@needs_samples
class Sources(unittest.TestCase):
    def setUp(self) -> None:
        self.recording = SAMPLES / "speech.flac"
        self.rate_hz, self.samples = read("speech.flac")
        self.s16 = array("h", (round(sample * 32768) for sample in self.samples))
        self.expected = segments(self.recording)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.wav = self.folder / "speech.wav"
        write_wave(self.wav, self.rate_hz, self.s16.tobytes())

    def test_every_source_gives_the_same_segments(self) -> None:
        self.assertGreater(len(self.expected), 3)
        chunks = [self.s16[start : start + 321] for start in range(0, len(self.s16), 321)]
        sources = {
            "float32": self.samples,
            "bytes": self.s16.tobytes(),
            "int16": self.s16,
            "chunks": chunks,
            "iterator": iter(chunks),
            "bytes in chunks": (chunk.tobytes() for chunk in chunks),
            "float64": numpy.asarray(self.samples, dtype="d"),
        }
        for name, source in sources.items():
            self.assertEqual(segments(source, self.rate_hz), self.expected, name)
        for source in (self.wav, str(self.wav), io.BytesIO(self.wav.read_bytes())):
            self.assertEqual(segments(source), self.expected)
        with open(self.recording, "rb") as file:
            self.assertEqual(segments(file), self.expected)

    def test_every_source_can_have_a_reference(self) -> None:
        stereo: Any = numpy.stack([numpy.asarray(self.samples)] * 2, axis=1)
        for source in (self.samples, self.s16.tobytes(), stereo, [self.s16[:100_000], self.s16[100_000:]]):
            self.assertEqual(segments(source, self.rate_hz, reference=source), [])
            silence = bytes(2 * self.rate_hz)
            self.assertEqual(segments(source, self.rate_hz, reference=silence), self.expected)

    def test_a_segment_indexes_samples(self) -> None:
        segment = self.expected[0]
        self.assertEqual(len(self.samples[segment.samples]), segment.end_sample - segment.start_sample)
        self.assertEqual(segment.start_sample, round(segment.start * self.rate_hz))

    def test_a_stream_yields_segments_as_soon_as_they_are_certain(self) -> None:
        given = 0

        def chunks() -> Iterator[memoryview]:
            nonlocal given
            for start in range(0, len(self.s16), 160):
                given = start + 160
                yield memoryview(self.s16)[start : start + 160]

        for segment in iter_segments(chunks(), self.rate_hz):
            self.assertLess(given / self.rate_hz - segment.end, 0.6 + 0.7)

    def test_an_asynchronous_stream(self) -> None:
        async def chunks() -> AsyncIterator[bytes]:
            for start in range(0, len(self.s16), 320):
                await asyncio.sleep(0)
                yield self.s16[start : start + 320].tobytes()

        async def found(**arguments: float) -> list[Segment]:
            return [segment async for segment in asegments(chunks(), self.rate_hz, **arguments)]  # type: ignore

        self.assertEqual(asyncio.run(found()), self.expected)
        limited = segments(self.samples, self.rate_hz, max_speech_ms=1000, pad_ms=0)
        self.assertEqual(asyncio.run(found(max_speech_ms=1000)), limited)
        with self.assertRaisesRegex(ValueError, "pad_ms is -1"):
            asyncio.run(found(pad_ms=-1))

    def test_without_soundfile_ffmpeg_reads(self) -> None:
        if not shutil.which("ffmpeg"):
            self.skipTest("ffmpeg is not installed")
        with mock.patch.dict(sys.modules, soundfile=None):
            self.assertEqual(segments(self.recording), self.expected)
            self.assertEqual(segments(self.wav), self.expected)
            next(iter_segments(self.recording)).start  # ends ffmpeg early
            with self.assertRaisesRegex(RecordingError, "is not a recording that ffmpeg reads: .*Invalid data"):
                segments(Path(__file__))

    def test_an_ffmpeg_that_says_more_than_a_pipe_holds(self) -> None:
        program = self.folder / "ffmpeg"
        program.write_text(f"#!/bin/sh\nhead -c 300000 /dev/zero | tr '\\0' x >&2\ncat '{self.wav}'\n")
        program.chmod(0o755)
        path = f"{self.folder}:{os.environ['PATH']}"
        with mock.patch.dict(sys.modules, soundfile=None), mock.patch.dict(os.environ, PATH=path):
            self.assertEqual(segments(self.recording), self.expected)

    def test_damaged_recordings_are_analysed_as_far_as_they_go(self) -> None:
        whole = (SAMPLES / "speech.flac").read_bytes()
        torn = self.folder / "torn.flac"
        torn.write_bytes(whole[: len(whole) // 3])
        with self.assertWarnsRegex(UserWarning, r"torn.flac (is damaged from|lacks) \d+\.\d\d s"):
            self.assertEqual(segments(torn)[0], self.expected[0])
        raw = self.folder / "pcm.raw"
        raw.write_bytes(bytes(32000))
        with self.assertRaises(RecordingError):
            segments(raw)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is not installed")
    def test_a_damaged_ogg_keeps_its_times(self) -> None:
        path = self.folder / "speech.ogg"
        sound = numpy.tile(numpy.asarray(self.samples), 4)
        soundfile.write(path, sound, self.rate_hz)  # pyright: ignore
        whole, intact = path.read_bytes(), segments(path)
        starts = [start for start in range(len(whole)) if whole.startswith(b"OggS", start)]
        damaged, missing = bytearray(whole), starts[len(starts) // 2]
        damaged[missing + 200] ^= 1
        for content in (damaged, whole[:missing] + whole[starts[len(starts) // 2 + 1] :]):
            path.write_bytes(content)
            with self.assertWarnsRegex(UserWarning, "speech.ogg is damaged; what could not be decoded counts as sil"):
                found = segments(path)
            self.assertEqual((found[:4], found[-4:]), (intact[:4], intact[-4:]))
            if VADMON:
                self.assertEqual(times(found), by_vadmon(path))
            # Without ffmpeg, the message says what this means for times.
            with mock.patch.dict(os.environ, PATH=""), self.assertWarnsRegex(UserWarning, "later times are early"):
                self.assertLess(segments(path)[-1].end, intact[-1].end - 0.5)
        path.write_bytes(whole + bytes(70_000))
        self.assertIsNone(ogg.fault(path))
        path.write_bytes(whole[: starts[-2] + 100])
        with self.assertWarnsRegex(UserWarning, "speech.ogg is cut off; what is there was analysed"):
            self.assertEqual(segments(path)[:-1], intact[:-1])

    def test_tensors_are_arrays(self) -> None:
        rate_hz, samples = read("speech.flac")
        values = numpy.asarray(samples)
        expected = segments(values, rate_hz)
        played = numpy.zeros(len(values), "f")
        for tensor in (Tensor(values), *([torch.from_numpy(values).requires_grad_()] if torch else [])):
            self.assertEqual(segments(tensor, rate_hz), expected)
            self.assertEqual(list(iter_segments(iter([tensor]), rate_hz)), expected)
            self.assertEqual(len(frames(tensor, rate_hz)), len(values) // 160)
            beside = segments(tensor, rate_hz, reference=Tensor(played))
            self.assertEqual(beside, segments(values, rate_hz, reference=played))

    @unittest.skipUnless(Path("/proc/self/task").is_dir() and shutil.which("ffmpeg"), "Linux and ffmpeg show it")
    def test_no_decoder_outlives_a_refused_argument_or_an_iterator_that_was_never_begun(self) -> None:
        def opened() -> tuple[int, list[str]]:
            gc.collect()
            children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
            return len(os.listdir("/proc/self/fd")), children

        before = opened()
        refused: list[dict[str, Any]] = [
            {"onset_threshold": 2.0},
            {"preset": "typo"},
            {"max_speech_ms": 10},
            {"channel": 7},
            {"threshold": 1},
            {"reference": Path(__file__)},
            {"reference": bytes(2), "sample_rate_hz": 1},
        ]
        with mock.patch.dict(sys.modules, soundfile=None):
            for arguments in refused:
                for function in (segments, iter_segments, *([] if "max_speech_ms" in arguments else [frames])):
                    with self.assertRaises((TypeError, ValueError)):
                        function(self.recording, **arguments)
                    self.assertEqual(opened(), before, (function.__name__, arguments))
            iterator = iter_segments(self.recording, reference=self.recording)
            self.assertEqual(len(opened()[1]), 2)
            del iterator
            self.assertEqual(opened(), before)

    def test_with_neither_the_error_names_both(self) -> None:
        with mock.patch.dict(sys.modules, soundfile=None), mock.patch.dict(os.environ, PATH=""):
            self.assertEqual(segments(self.wav), self.expected)
            with self.assertRaisesRegex(RecordingError, r"pip install soundfile.* or ffmpeg"):
                segments(self.recording)

    def test_lengths_that_writers_to_a_pipe_state_mean_the_end_of_the_file(self) -> None:
        whole = self.wav.read_bytes()
        wide = self.folder / "wide.wav"
        soundfile.write(wide, numpy.asarray(self.samples), self.rate_hz, "PCM_24")  # pyright: ignore
        wide.write_bytes(wide.read_bytes().replace(b"data" + pack("<I", 3 * len(self.samples)), b"data" + bytes(4)))
        self.assertEqual(segments(wide), self.expected)
        for form, data in ((0, 0), (36, 0), (0, len(whole) - 44), (0xFFFFFFFF, 0xFFFFFFFF), (0x7FFFFFFF, 0x7FFFFFDB)):
            streamed = whole[:4] + pack("<I", form) + whole[8:40] + pack("<I", data) + whole[44:]
            self.wav.write_bytes(streamed)
            out, into = os.pipe()
            with os.fdopen(into, "wb") as writer, os.fdopen(out, "rb") as pipe, warnings.catch_warnings():
                warnings.simplefilter("error")
                thread = threading.Thread(target=lambda: (writer.write(streamed), writer.close()))
                thread.start()
                for source in (self.wav, io.BytesIO(streamed), pipe):
                    self.assertEqual(segments(source), self.expected, (form, data))
                thread.join()
            if VADMON:
                self.assertEqual(times(self.expected), by_vadmon(self.wav))

    def test_wav_of_pcm_needs_nothing(self) -> None:
        floats = numpy.linspace(-1.5, 1.5, 4002, dtype="f").reshape(-1, 2)
        integers = (floats * 1.4e9).astype("i4")
        forms = {"PCM_U8": 8, "PCM_16": 16, "PCM_24": 24, "PCM_32": 32, "FLOAT": 0, "DOUBLE": 0}
        for form, (subtype, bits) in itertools.product(("WAV", "WAVEX"), forms.items()):
            soundfile.write(self.wav, integers if bits else floats, 16000, subtype, format=form)  # pyright: ignore
            with mock.patch.dict(sys.modules, soundfile=None), mock.patch.dict(os.environ, PATH=""):
                found = self.decoded(self.wav)
            expected, _ = soundfile.read(self.wav, dtype="int32" if bits else "float64")  # pyright: ignore
            if bits:  # those of 8 bits are the upper half of 16, the others of 32
                found = found.astype("i4") << (32 - 8 * found.itemsize)
            numpy.testing.assert_array_equal(found, expected.reshape(-1), f"{form} {subtype}")  # pyright: ignore

    def decoded(self, path: Path) -> Any:
        recording = open_recording(path, 0.01)
        self.addCleanup(recording.close)
        return numpy.concatenate([numpy.asarray(chunk) for chunk in recording.chunks])

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is not installed")
    def test_ffmpeg_neither_rounds_nor_clips(self) -> None:
        values = numpy.asarray([1e-6, -3e-7, 4.0, -2.5, 0.1] * 1000, "f")
        path = self.folder / "floats.w64"
        soundfile.write(path, values, 16000, "FLOAT")  # pyright: ignore
        with mock.patch.dict(sys.modules, soundfile=None):
            numpy.testing.assert_array_equal(self.decoded(path), values)

    def test_what_is_no_recording_is_refused_with_what_helps(self) -> None:
        with self.assertRaises(RecordingError) as caught:
            segments(io.BytesIO(b"text"))
        self.assertIn("The file is not a recording that soundfile reads: ffmpeg reads more, if", str(caught.exception))
        if shutil.which("ffmpeg"):
            with self.assertRaises(RecordingError) as caught:
                segments(__file__)
            self.assertEqual(str(caught.exception).count(__file__), 1)
        many = self.folder / "many.wav"
        soundfile.write(many, numpy.zeros((800, 65)), 8000)  # pyright: ignore
        with self.assertRaisesRegex(ValueError, "has 65 channels, and at most 64 are mixed: choose one"):
            segments(many)
        self.assertEqual(segments(many, channel=64), [])
        most = self.folder / "most.wav"
        soundfile.write(most, numpy.zeros((800, 64)), 8000)  # pyright: ignore
        self.assertEqual(segments(most), [])

    def test_a_torn_recording_is_analysed_as_far_as_it_goes(self) -> None:
        whole = self.wav.read_bytes()
        self.wav.write_bytes(whole[:100001])
        with self.assertWarnsRegex(UserWarning, r"ends at 3\.12 s, before its header says"):
            self.assertEqual(segments(self.wav)[0], self.expected[0])
        self.wav.write_bytes(whole[:30])
        with self.assertRaises(RecordingError):
            segments(self.wav)
        self.wav.write_bytes(b"")
        with self.assertRaises(RecordingError):
            segments(self.wav)

    def test_a_pipe_that_its_writer_closes(self) -> None:
        out, into = os.pipe()
        with os.fdopen(into, "wb") as file:
            file.write(self.wav.read_bytes()[:20000])
        with os.fdopen(out, "rb") as file, self.assertWarnsRegex(UserWarning, "before its header says"):
            self.assertEqual(segments(file), [])
        if Path("/dev/fd").is_dir():
            out, into = os.pipe()
            with os.fdopen(into, "wb") as file:
                file.write(self.wav.read_bytes()[:20000])
            with self.assertWarnsRegex(UserWarning, f"/dev/fd/{out} ends at"):
                self.assertEqual(segments(f"/dev/fd/{out}"), [])
            os.close(out)
        out, into = os.pipe()
        os.close(into)
        with os.fdopen(out, "rb") as file, self.assertRaises(RecordingError):
            segments(file)

    def test_wrong_sources_are_refused_at_once(self) -> None:
        def refuses(kind: type[Exception], text: str, *arguments: object, **named: object) -> None:
            self.assertRaisesRegex(kind, re.escape(text), iter_segments, *arguments, **named)

        refuses(FileNotFoundError, "nowhere.wav", "nowhere.wav")
        refuses(TypeError, "need sample_rate_hz", self.samples)
        refuses(TypeError, "not iterable", 3, 16000)
        refuses(ValueError, "io.BytesIO", self.wav.read_bytes(), 16000)
        refuses(ValueError, "There is no channel 1: the recording has 1", self.wav, channel=1)
        refuses(TypeError, "samples[:, 0]", self.samples, 16000, channel=0)
        refuses(ValueError, "100 Hz; 8000 to 192000", self.samples, 100)
        refuses(ValueError, "pad_ms is -1", self.wav, pad_ms=-1)
        refuses(ValueError, "min_silence_ms is nan", self.wav, min_silence_ms=float("nan"))
        refuses(ValueError, "min_speech_ms is 3600001; it can be 0 to 3600000", self.wav, min_speech_ms=3600001)
        refuses(ValueError, "pad_ms is (1, 2, 3); pass one length, or two", self.wav, pad_ms=(1, 2, 3))
        refuses(ValueError, "must leave a second", self.wav, max_speech_ms=1500, pad_ms=300)
        refuses(TypeError, "'threshold'", self.wav, threshold=0.5)
        with self.assertRaises(TypeError):
            segments([[0.1, 0.2]], 16000)  # type: ignore
        for odd in (b"abc", bytes(32001)):
            for source, reference in ((odd, None), (odd, bytes(32000)), (bytes(32000), odd)):
                with self.assertRaisesRegex(ValueError, "number is odd: pass whole samples"):
                    segments(source, 16000, reference=reference)


class Warnings(unittest.TestCase):
    def test_each_recording_is_named_at_the_callers_line(self) -> None:
        torn = io.BytesIO()
        write_wave(torn, 16000, bytes(32000))
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")  # a text once for each line, as in a program
            names = [str(Path(folder) / f"{name}.wav") for name in ("one", "two")]
            for name in names:
                Path(name).write_bytes(torn.getvalue()[:16044])
                segments(name)
                list(iter_segments(name))
                frames(name)
                silero.read_audio(name)
            done = subprocess.run([sys.executable, "-m", "voiceactivity", *names], capture_output=True, text=True)
        says = [f"{name} ends at 0.50 s, before its header says; what is there was analysed." for name in names]
        self.assertEqual([str(one.message) for one in caught], [text for text in says for _ in range(4)])
        self.assertEqual(done.stderr.splitlines(), says)
        calls = ["segments(name)", "list(iter_segments(name))", "frames(name)", "silero.read_audio(name)"] * 2
        self.assertEqual([linecache.getline(one.filename, one.lineno).strip() for one in caught], calls)

    def test_wrong_samples_are_warned_of_at_the_callers_line(self) -> None:
        loud, missing = numpy.full(16000, 9.0), numpy.full(16000, numpy.nan)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            Detector().process(loud)
            segments(loud, 16000)
            silero.get_speech_timestamps(loud)
            segments(missing, 16000)
        calls = ["Detector().process(loud)", "segments(loud, 16000)", "silero.get_speech_timestamps(loud)"]
        calls += ["segments(missing, 16000)"]
        self.assertEqual([linecache.getline(one.filename, one.lineno).strip() for one in caught], calls)


@needs_samples
class Limits(unittest.TestCase):
    def test_speech_is_cut_at_its_pauses(self) -> None:
        recording = SAMPLES / "speech.flac"
        whole = segments(recording, min_silence_ms=10_000)
        self.assertEqual(len(whole), 1)
        cut = segments(recording, min_silence_ms=10_000, max_speech_ms=5000)
        unshaped = segments(recording, min_silence_ms=0)
        self.assertEqual((cut[0].start, cut[-1].end), (whole[0].start, whole[0].end))
        self.assertTrue(all(segment.end - segment.start <= 5 for segment in cut))
        # The pauses between phrases are long enough, so that no word is cut.
        for one, following in zip(cut, cut[1:]):
            self.assertEqual(one.end, following.start)
            self.assertFalse(any(segment.start < one.end < segment.end for segment in unshaped))

    def test_padding_ends_with_the_sound(self) -> None:
        rate_hz, samples = read("speech.flac")
        end = segments(samples, rate_hz)[0].end_sample + 77  # within a hop
        for source in (samples[:end], [samples[:end]], array("h", (round(s * 32767) for s in samples[:end])).tobytes()):
            self.assertEqual(segments(source, rate_hz, pad_ms=500)[-1].end_sample, end)


class AgainstTheWholeList(unittest.TestCase):
    def test_segments_as_they_arrive_are_those_that_the_rules_give_for_the_whole_list(self) -> None:
        """Also at rates whose hop is not a whole number of samples."""
        chance, cuts = random.Random(7), 0
        for _ in range(150):
            rate_hz = chance.choice([8000, 11025, 16000, 44100, 48000])
            before, after = chance.choice([0, 100, 300]), chance.choice([0, 15, 250])
            limit = chance.choice([0, before + after + 1000, 3000])
            rules = Rules(before, after, chance.choice([0, 90, 400]), chance.choice([0, 200, 700]), limit)
            hops = [voice for _ in range(30) for voice in [chance.random() < 0.6] * chance.randrange(1, 60)]
            longest = chance.choice([1, 9, 300])
            detector = Detector(rate_hz, hangover_ms=chance.choice([10, 80, 300]), smoothed=chance.random() < 0.5)
            starts = [-(-hop * rate_hz // 100) for hop in range(len(hops) + 1)]
            segmenter, rows, found, events = Segmenter(detector, rules), Rows(), list[Segment](), list[Event]()

            def take() -> None:
                rows.add(events, segmenter.frames)
                found.extend(segmenter.push(events))
                events.clear()

            for hop, voice in enumerate(hops):
                level_dbov, count = 30 if voice else 90, starts[hop + 1] - starts[hop]
                events += detector.push_level(count, level_dbov, voice, frames=segmenter.frames)
                if chance.randrange(longest) == 0:
                    take()
            events += detector.flush(frames=segmenter.frames)
            take()
            found += segmenter.finish(starts[-1])
            ends = [(segment.start_sample, segment.end_sample) for segment in found]
            self.assertEqual(ends, shaped(rows, rules, rate_hz, starts[-1]), rules)
            cuts += len(ends)
        self.assertGreater(cuts, 500)


@needs_samples
class Command(unittest.TestCase):
    def run_command(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([sys.executable, "-m", "voiceactivity", *arguments], capture_output=True, text=True)

    def test_prints_segments(self) -> None:
        file = str(SAMPLES / "speech.flac")
        done = self.run_command(file)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "".join(f"{each.start:.3f}\t{each.end:.3f}\t{file}\n" for each in segments(file)))

    def test_reports_what_is_no_recording(self) -> None:
        done = self.run_command(__file__, "nowhere.wav", str(SAMPLES / "speech.flac"))
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (65, 2))
        self.assertEqual(len(done.stdout.splitlines()), len(segments(SAMPLES / "speech.flac")))
        self.assertEqual(self.run_command("nowhere.wav").returncode, 66)
        self.assertEqual(self.run_command("--version").stdout.strip(), voiceactivity.__version__)

    @unittest.skipUnless(Path("/dev/full").exists(), "this system has no /dev/full")
    def test_an_output_that_cannot_be_written_ends_it_in_order(self) -> None:
        out, gone = os.pipe()
        os.close(out)
        full, text = os.open("/dev/full", os.O_WRONLY), "The output cannot be written: No space left on device.\n"
        for into, expected in ((gone, (1, "")), (full, (74, text))):
            command = [sys.executable, "-m", "voiceactivity", str(SAMPLES / "speech.flac")]
            buffered = {**os.environ, "PYTHONUNBUFFERED": ""}
            done = subprocess.run(command, stdout=into, stderr=subprocess.PIPE, text=True, env=buffered)
            os.close(into)
            self.assertEqual((done.returncode, done.stderr), expected)

    def test_reports_what_no_detector_takes_and_goes_on(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            slow = str(Path(folder) / "slow.wav")
            write_wave(slow, 6000, bytes(12000))
            done = self.run_command(slow, str(SAMPLES / "speech.flac"))
        self.assertEqual(done.returncode, 65)
        self.assertEqual(done.stderr, f"{slow}: The sample rate is 6000 Hz; 8000 to 192000 Hz are read.\n")
        self.assertEqual(len(done.stdout.splitlines()), len(segments(SAMPLES / "speech.flac")))

    def test_reports_a_wrong_option_once(self) -> None:
        file = str(SAMPLES / "speech.flac")
        for option, text in (
            ("--pad=-1", "--pad is -1.0; it can be 0 to 3600000 milliseconds."),
            ("--min-silence=99999999", "--min-silence is 99999999.0; it can be 0 to 3600000 milliseconds."),
            ("--max-speech=10", "--max-speech is 10.0; it must leave a second beside --pad."),
        ):
            done = self.run_command(option, file, file)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (64, "", f"{text}\n"))


if __name__ == "__main__":
    warnings.simplefilter("error")
    unittest.main()
