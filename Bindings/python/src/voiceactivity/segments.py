"""The speech of a recording, an array, or a stream of chunks, and what was measured."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Literal, TypedDict, cast

from ._core import Detector, EchoReference, Frames
from .shaping import Rules, Segment, Segmenter
from .sources import Chunks, length, open_source, without_first
from .warning import warn

if TYPE_CHECKING:
    from typing import Any, Unpack

    from ._core import Event
    from .sources import Buffer, Source


class Settings(TypedDict, total=False):
    """The settings of a Detector that decide what is speech."""

    preset: Literal["conversation", "notice", "transcription"]
    onset_threshold: float | None
    offset_threshold: float | None
    onset_debounce_ms: int | None
    hangover_ms: int | None


def segments(
    source: Source,
    sample_rate_hz: int | None = None,
    *,
    channel: int | None = None,
    reference: Source | None = None,
    pad_ms: float | tuple[float, float] = 0,
    min_speech_ms: float = 0,
    min_silence_ms: float = 200,
    max_speech_ms: float | None = None,
    **settings: Unpack[Settings],
) -> list[Segment]:
    """Returns the segments of speech.

    `source` is the name of a recording, a binary file, an array (samples, or frames by channels), bytes of 16-bit PCM,
    or an iterable of such chunks. Recordings state their sample rate; the others need `sample_rate_hz`, 8000 to
    192000. Of several channels the mean is heard, or the `channel` of a recording, counted from 0. `reference` is what
    loudspeakers beside the microphone played meanwhile, on up to 8 channels; its speech does not count.

    Silences shorter than `min_silence_ms` are joined, then speech shorter than `min_speech_ms` is dropped. No segment
    is longer than `max_speech_ms`: longer ones are cut in the second half of the limit, where there is least speech for
    200 ms, in the middle of the longest silence, and the next segment begins there. Each segment is then extended by
    `pad_ms` on both sides, or by two lengths, before (pre-roll) and after, except where speech was cut. Lengths are
    rounded to milliseconds and at most an hour. The settings are those of Detector.

    Decisions use up to 0.7 s of the sound that follows, as those of a smoothed Detector.

    Raises OSError, RecordingError (the recording cannot be read), ValueError or TypeError. Warns if a recording is
    torn or damaged, and if samples are not finite.
    """
    _accept(settings, segments)
    rules = Rules.checked(pad_ms, min_speech_ms, min_silence_ms, max_speech_ms)
    with ExitStack() as opened:
        return list(_Analysis(opened, source, sample_rate_hz, channel, reference, settings).segments(rules))


def iter_segments(
    source: Source,
    sample_rate_hz: int | None = None,
    *,
    channel: int | None = None,
    reference: Source | None = None,
    pad_ms: float | tuple[float, float] = 0,
    min_speech_ms: float = 0,
    min_silence_ms: float = 200,
    max_speech_ms: float | None = None,
    **settings: Unpack[Settings],
) -> Iterator[Segment]:
    """Returns the same segments as `segments`, each as soon as no later sound can change it.

    As decisions use what follows, that is 0.7 s later than a live Detector would know. The arguments and the errors are
    those of `segments`; the call itself raises what is wrong with the arguments. A file is open as long as the iterator
    is.
    """
    _accept(settings, iter_segments)
    rules = Rules.checked(pad_ms, min_speech_ms, min_silence_ms, max_speech_ms)

    def begin() -> Iterator[Segment | None]:
        with ExitStack() as opened:
            analysis = _Analysis(opened, source, sample_rate_hz, channel, reference, settings)
            yield None
            yield from analysis.segments(rules)

    iterator = begin()
    next(iterator)  # raises what is wrong with the arguments; from here on, its end closes what was opened
    return cast("Iterator[Segment]", iterator)


def frames(
    source: Source,
    sample_rate_hz: int | None = None,
    *,
    channel: int | None = None,
    reference: Source | None = None,
    **settings: Unpack[Settings],
) -> Frames:
    """Returns what is measured in each hop of 10 ms: numpy.asarray(frames(…).posterior) is an array of them.

    Posteriors, states and `speech` use up to 0.7 s of the sound that follows. The arguments and the errors are those of
    `segments`.
    """
    _accept(settings, frames)
    all_frames = Frames()
    with ExitStack() as opened:
        for _ in _Analysis(opened, source, sample_rate_hz, channel, reference, settings).events(all_frames):
            pass
    return all_frames


async def asegments(
    chunks: AsyncIterable[Buffer],
    sample_rate_hz: int,
    *,
    pad_ms: float | tuple[float, float] = 0,
    min_speech_ms: float = 0,
    min_silence_ms: float = 200,
    max_speech_ms: float | None = None,
    **settings: Unpack[Settings],
) -> AsyncIterator[Segment]:
    """Yields the segments of an asynchronous stream of chunks, each as soon as no later sound can change it.

    As decisions use what follows, that is 0.7 s later than a live Detector would know. The arguments and the errors
    are those of `segments`; the first step of the iteration raises them.
    """
    _accept(settings, asegments)
    detector = Detector(sample_rate_hz, smoothed=True, **settings)
    segmenter = Segmenter(detector, Rules.checked(pad_ms, min_speech_ms, min_silence_ms, max_speech_ms))
    heard = 0
    async for chunk in chunks:
        for segment in segmenter.push(detector.process(chunk, frames=segmenter.frames)):
            yield segment
        heard += length(chunk)
    for segment in segmenter.push(detector.flush(frames=segmenter.frames)):
        yield segment
    for segment in segmenter.finish(heard):
        yield segment


def _accept(settings: Settings, function: Any) -> None:
    """Raises TypeError for an argument that `function` does not have, and suggests one."""
    for name in settings.keys() - Settings.__annotations__.keys():
        from difflib import get_close_matches

        code = function.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        alike = get_close_matches(name, [*names, *Settings.__annotations__], 1)
        suggestion = f"; did you mean {alike[0]!r}?" if alike else "."
        raise TypeError(f"{function.__name__} has no argument {name!r}{suggestion}")


class _Analysis:
    """A detector and what it is to hear."""

    def __init__(
        self,
        opened: ExitStack,
        source: Source,
        rate_hz: int | None,
        channel: int | None,
        reference: Source | None,
        settings: Settings,
    ) -> None:
        """Opens the source and the reference. Ending `opened` closes them, also after an error."""

        def open_one(one: Source, channel: int | None) -> Chunks:
            chunks = open_source(one, rate_hz, channel, *([PERIOD_SECONDS] if reference is not None else []))
            opened.callback(chunks.close)
            return chunks

        self.chunks = open_one(source, channel)
        self.rate_hz = self.chunks.sample_rate_hz
        self.played = None if reference is None else _Played(open_one(reference, None))
        echo = self.played.echo if self.played else None
        self.detector = Detector(self.rate_hz, echo=echo, smoothed=True, **settings)
        self.heard = 0

    def events(self, frames: Frames | None) -> Iterator[list[Event]]:
        """Analyses a chunk at a time, to the end of the stream."""
        for samples in self.chunks.samples:
            if self.played:
                self.played.push_until((self.heard + length(samples)) / self.rate_hz)
            events = self.detector.process(samples, frames=frames)
            self.heard += length(samples)
            yield events
        yield self.detector.flush(frames=frames)
        count = self.detector.non_finite_samples
        if count:
            warn(f"{self.chunks.name} has {count} samples that are NaN or infinite; they count as 0.", RuntimeWarning)

    def segments(self, rules: Rules) -> Iterator[Segment]:
        segmenter = Segmenter(self.detector, rules)
        for events in self.events(segmenter.frames):
            yield from segmenter.push(events)
        yield from segmenter.finish(self.heard)


# With a reference: it may come up to 100 ms before the microphone's sound, and must not come after it.
PERIOD_SECONDS = 0.02
# It counts as played so much earlier, so that one that was recorded late still comes before its echo.
LEAD_MS = 60


class _Played:
    """What the loudspeaker plays, in step with the microphone."""

    def __init__(self, chunks: Chunks) -> None:
        self.chunks = chunks
        self.echo = EchoReference(chunks.sample_rate_hz)
        self.pushed = 0
        self.early = chunks.sample_rate_hz * LEAD_MS // 1000  # samples that are still to be left out

    def push_until(self, seconds: float) -> None:
        while self.pushed < seconds * self.chunks.sample_rate_hz:
            samples = next(self.chunks.samples, None)
            if samples is None:
                missing = int(seconds * self.chunks.sample_rate_hz) - self.pushed + 1
                self.echo.push_silence(missing)
                self.pushed += missing
            else:
                if self.early >= length(samples):
                    self.early -= length(samples)
                    continue
                if self.early:
                    samples, self.early = without_first(samples, self.early), 0
                self.echo.push(samples)
                self.pushed += length(samples)
