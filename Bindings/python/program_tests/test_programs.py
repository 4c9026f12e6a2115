"""Public programs that use silero_vad or webrtcvad, with one line changed, on recordings of samples/.

What the programs need beside their detector is replaced by stand-ins: the tests are of the detector's face.
"""

import asyncio
import importlib
import importlib.util
import json
import logging
import sys
import tempfile
import types
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import soundfile
import torch  # here, as it cannot be imported twice  # noqa: F401

from tests.support import SAMPLES, labels
from voiceactivity.compat import silero

logging.disable()
HUB = "__import__('voiceactivity.compat.silero').compat.silero.silero_vad("  # instead of torch.hub.load(
LABELS = labels("speech")


def changed(package: str, module: str, line: str, instead: str, *stand_ins: str) -> Any:
    """Returns a module of an installed package, in which `instead` replaces what one line begins with, `line`.

    `stand_ins` are modules that it imports. A class that it inherits from does nothing.
    """
    found = importlib.util.find_spec(package)
    assert found and found.submodule_search_locations, f"{package} is not installed"
    folder = found.submodule_search_locations[0]
    source = (Path(folder) / f"{module}.py").read_text()
    assert source.count(line) == 1, f"{package} has {source.count(line)} times {line}"

    class Base:
        def __init__(self, *_: object) -> None:
            self.config: dict[str, Any] = {}
            self.sample_rate = 16000

    class StandIn(types.ModuleType):
        __path__: list[str] = []
        SAMPLE_RATE = 16000

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return Base if name in ("Module", "VADEngine") else mock.MagicMock(name=name)

    parent = types.ModuleType(package)
    parent.__path__ = [folder]  # its __init__ would import what is not installed
    this: Any = types.ModuleType(f"{package}.{module}")
    this.__package__ = package
    modules = {package: parent, this.__name__: this, **{one: StandIn(one) for one in stand_ins}}
    with mock.patch.dict(sys.modules, modules):
        exec(compile(source.replace(line, instead), f"{package}/{module}.py", "exec"), this.__dict__)
        if package == "dinscribe":
            this.config = importlib.import_module("dinscribe.config")
    return this


def pcm(name: str) -> bytes:
    samples, rate_hz = soundfile.read(SAMPLES / name, dtype="int16")
    assert rate_hz == 16000
    return samples.tobytes()


class Silero(unittest.TestCase):
    def test_eaves(self) -> None:
        engines = ("eaves", "eaves.engines", "eaves.engines.interfaces", "eaves.shared", "eaves.shared.audio_format")
        module = changed("eaves_silero", "provider", *2 * ("from __future__ import annotations",), *engines)
        # It imports in two of its functions, so that its one line is sys.modules["silero_vad"] = silero.
        self.enterContext(mock.patch.dict(sys.modules, silero_vad=silero))
        made: list[tuple[int, int]] = []
        module.SpeechSegment = lambda start_ms, end_ms, is_speech: made.append((start_ms, end_ms))
        vad, speech = module.SileroVAD(), pcm("speech.flac")
        vad.segment(speech)
        self.assertEqual(len(made), len(LABELS))
        for (start, end), (begun, ended) in zip(LABELS, made):
            self.assertAlmostEqual(start, begun / 1000, delta=0.2)
            self.assertAlmostEqual(end, ended / 1000, delta=0.3)
        heard = [vad.is_speech(speech[at : at + 1024]) for at in range(0, len(speech) - 1024, 1024)]
        first, last = (int(second / 0.032) for second in LABELS[0])
        self.assertGreater(sum(heard[first:last]), 0.8 * (last - first))
        self.assertFalse(any(heard[: first - 3]))

    def test_dinscribe(self) -> None:
        module = changed("dinscribe", "vad", "torch.hub.load(", HUB)
        with tempfile.TemporaryDirectory() as folder:
            config = module.config.VadConfig(padding_ms=0, merge_within_sec=None)
            found = json.loads(module.run(SAMPLES / "speech.flac", Path(folder) / "speech", config).read_text())
            self.assertEqual(found["metadata"]["segment_count"], len(LABELS))
            with self.assertRaisesRegex(RuntimeError, "No speech"):
                module.run(SAMPLES / "keyboard.flac", Path(folder) / "none")

    def test_bensilence(self) -> None:
        module = changed("bensilence", "bensilence", "torch.hub.load(", HUB, "pyaudio")
        speech = pcm("speech.flac")
        chunks = iter([speech[at : at + 1024] for at in range(0, len(speech) - 1024, 1024)])
        with tempfile.TemporaryDirectory() as folder:
            clock = mock.Mock(side_effect=(at * 0.016 for at in range(1 << 20)))  # twice in each chunk
            recorder = module.silence(str(Path(folder) / "heard.wav"), silence_threshold=0.5)
            recorder.stream = mock.Mock(read=lambda *_, **__: next(chunks))
            with mock.patch.object(module.time, "time", clock):
                self.assertEqual(recorder.record()[0], "Successful")
            seconds = soundfile.info(Path(folder) / "heard.wav").duration
            self.assertGreater(seconds, 0.8 * (LABELS[0][1] - LABELS[0][0]) / 2)


class WebRTC(unittest.TestCase):
    line, instead = "import webrtcvad\n", "from voiceactivity.compat import webrtcvad\n"

    def test_ovos(self) -> None:
        plugin = ("ovos_plugin_manager", "ovos_plugin_manager.templates", "ovos_plugin_manager.templates.vad")
        module = changed("ovos_vad_plugin_webrtcvad", "__init__", self.line, self.instead, *plugin)
        vad, speech = module.WebRTCVAD(), pcm("speech.flac")
        size = 960 * 2
        silent = [vad.is_silence(speech[at : at + size]) for at in range(0, len(speech) - size, size)]
        first, last = int(LABELS[0][0] / 0.06) + 6, int(LABELS[0][1] / 0.06)
        self.assertLess(sum(silent[first:last]), 0.2 * (last - first))
        self.assertTrue(all(silent[: first - 8]))

    def test_huri(self) -> None:
        needed = ("huri_events", "huri_events.speech", "huri_core", "huri_core.core")
        module = changed(
            "huri_vad", "module", self.line, self.instead, *needed, "huri_core.core.events", "huri_core.core.module"
        )
        vad, speech = module.VAD(), pcm("speech.flac")
        voiced = [
            asyncio.run(vad.process(mock.Mock(data=speech[at : at + 640]))) is not None
            for at in range(0, len(speech) - 640, 640)
        ]
        first, last = int(LABELS[0][0] / 0.02) + 10, int(LABELS[0][1] / 0.02)
        self.assertGreater(sum(voiced[first:last]), 0.8 * (last - first))
        self.assertFalse(any(voiced[: first - 12]))


if __name__ == "__main__":
    unittest.main()
