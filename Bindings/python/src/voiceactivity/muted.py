"""Whether the user speaks while nobody can hear it, and the notice that says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ._core import HOP_MS, Detector, Event, MutedSpeech

if TYPE_CHECKING:
    from .sources import Buffer

    Call = tuple[Callable[[Any], object], Any]


class SpeakingWhileMuted:
    """Follows a detector, and reports when the user starts and stops speaking while muted.

    `on_change` gets each new value of `is_speaking`, `on_notice` each new value of `notice`; `changes` iterates over
    the former. A call takes all its events before it calls back, and raises a callback's error after the last one.

    Times are those of the sound: they go on when the detector is reset. What is done to the detector itself, `muted`
    and `reset()`, counts from the next look or call here; an unmute between two calls is not seen, so that
    `is_once_per_mute` needs `muted` here. `settings` are those of the notice: `duration_ms` (2000), `interval_ms` (0:
    the least time from the beginning of a notice to that of the next), `is_once_per_mute` and `is_enabled`. The object
    is for the thread that uses the detector.
    """

    def __init__(
        self,
        detector: Detector,
        *,
        on_change: Callable[[bool], object] | None = None,
        on_notice: Callable[[int | None], object] | None = None,
    ) -> None:
        self.detector = detector
        self.settings = MutedSpeech()
        self._on_change, self._on_notice = on_change, on_notice
        self._earlier_hops = detector.earlier_hops
        self._reported = False
        self._time_ms = 0

    @property
    def is_speaking(self) -> bool:
        """Whether the user speaks while muted."""
        self._follow()
        return self.settings.is_speaking

    @property
    def notice(self) -> int | None:
        """The number of the notice to show now, such as NOTICE_TEXT."""
        return self.settings.shown or None

    @property
    def is_still_speaking(self) -> bool:
        """Whether the user is speaking while muted and no notice is shown."""
        return self.is_speaking and self.notice is None

    @property
    def muted(self) -> bool:
        """Whether the microphone is muted: `detector.muted`, reported at once."""
        return self.detector.muted

    @muted.setter
    def muted(self, muted: bool) -> None:
        self.detector.muted = muted
        self._tell()

    def set_requirement(self, requirement: str, is_met: bool) -> None:
        """Sets whether something holds that only the host knows, such as 'session_active'.

        All requirements are met at first, except 'microphone_muted', which is `muted`. Raises ValueError for a name
        that is none.
        """
        if requirement == "microphone_muted":
            self.muted = is_met
        else:
            self.settings.set(requirement, is_met)
            self._tell()

    def process(self, samples: Buffer) -> list[Event]:
        """Passes samples to the detector. Returns its events."""
        events = self.detector.process(samples)
        self.handle(events)
        return events

    def handle(self, events: Iterable[Event]) -> None:
        """Takes the events of a call that you have made yourself.

        Pass an empty list too, because the notice ends by the time of the stream.
        """
        self._tell(events)

    def changes(self, chunks: Iterable[Buffer]) -> Iterator[bool]:
        """Passes chunks to the detector, and yields each new value of `is_speaking`."""
        value = self.is_speaking
        for chunk in chunks:
            for new in (self.is_speaking, *self._tell(self.detector.process(chunk))):
                if new != value:
                    value = new
                    yield value

    def dismiss(self, number: int) -> None:
        """Hides the notice of this number, and no other."""
        if self.settings.dismiss(number) and self._on_notice:
            self._on_notice(None)

    def input_replaced(self) -> None:
        """Forgets the speech heard so far: another microphone, or a reconnection."""
        self.settings.input_replaced()
        self._tell()

    def end(self) -> None:
        """Ends the call. Nothing is reported afterwards."""
        self.settings.end()
        self._tell()

    def _follow(self) -> None:
        """Takes over what was done to the detector itself."""
        if self._earlier_hops != self.detector.earlier_hops:
            self._earlier_hops = self.detector.earlier_hops
            self.settings.input_replaced()
        self.settings.set("microphone_muted", self.detector.muted)

    def _tell(self, events: Iterable[Event] = ()) -> list[bool]:
        """Takes events, then calls back. Returns the new values of `is_speaking`."""
        self._follow()
        values: list[bool] = []
        calls: list[Call] = []
        earlier_ms = self._earlier_hops * HOP_MS
        for event in events:
            time_ms = earlier_ms + event.decided_at * 1000 // self.detector.sample_rate_hz
            self._look(time_ms, values, calls)  # a notice may have ended before
            self.settings.handle(event)
            self._look(time_ms, values, calls)
        if self.settings.is_speaking and not self.detector.is_muted_speech:
            self.settings.input_replaced()  # the events were those of a stream that was reset since
        self._look(earlier_ms + self.detector.hops * HOP_MS, values, calls)
        raised: Exception | None = None
        for call, value in calls:
            try:
                call(value)
            except Exception as error:
                raised = raised or error  # the others must still hear their news, which nobody tells again
        if raised:
            raise raised
        return values

    def _look(self, time_ms: int, values: list[bool], calls: list[Call]) -> None:
        """Notes what has changed by a time. Events are decided ahead of the hops, by the look-ahead."""
        self._time_ms = max(self._time_ms, time_ms)
        if self.settings.is_speaking != self._reported:
            self._reported = self.settings.is_speaking
            values.append(self._reported)
            if self._on_change:
                calls.append((self._on_change, self._reported))
        if self.settings.update(self._time_ms) and self._on_notice:
            calls.append((self._on_notice, self.notice))
