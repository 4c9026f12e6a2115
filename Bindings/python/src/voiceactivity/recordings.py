"""Reads recordings as chunks of interleaved samples: WAV by itself, other formats with soundfile or ffmpeg."""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Callable, Iterator
from struct import calcsize, unpack_from
from typing import IO, Any, NamedTuple, TypeAlias

from . import ogg
from .warning import warn

File: TypeAlias = str | os.PathLike[str] | IO[bytes]

# A header may state any length and any rate, so that reads have limits of their own.
_BLOCK, _MOST_BYTES = 1 << 16, 1 << 24
# How samples of a tag and a width in bytes come, as in array. Integers keep their upper bytes.
_WAVE_CODES = {(1, 1): "h", (1, 2): "h", (1, 3): "i", (1, 4): "i", (3, 4): "f", (3, 8): "d"}
_SIGNED = bytes(byte ^ 0x80 for byte in range(256))


class RecordingError(ValueError):
    """A recording cannot be read. The message says why, and what helps."""


class Recording(NamedTuple):
    """Chunks of interleaved samples, integers or floats, and what ends the reading early."""

    sample_rate_hz: int
    channels: int
    chunks: Iterator[memoryview[Any]]
    close: Callable[[], object]


def open_recording(source: File, chunk_seconds: float) -> Recording:
    """Opens a file by its name, or a binary file.

    Raises OSError if the file cannot be opened and RecordingError if nothing reads it.
    """
    is_pipe, readers = False, (_open_wave, _open_soundfile, _open_ffmpeg)
    if isinstance(source, str | os.PathLike):
        fault = ogg.fault(source)
        if fault == "damaged":
            readers = (_open_repaired, _open_soundfile)
        elif fault:
            warn(f"{name_of(source)} is cut off; what is there was analysed.")
    elif not source.seekable():
        is_pipe, readers = True, (_open_wave,)
    for reader in readers:
        recording = reader(source, chunk_seconds)
        if recording:
            return recording
        if not isinstance(source, str | os.PathLike) and not is_pipe:
            source.seek(0)
    if is_pipe:
        raise RecordingError(f"{name_of(source)} is a pipe without a WAV of PCM: write to a file, or pass raw PCM.")
    if soundfile_module():
        raise RecordingError(
            f"{name_of(source)} is not a recording that soundfile reads: ffmpeg reads more, if it is installed and "
            "gets the name of a file."
        )
    raise RecordingError(
        f"{name_of(source)} is not a WAV of PCM: install soundfile (pip install soundfile) or ffmpeg, which read other "
        "formats."
    )


def soundfile_module() -> Any:
    """Returns soundfile, or None where it or its library is not installed."""
    try:
        import soundfile  # pyright: ignore[reportMissingTypeStubs]
    except (ImportError, OSError):  # OSError: the package is there, libsndfile is not
        return None
    return soundfile


def name_of(source: File) -> str:
    """Returns what messages call a file."""
    return os.fspath(source) if isinstance(source, str | os.PathLike) else str(getattr(source, "name", "The file"))


def _frames(seconds: float, sample_rate_hz: int) -> int:
    return max(int(seconds * sample_rate_hz), 1)


class _Wave(NamedTuple):
    sample_rate_hz: int
    channels: int
    code: str
    width: int  # bytes of a sample in the file
    stated: int | None  # bytes of samples


def _open_wave(source: File, chunk_seconds: float) -> Recording | None:
    file = open(source, "rb") if isinstance(source, str | os.PathLike) else source  # noqa: SIM115: until `close`
    close = nothing if file is source else file.close
    wave = _wave_header(file)
    if not wave:
        close()
        return None
    chunks = _wave_chunks(file, wave, name_of(source), chunk_seconds)
    return Recording(wave.sample_rate_hz, wave.channels, chunks, close)


def _wave_header(file: IO[bytes]) -> _Wave | None:
    """Reads up to the first sample. The size of the whole file, which writers to a pipe do not know, is not needed."""
    head, form = _read(file, 12), b""
    if head[:4] != b"RIFF" or head[8:] != b"WAVE":
        return None
    while len(head := _read(file, 8)) == 8:
        name, size = head[:4], int.from_bytes(head[4:], "little")
        if name == b"data":
            break
        left = size + size % 2
        while left and (chunk := _read(file, min(left, _BLOCK))):
            form = chunk if name == b"fmt " else form
            left -= len(chunk)
    else:
        return None
    if len(form) < 16:
        return None
    tag, channels, rate_hz, _, frame_size, bits = unpack_from("<HHIIHH", form)
    if tag == 0xFFFE and len(form) >= 26:  # extensible
        (tag,) = unpack_from("<H", form, 24)
    if not channels or not rate_hz:
        return None
    width = frame_size // channels or (bits + 7) // 8
    code = _WAVE_CODES.get((tag, width))
    return _Wave(rate_hz, channels, code, width, _stated(size)) if code and bits <= 8 * width else None


def _stated(size: int) -> int | None:
    """Returns a size that a header states, or None for what writers to a pipe use, who do not know it."""
    half, whole = 1 << 31, 1 << 32
    is_placeholder = size == 0 or half - (1 << 25) <= size <= half + (1 << 16) or size >= whole - (1 << 16)
    return None if is_placeholder else size


