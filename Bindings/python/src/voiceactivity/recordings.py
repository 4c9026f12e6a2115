"""Reads recordings as chunks of interleaved samples: WAV by itself, other formats with soundfile or ffmpeg."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from .warning import warn

if TYPE_CHECKING:
    import wave


class RecordingError(ValueError):
    """A recording cannot be read. The message says why, and what helps."""


class Recording(NamedTuple):
    """Chunks of interleaved int16 or float32 samples, and what ends the reading early."""

    sample_rate_hz: int
    channels: int
    chunks: Iterator[memoryview[Any]]
    close: Callable[[], object]


def open_recording(source: str | os.PathLike[str] | IO[bytes], chunk_seconds: float) -> Recording:
    """Opens a file by its name, or a binary file.

    Raises OSError if the file cannot be opened and RecordingError if nothing reads it.
    """
    if isinstance(source, str | os.PathLike):
        with open(source, "rb"):
            pass  # a missing file is the caller's mistake, whatever would read it
    is_pipe = not isinstance(source, str | os.PathLike) and not source.seekable()
    for reader in (_open_wave,) if is_pipe else (_open_wave, _open_soundfile, _open_ffmpeg):
        recording = reader(source, chunk_seconds)
        if recording:
            return recording
        if not isinstance(source, str | os.PathLike) and not is_pipe:
            source.seek(0)
    if is_pipe:
        raise RecordingError(
            f"{name_of(source)} is a pipe without a WAV of 16-bit samples: write to a file, or pass raw PCM."
        )
    raise RecordingError(
        f"{name_of(source)} is not a WAV file with 16-bit samples: install soundfile (pip install soundfile) or ffmpeg, "
        "which read other formats."
    )


def name_of(source: str | os.PathLike[str] | IO[bytes]) -> str:
    return os.fspath(source) if isinstance(source, str | os.PathLike) else str(getattr(source, "name", "The file"))


def _frames(seconds: float, sample_rate_hz: int) -> int:
    return max(int(seconds * sample_rate_hz), 1)


def _open_wave(source: str | os.PathLike[str] | IO[bytes], chunk_seconds: float) -> Recording | None:
    import wave

    try:
        file = wave.open(os.fspath(source) if isinstance(source, os.PathLike) else source, "rb")
    except (wave.Error, EOFError):
        return None
    if file.getsampwidth() != 2:
        file.close()
        return None
    chunks = _wave_chunks(file, name_of(source), _frames(chunk_seconds, file.getframerate()))
    return Recording(file.getframerate(), file.getnchannels(), chunks, file.close)


def _wave_chunks(file: wave.Wave_read, name: str, frames: int) -> Iterator[memoryview[Any]]:
    size, read = file.getnchannels() * 2, 0
    while chunk := file.readframes(frames):
        whole = len(chunk) // size * size
        read += whole // size
        if whole:
            yield memoryview(chunk)[:whole].cast("h")
    if read < file.getnframes() < 0x7FFFFFFF // size:  # streams state the largest length
        seconds = read / file.getframerate()
        warn(f"{name} ends at {seconds:.2f} s, before its header says; what is there was analysed.")


def _open_soundfile(source: str | os.PathLike[str] | IO[bytes], chunk_seconds: float) -> Recording | None:
    try:
        import soundfile  # pyright: ignore[reportMissingTypeStubs]
    except (ImportError, OSError):  # OSError: the package is there, libsndfile is not
        return None
    path = os.fsencode(source) if isinstance(source, str | os.PathLike) else source  # names need not be Unicode
    try:
        file: Any = soundfile.SoundFile(cast("Any", path))
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
                f"{name_of(source)} lacks {missing:.2f} s of what it states; if they are not at its end, later times are "
                "early."
            )

    return Recording(file.samplerate, file.channels, chunks(), file.close)


def _open_ffmpeg(source: str | os.PathLike[str] | IO[bytes], chunk_seconds: float) -> Recording | None:
    import shutil

    program = shutil.which("ffmpeg")
    if not program or not isinstance(source, str | os.PathLike):
        return None
    import subprocess
    import tempfile

    # `file:` keeps ffmpeg from taking a name for a protocol.
    command = [program, "-v", "error", "-nostdin", "-i", "file:" + os.fspath(source)]
    command += ["-vn", "-map", "0:a:0", "-c:a", "pcm_s16le", "-f", "wav", "-"]
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
            raise RecordingError(f"ffmpeg stopped reading {name_of(source)}: {_last_line(said)}.")

    if recording:
        return Recording(recording.sample_rate_hz, recording.channels, chunks(), close)
    output.close()
    process.wait()
    with said:
        raise RecordingError(f"{name_of(source)} is not a recording that ffmpeg reads: {_last_line(said)}.")


def _last_line(said: IO[bytes]) -> str:
    said.seek(max(0, said.seek(0, os.SEEK_END) - 4096))
    return (said.read().decode(errors="replace").strip().splitlines() or ["it gives no reason"])[-1]
