"""LiveKit Agents' face: `from voiceactivity.adapters import livekit`, then `AgentSession(vad=livekit.VAD())`.

It takes the place of livekit.agents.inference.VAD, with the same options, and of livekit.plugins.silero's VAD.load().
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypedDict

from .._core import HOP_MS, Detector, Frames
from ..scale import below, posterior, probability
from .turns import Turns, hops

try:
    from livekit import rtc
    from livekit.agents import vad
    from livekit.agents.log import logger
    from livekit.agents.utils import is_given
    from livekit.agents.vad import VADEvent, VADEventType
except ImportError as error:
    raise ImportError("voiceactivity.adapters.livekit needs LiveKit Agents: pip install livekit-agents") from error

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from typing import Any, Unpack

    from livekit.agents.types import NotGivenOr

__all__ = ["VAD", "VADStream"]

# How much sound one event reports as analysed.
_UPDATE_SECONDS = 0.03
_HOP_SECONDS = HOP_MS / 1000


class Changes(TypedDict, total=False):
    """The options of VAD."""

    min_speech_duration: NotGivenOr[float]
    min_silence_duration: NotGivenOr[float]
    prefix_padding_duration: NotGivenOr[float]
    max_buffered_speech: NotGivenOr[float]
    activation_threshold: NotGivenOr[float]
    deactivation_threshold: NotGivenOr[float | None]


def _given(options: Changes) -> dict[str, Any]:
    return {name: value for name, value in options.items() if is_given(value)}


@dataclass(frozen=True)
class _Options:
    min_speech_duration: float = 0.05
    min_silence_duration: float = 0.25
    prefix_padding_duration: float = 0.5
    max_buffered_speech: float = 60
    activation_threshold: float = 0.5
    deactivation_threshold: float | None = None

    def __post_init__(self) -> None:
        for name in ("min_speech_duration", "min_silence_duration", "prefix_padding_duration", "max_buffered_speech"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise ValueError(f"{name} is {getattr(self, name)}; it must be 0 s or more.")
        if not 0 < self.offset_threshold <= self.activation_threshold < 1:
            raise ValueError(
                f"activation_threshold is {self.activation_threshold} and deactivation_threshold "
                f"{self.offset_threshold}; both must be above 0 and below 1, and the second at most the first."
            )

    @property
    def offset_threshold(self) -> float:
        given = self.deactivation_threshold
        return below(self.activation_threshold) if given is None else given


class VAD(vad.VAD):
    """Makes a stream for each participant. Options that are not given, or NOT_GIVEN, have LiveKit's defaults.

    Speech starts after `min_speech_duration` and ends after `min_silence_duration`, in seconds; the look-ahead counts.
    A turn's frames begin `prefix_padding_duration` before it, and last at most `max_buffered_speech` beyond that. The
    thresholds, `activation_threshold` and `deactivation_threshold`, are on silero_vad's scale, as are the probabilities
    of the events: .5 and .35, the defaults, mean those of the preset `conversation`. As long as the second one is not
    given, or None, it is .15 below the first. `model` can only be "silero", the name of LiveKit's, and `executor` has
    no effect, because the analysis takes microseconds. Raises ValueError for options that cannot be.
    """

    def __init__(self, *, model: str = "silero", executor: Executor | None = None, **options: Unpack[Changes]) -> None:
        if model != "silero":
            raise ValueError(f"There is no model {model!r}: leave `model` out.")
        super().__init__(capabilities=vad.VADCapabilities(update_interval=_UPDATE_SECONDS))
        self.options = _Options(**_given(options))

    @classmethod
    def load(cls, *, sample_rate: int = 16000, force_cpu: bool = True, **options: Unpack[Changes]) -> VAD:
        """Returns a VAD as livekit.plugins.silero's does, of which silence lasts .55 s by default. Nothing is loaded.

        `sample_rate` and `force_cpu` have no effect: frames are analysed at their own rate, on the processor.
        """
        return cls(**{"min_silence_duration": 0.55, **options})

    @property
    def model(self) -> str:
        return "voiceactivity"

    @property
    def provider(self) -> str:
        return "voiceactivity"

    @property
    def min_silence_duration(self) -> float:
        """The silence after which speech ends, in seconds."""
        return self.options.min_silence_duration

    def stream(self) -> VADStream:
        return VADStream(self)

    def update_options(self, **options: Unpack[Changes]) -> None:
        """Changes the options that are given, in open streams too. Raises ValueError, and then changes none."""
        self.options = replace(self.options, **_given(options))


class VADStream(vad.VADStream):
    """Analyses frames of any rate from 8 to 192 kHz, any length and any number of channels, whose mean is heard.

    A frame of another rate, or with more or fewer channels, begins the stream anew, as a flush does.
    """

    def __init__(self, parent: VAD) -> None:
        self._parent = parent
        self._hops = Frames()
        self._turns = Turns(1, 1, 1, 1)
        self._adopt(parent.options)
        self._begin(16000, 1)
        super().__init__(parent)

    async def _main_task(self) -> None:
        async for item in self._input_ch:
            if isinstance(item, self._FlushSentinel):
                self._begin(self._rate_hz, self._channels)
            else:
                self._take(item)

    def _begin(self, rate_hz: int, channels: int) -> None:
        self._rate_hz, self._channels = rate_hz, channels
        self._detector = Detector(rate_hz)
        self._turns.reset()
        self._analysed = 0  # hops
        self._began = self._ended = 0  # the hops at which the last turn began and ended
        self._samples = 0  # that came, of each channel
        self._buffer = bytearray()  # the sound of the turn, or what may come to be its beginning
        self._full = False
        self._untold: list[rtc.AudioFrame] = []  # what no event has reported yet
        self._inference_seconds = 0.0

    def _take(self, frame: rtc.AudioFrame) -> None:
        if (frame.sample_rate, frame.num_channels) != (self._rate_hz, self._channels):
            self._begin(frame.sample_rate, frame.num_channels)
        if self._options is not self._parent.options:
            self._adopt(self._parent.options)
        sound = frame.data.cast("B")[: frame.samples_per_channel * self._frame_bytes]
        # In pieces, so that a turn that ends within a long frame does not have all of it.
        piece = self._bytes(_UPDATE_SECONDS)
        for at in range(0, len(sound), piece):
            self._analyse(sound[at : at + piece])
        self._untold.append(frame)
        if sum(each.samples_per_channel for each in self._untold) >= _UPDATE_SECONDS * self._rate_hz:
            self._tell_analysed()

    def _adopt(self, options: _Options) -> None:
        self._options, turns = options, self._turns
        turns.onset, turns.offset = posterior(options.activation_threshold), posterior(options.offset_threshold)
        turns.start_hops, turns.stop_hops = hops(options.min_speech_duration), hops(options.min_silence_duration)

    def _analyse(self, sound: memoryview) -> None:
        started = time.perf_counter()
        samples = len(sound) // self._frame_bytes
        self._samples += samples
        self._keep(sound)
        self._hops.clear()
        self._detector.process(
            sound.cast("h", (samples, self._channels)) if self._channels > 1 else sound, frames=self._hops
        )
        self._inference_seconds += time.perf_counter() - started
        for one in self._hops.posterior:
            self._analysed += 1
            if self._turns.take(one):
                self._event_ch.send_nowait(self._change())
        if not self._turns.speaking:
            self._forget()

    @property
    def _frame_bytes(self) -> int:
        return 2 * self._channels

    @property
    def _now(self) -> float:
        return self._samples / self._rate_hz

    def _since(self, hop: int) -> float:
        """Returns the seconds from the beginning of a hop up to now."""
        return max(self._now - hop * _HOP_SECONDS, 0)

    def _bytes(self, seconds: float) -> int:
        return int(seconds * self._rate_hz) * self._frame_bytes

    def _keep(self, sound: memoryview) -> None:
        options = self._options
        room = self._bytes(options.prefix_padding_duration + options.max_buffered_speech) - len(self._buffer)
        self._buffer += sound[: max(room, 0)]
        if len(sound) > room and not self._full:
            logger.warning("max_buffered_speech is reached; the frames of this speech end here")
            self._full = True

    def _forget(self) -> None:
        """Drops what no turn can begin with any more."""
        quiet_hops = self._analysed - (self._turns.hops if self._turns.heard else 0)
        needed = self._bytes(self._since(quiet_hops) + self._options.prefix_padding_duration)
        del self._buffer[: max(len(self._buffer) - needed, 0)]
        self._full = False

    def _change(self) -> VADEvent:
        """A turn began or ended with the last hop."""
        at = self._analysed - self._turns.hops
        speaking = self._turns.speaking
        if speaking:
            self._began = at
        else:
            self._ended = at
        return VADEvent(
            type=VADEventType.START_OF_SPEECH if speaking else VADEventType.END_OF_SPEECH,
            samples_index=self._samples,
            timestamp=self._now,
            speech_duration=self._since(at) if speaking else (at - self._began) * _HOP_SECONDS,
            silence_duration=0 if speaking else self._since(at),
            frames=[self._turn_frame()],
            speaking=speaking,
        )

    def _turn_frame(self) -> rtc.AudioFrame:
        samples = len(self._buffer) // self._frame_bytes
        return rtc.AudioFrame(bytes(self._buffer), self._rate_hz, self._channels, samples)

    def _tell_analysed(self) -> None:
        turns = self._turns
        run = turns.hops * _HOP_SECONDS
        event = VADEvent(
            type=VADEventType.INFERENCE_DONE,
            samples_index=self._samples,
            timestamp=self._now,
            speech_duration=self._since(self._began) if turns.speaking else 0,
            silence_duration=0 if turns.speaking else self._since(self._ended),
            frames=self._untold,
            probability=probability(self._detector.posterior),
            inference_duration=self._inference_seconds,
            speaking=turns.speaking,
            raw_accumulated_silence=0 if turns.heard else run,
            raw_accumulated_speech=run if turns.heard else 0,
        )
        self._event_ch.send_nowait(event)
        self._untold, self._inference_seconds = [], 0.0