def _wave_chunks(file: IO[bytes], wave: _Wave, name: str, chunk_seconds: float) -> Iterator[memoryview[Any]]:
    size = wave.channels * wave.width
    most, read = min(_frames(chunk_seconds, wave.sample_rate_hz), _MOST_BYTES // size) * size, 0
    while data := _read(file, most if wave.stated is None else min(most, wave.stated - read)):
        read += len(data)
        if samples := _wave_samples(data[: len(data) // size * size], wave):
            yield memoryview(samples)
    if wave.stated is not None and read // size < wave.stated // size:
        seconds = read // size / wave.sample_rate_hz
        warn(f"{name} ends at {seconds:.2f} s, before its header says; what is there was analysed.")


def _wave_samples(data: bytes | bytearray, wave: _Wave) -> array[Any]:
    wide = calcsize(wave.code)
    if wave.width < wide:
        stored = data.translate(_SIGNED) if wave.width == 1 else data
        data = bytearray(len(data) // wave.width * wide)
        for byte in range(wave.width):
            data[wide - wave.width + byte :: wide] = stored[byte :: wave.width]
    samples = array(wave.code, data)
    if sys.byteorder == "big":
        samples.byteswap()
    return samples


def _read(file: IO[bytes], count: int) -> bytes:
    """Returns so many bytes, or fewer at the end. A pipe may return fewer at a time."""
    data = file.read(count)
    while data and len(data) < count and (more := file.read(count - len(data))):
        data += more
    return data


def nothing() -> None:
    pass


def _open_soundfile(source: File, chunk_seconds: float) -> Recording | None:
    soundfile = soundfile_module()
    if not soundfile:
        return None
    path = os.fsencode(source) if isinstance(source, str | os.PathLike) else source  # names need not be Unicode
    try:
        file = soundfile.SoundFile(path)
    except (soundfile.LibsndfileError, TypeError):  # TypeError: a name that ends with .raw
        return None

    def chunks() -> Iterator[memoryview[Any]]:
        frames, read = _frames(chunk_seconds, file.samplerate), 0
        try:
            while chunk := bytes(file.buffer_read(frames, dtype="float32")):
                read += len(chunk) // (4 * file.channels)
                yield memoryview(chunk).cast("f")
        except (soundfile.SoundFileError, AssertionError):  # soundfile asserts that it gets what libsndfile promised
            seconds = read / file.samplerate
            warn(f"{name_of(source)} is damaged from {seconds:.2f} s on; what is before it was analysed.")
            return
        missing = (file.frames - read) / file.samplerate
        if 0.1 < missing < 1e9:  # lossy formats round; streams state the largest length
            warn(
                f"{name_of(source)} lacks {missing:.2f} s of what it states; if they are not at its end, later times "
                "are early."
            )

    return Recording(file.samplerate, file.channels, chunks(), file.close)


def _open_repaired(source: File, chunk_seconds: float) -> Recording | None:
    """Reads a damaged Ogg with ffmpeg, which keeps time by that of its pages. libsndfile leaves out what is missing."""
    # A time that does not advance is none; sound would be dropped.
    repair = r"asetpts=if(lte(PTS\,PREV_INPTS)\,NAN\,PTS),aresample=async=1"
    recording = _open_ffmpeg(source, chunk_seconds, "-af", repair)

    def chunks() -> Iterator[memoryview[Any]]:
        assert recording
        yield from recording.chunks
        warn(f"{name_of(source)} is damaged; what could not be decoded counts as silence.")

    return recording and recording._replace(chunks=chunks())


def _open_ffmpeg(source: File, chunk_seconds: float, *options: str) -> Recording | None:
    import shutil

    program = shutil.which("ffmpeg")
    if not program or not isinstance(source, str | os.PathLike):
        return None
    import subprocess
    import tempfile

    # `file:` keeps ffmpeg from taking a name for a protocol.
    url = "file:" + os.fspath(source)
    command = [program, "-v", "error", "-nostdin", "-i", url]
    command += ["-vn", "-map", "0:a:0", *options, "-c:a", "pcm_f32le", "-f", "wav", "-"]
    said = tempfile.TemporaryFile()  # noqa: SIM115: a pipe would fill while nobody reads it
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said)
    output = process.stdout
    assert output
    recording = _open_wave(output, chunk_seconds)

    def close() -> None:
        process.kill()
        output.close()
        process.wait()
        said.close()

    def chunks() -> Iterator[memoryview[Any]]:
        assert recording
        yield from recording.chunks
        process.wait()
        if process.returncode:
            raise RecordingError(f"ffmpeg stopped reading {name_of(source)}: {_last_line(said, url)}.")

    if recording:
        return Recording(recording.sample_rate_hz, recording.channels, chunks(), close)
    output.close()
    process.wait()
    with said:
        raise RecordingError(f"{name_of(source)} is not a recording that ffmpeg reads: {_last_line(said, url)}.")


def _last_line(said: IO[bytes], url: str) -> str:
    said.seek(max(0, said.seek(0, os.SEEK_END) - 4096))
    last = (said.read().decode(errors="replace").strip().splitlines() or ["it gives no reason"])[-1]
    return last.removeprefix(f"{url}: ")
