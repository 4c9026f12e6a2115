"""Whether the user speaks while nobody can hear it, and the notice that says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ._core import HOP_MS, Detector, Event, MutedSpeech

if TYPE_CHECKING:
    from .sources import Buffer


class SpeakingWhileMuted:
    """Follows a detector, and reports when the user starts and stops speaking while muted.

    `on_change` gets each new value of `is_speaking`, `on_notice` each new value of `notice`; `changes` iterates over the
    former. Times are those of the stream. `settings` are those of the notice: `duration_ms` (2000), `interval_ms` (0: the
    least time from the beginning of a notice to that of the next), `is_once_per_mute` and `is_enabled`.
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
        self.settings.set("microphone_muted", detector.muted)

    @property
    def is_speaking(self) -> bool:
        """Whether the user speaks while muted."""
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
        """Whether the microphone is muted, for the detector too."""
        return self.detector.muted

    @muted.setter
    def muted(self, muted: bool) -> None:
        self.detector.muted = muted
        self.set_requirement("microphone_muted", muted)

    def set_requirement(self, requirement: str, is_met: bool) -> None:
        """Sets whether something holds that only the host knows, such as 'session_active'.

        All requirements are met at first, except 'microphone_muted'. Raises ValueError for a name that is none.
        """
        self._tell(self.settings.set(requirement, is_met))

    def process(self, samples: Buffer) -> list[Event]:
        """Passes samples to the detector. Returns its events."""
        events = self.detector.process(samples)
        self.handle(events)
        return events

    def handle(self, events: Iterable[Event]) -> None:
        """Takes the events of a call that you have made yourself, none too: the notice ends by the time of the stream."""
        for event in events:
            self._tell(self.settings.handle(event))
        self._tell(False)

    def changes(self, chunks: Iterable[Buffer]) -> Iterator[bool]:
        """Passes chunks to the detector, and yields each new value of `is_speaking`."""
        value = self.is_speaking
        for chunk in chunks:
            self.process(chunk)
            if self.is_speaking != value:
                value = not value
                yield value

    def dismiss(self, number: int) -> None:
        """Hides the notice of this number, and no other."""
        if self.settings.dismiss(number) and self._on_notice:
            self._on_notice(None)

    def input_replaced(self) -> None:
        """Forgets the speech heard so far: another microphone, or a reconnection."""
        self._tell(self.settings.input_replaced())

    def end(self) -> None:
        """Ends the call. Nothing is reported afterwards."""
        self._tell(self.settings.end())

    def _tell(self, has_changed: bool) -> None:
        if has_changed and self._on_change:
            self._on_change(self.is_speaking)
        if self.settings.update(self.detector.hops * HOP_MS) and self._on_notice:
            self._on_notice(self.notice)
