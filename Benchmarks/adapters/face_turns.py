"""Turns as a program hears them that uses webrtcvad or silero_vad, and then the same program with this package's faces.

A program for webrtcvad smooths its frames with the collector that webrtcvad's own example has: 30 ms frames, a turn
begins when more than 90 % of the last 300 ms are speech, and ends when more than 90 % are not. silero_vad's VADIterator
needs of torch a tensor's dimension and nothing else, so that a stand-in serves; its model runs in onnxruntime.
"""

import importlib
import sys
import time
import types
from collections import deque
from collections.abc import Callable, Iterator
from importlib import util
from typing import Any
from unittest import mock

import numpy
import webrtcvad
from labelled import RATE_HZ, Recording, Score
from pipecat.audio.vad.silero import SileroOnnxModel

from voiceactivity.compat import silero as our_silero
from voiceactivity.compat import webrtcvad as our_webrtcvad

Times = Iterator[tuple[bool, float]]  # whether speech began or ended, and when that was told, in seconds


def collected(vad: Any, pcm: numpy.ndarray) -> Times:
    frame, is_turn, last = RATE_HZ * 30 // 1000, False, deque[bool](maxlen=10)
    for at in range(0, len(pcm) - frame + 1, frame):
        last.append(vad.is_speech(pcm[at : at + frame].tobytes(), RATE_HZ))
        if last.count(not is_turn) > 9:
            is_turn = not is_turn
            last.clear()
            yield is_turn, (at + frame) / RATE_HZ


def iterated(iterator: Any, pcm: numpy.ndarray) -> Times:
    window = 512
    samples = pcm.astype(numpy.float32) / 32768
    for at in range(0, len(samples) - window + 1, window):
        told = iterator(samples[at : at + window])
        if told:
            yield "start" in told, (at + window) / RATE_HZ


class Tensor(numpy.ndarray):
    def dim(self) -> int:
        return self.ndim


def silero() -> Callable[[], Any]:
    """Returns what makes an iterator of silero_vad's."""
    found = util.find_spec("silero_vad")
    assert found and found.submodule_search_locations
    torch = mock.MagicMock(is_tensor=lambda _: False, Tensor=lambda samples: samples.view(Tensor))
    torch.no_grad.return_value = lambda function: function
    package = types.ModuleType("silero_vad")
    package.__path__ = list(found.submodule_search_locations)
    with mock.patch.dict(sys.modules, {"torch": torch, "torch.nn": torch, "torchaudio": torch, "silero_vad": package}):
        rules = importlib.import_module("silero_vad.utils_vad")
    path = f"{package.__path__[0]}/data/silero_vad.onnx"

    class Model(SileroOnnxModel):
        def __call__(self, x: Any, sr: int) -> Any:
            return super().__call__(numpy.asarray(x), sr)

    return lambda: rules.VADIterator(Model(path))


async def measure(recordings: list[Recording]) -> dict[str, Score]:
    kinds: dict[str, tuple[Callable[[], Any], Callable[[Any, numpy.ndarray], Times]]] = {
        f"webrtcvad, mode {mode}, in its example's collector": (lambda mode=mode: webrtcvad.Vad(mode), collected)
        for mode in (1, 3)
    }
    kinds["**compat.webrtcvad**, in the same"] = lambda: our_webrtcvad.Vad(1), collected
    kinds["silero_vad: VADIterator"] = silero(), iterated
    kinds["**compat.silero**: VADIterator"] = lambda: our_silero.VADIterator(None), iterated
    scores = {name: Score() for name in kinds}
    for name, (make, follow) in kinds.items():
        for recording in recordings:
            detector = make()
            used = time.process_time()
            told = list(follow(detector, recording.pcm))
            scores[name].microseconds += (time.process_time() - used) * 1e6
            begins = [at for is_start, at in told if is_start]
            scores[name].add(recording, list(zip(begins, [at for is_start, at in told if not is_start], strict=False)))
    return scores
