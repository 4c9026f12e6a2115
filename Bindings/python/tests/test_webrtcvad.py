"""compat.webrtcvad, beside webrtcvad itself where it is installed."""

import importlib
import sys
import types
import unittest
from array import array
from unittest import mock

from voiceactivity.compat import webrtcvad

from .support import needs_samples, read


def real_webrtcvad() -> types.ModuleType:
    """Returns webrtcvad, whose import needs a part of setuptools that newer ones lack."""
    version = types.SimpleNamespace(get_distribution=lambda _: types.SimpleNamespace(version=""))  # type: ignore
    with mock.patch.dict(sys.modules, pkg_resources=version):  # type: ignore
        try:
            return importlib.import_module("webrtcvad")
        except ImportError as error:
            raise unittest.SkipTest("webrtcvad is not installed") from error


class AsWebrtcvadTests(unittest.TestCase):
    """What webrtcvad's own tests assert, except its exact decisions."""

    def test_set_mode(self) -> None:
        vad = webrtcvad.Vad()
        for mode in range(4):
            vad.set_mode(mode)
        for mode in (-1, 4):
            with self.assertRaises(ValueError):
                vad.set_mode(mode)

    def test_valid_rate_and_frame_length_as_webrtcvad(self) -> None:
        real = real_webrtcvad()
        for rate in (0, -8000, 8000, 11025, 16000, 32000, 44100, 48000):
            for length in (-80, 0, 80, 160, 240, 320, 480, 640, 960, 1440, 1600):
                expected = bool(real.valid_rate_and_frame_length(rate, length))
                self.assertEqual(webrtcvad.valid_rate_and_frame_length(rate, length), expected, (rate, length))
        with self.assertRaises(ValueError):
            webrtcvad.valid_rate_and_frame_length(2**35, 10)

    def test_zeroes_are_no_speech(self) -> None:
        self.assertIs(webrtcvad.Vad().is_speech(bytes(320), 16000), False)

    def test_length_beyond_the_buffer(self) -> None:
        vad = webrtcvad.Vad()
        self.assertIs(vad.is_speech(bytes(320), 16000, 80), False)
        with self.assertRaises(IndexError):
            vad.is_speech(bytes(320), 16000, length=161)

    def test_frames_are_refused_as_by_webrtcvad(self) -> None:
        def outcome(module: types.ModuleType, *arguments: object) -> str:
            try:
                module.Vad(3).is_speech(*arguments)
            except Exception as error:
                return type(error).__name__
            return "taken"

        real = real_webrtcvad()
        kinds = {"Error": 0, "taken": 0, "IndexError": 0, "TypeError": 0}
        for size in (0, 1, 320, 321, 640, 641):
            for arguments in ((16000,), (16000, 160), (16000, 0), (16000, -1), (16000, 321), (4000,), (16000.0,)):
                frame = (bytes(size), *arguments)
                expected = outcome(real, *frame)
                self.assertEqual(outcome(webrtcvad, *frame), expected, (size, arguments))
                kinds[expected] += 1
        self.assertTrue(all(kinds.values()), kinds)
        with self.assertRaisesRegex(webrtcvad.Error, "The frame has 0 samples"):
            webrtcvad.Vad().is_speech(b"", 16000)
        with self.assertRaisesRegex(webrtcvad.Error, "4000 Hz; 8000 to 192000 Hz are read"):
            webrtcvad.Vad().is_speech(bytes(320), 4000)
        # Half a sample changes nothing, and lengths that webrtcvad refuses are taken.
        self.assertIs(webrtcvad.Vad().is_speech(bytes(315), 44100), False)
        for wrong in ((8000.0, 80), (8000, 80.0), ("8000", 80)):
            for module in (real, webrtcvad):
                with self.assertRaises(TypeError):
                    module.valid_rate_and_frame_length(*wrong)


@needs_samples
class Decisions(unittest.TestCase):
    def decide(self, vad: webrtcvad.Vad, name: str, frame_ms: int = 30) -> list[bool]:
        rate_hz, samples = read(name)
        pcm = array("h", (round(sample * 32767) for sample in samples)).tobytes()
        size = rate_hz * frame_ms // 1000 * 2
        return [vad.is_speech(pcm[at : at + size], rate_hz) for at in range(0, len(pcm) - size + 1, size)]

    def test_higher_modes_find_less(self) -> None:
        found = [sum(self.decide(webrtcvad.Vad(mode), "speech-cafe-10db.flac")) for mode in range(4)]
        self.assertEqual(found, sorted(found, reverse=True))
        self.assertGreater(found[3], 0.3 * found[0])

    def test_noise_is_less_often_speech_than_with_webrtcvad(self) -> None:
        real = real_webrtcvad()
        for name in ("keyboard.flac", "music.flac"):
            self.assertEqual(sum(self.decide(webrtcvad.Vad(2), name)), 0, name)
            self.assertGreater(sum(self.decide(real.Vad(2), name)), 0, name)

    def test_the_frame_length_does_not_matter(self) -> None:
        by_10 = self.decide(webrtcvad.Vad(1), "speech.flac", 10)
        self.assertEqual(by_10[2::3], self.decide(webrtcvad.Vad(1), "speech.flac", 30))

    def test_another_rate_begins_another_stream(self) -> None:
        vad = webrtcvad.Vad(2)
        self.decide(vad, "speech.flac")
        self.assertEqual(self.decide(vad, "telephone-8k.wav"), self.decide(webrtcvad.Vad(2), "telephone-8k.wav"))


if __name__ == "__main__":
    unittest.main()
