"""What `segments` and `frames` take, as one thing: a sample rate, and chunks that a detector takes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from ._core import buffer
from .recordings import File, name_of, nothing, open_recording

if TYPE_CHECKING:
    from typing import Protocol

    class _Buffer(Protocol):
        def __buffer__(self, flags: int, /) -> memoryview: ...

    class _Array(Protocol):
        @property
        def __array_interface__(self) -> Any: ...

    class _Tensor(Protocol):
        def __array__(self) -> Any: ...
        def detach(self) -> Any: ...

    # Python has collections.abc.Buffer from 3.12 on, and only from then on NumPy's arrays declare that they are one.
    Buffer: TypeAlias = _Buffer | _Array | _Tensor
    Source: TypeAlias = File | Buffer | Iterable[Buffer]

# Long enough that the detector's calls cost nothing and release the GIL, short enough for a stream.
CHUNK_SECONDS = 0.5
_MOST_CHANNELS = 64  # that a detector takes


class Chunks(NamedTuple):
    """Samples in order, and what messages call them. `close` ends the reading."""

    name: str
    sample_rate_hz: int
    samples: Iterator[Buffer]
    close: Callable[[], object]


def open_source(
    source: Source, sample_rate_hz: int | None, channel: int | None, chunk_seconds: float = CHUNK_SECONDS
) -> Chunks:
    """Opens a recording by its name, a binary file, an array, bytes of 16-bit PCM, or an iterable of chunks."""
    if isinstance(source, str | os.PathLike) or hasattr(source, "read"):
        file = cast("File", source)
        recording = open_recording(file, chunk_seconds)
        if channel is not None and not 0 <= channel < recording.channels:
            recording.close()
            raise ValueError(f"There is no channel {channel}: the recording has {recording.channels}, counted from 0.")
        if channel is None and recording.channels > _MOST_CHANNELS:
            recording.close()
            raise ValueError(
                f"The recording has {recording.channels} channels, and at most {_MOST_CHANNELS} are mixed: choose one, "
                "such as channel=0."
            )
        selected = (_select(chunk, recording.channels, channel) for chunk in recording.chunks)
        return Chunks(name_of(file), recording.sample_rate_hz, selected, recording.close)
    if sample_rate_hz is None:
        raise TypeError("Samples without a header need sample_rate_hz, in Hz.")
    if channel is not None:
        raise TypeError("channel is for recordings: pass one channel of an array, such as samples[:, 0].")
    chunks: Iterator[Buffer]
    if _is_buffer(source):
        _refuse_recording(source)
        chunks = iter([cast("Buffer", source)])
    else:
        chunks = iter(cast("Iterable[Buffer]", source))
    if chunk_seconds < CHUNK_SECONDS:
        chunks = _cut(chunks, max(int(chunk_seconds * sample_rate_hz), 1))
    return Chunks("The sound", sample_rate_hz, chunks, nothing)


def length(chunk: Buffer) -> int:
    """Returns the samples of a chunk: of each channel, if it has several."""
    return len(_pieces(chunk))


def _pieces(chunk: Buffer) -> Any:
    """Returns a chunk so that slices of it are of samples. Only the array itself can be cut if it has two axes."""
    given = buffer(chunk)
    view = memoryview(given)
    return given if view.ndim > 1 else of_samples(view)


def of_samples(view: memoryview[Any]) -> memoryview[Any]:
    """Returns a view of samples, which bytes are two by two. Raises ValueError if one byte remains."""
    if view.itemsize > 1:
        return view
    if view.nbytes % 2 != 0:
        raise ValueError("Bytes are read as 16-bit samples, but their number is odd: pass whole samples.")
    return view.cast("h")


def without_first(chunk: Buffer, count: int) -> Buffer:
    """Returns what follows the first samples of a chunk, or all of it where that cannot be cut: of several channels."""
    pieces = _pieces(chunk)
    uncut = isinstance(pieces, memoryview) and pieces.ndim > 1
    return chunk if uncut else cast("Buffer", pieces[count:])


def _cut(chunks: Iterator[Buffer], frames: int) -> Iterator[Buffer]:
    """Yields pieces of at most `frames`."""
    for chunk in chunks:
        pieces = _pieces(chunk)
        for start in range(0, len(pieces), frames):
            yield pieces[start : start + frames]


def _select(chunk: memoryview[Any], channels: int, channel: int | None) -> Buffer:
    if channels == 1:
        return chunk
    if channel is not None:
        return chunk[channel::channels]
    shape = (len(chunk) // channels, channels)
    return cast("memoryview[Any]", chunk.cast("B").cast(cast("Any", chunk.format), shape))


def _is_buffer(source: object) -> bool:
    try:
        memoryview(buffer(source)).release()
    except TypeError:
        return False
    return True


def _refuse_recording(source: object) -> None:
    if isinstance(source, bytes) and source[:4] in (b"RIFF", b"fLaC", b"OggS"):
        raise ValueError("These bytes are a recording with a header: pass io.BytesIO(bytes).")
