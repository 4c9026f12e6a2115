"""Reads recordings as chunks of interleaved samples: WAV by itself, other formats with soundfile or ffmpeg."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

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
            f"{_name(source)} is a pipe without a WAV of 16-bit samples: write to a file, or pass raw PCM."
        )
    raise RecordingError(
        f"{_name(source)} is not a WAV file with 16-bit samples: install soundfile (pip install soundfile) or ffmpeg, "
        "which read other formats."
    )


def _name(source: str | os.PathLike[str] | IO[bytes]) -> str:
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
    chunks = _wave_chunks(file, _name(source), _frames(chunk_seconds, file.getframerate()))
    return Recording(file.getframerate(), file.getnchannels(), chunks, file.close)


def _wave_chunks(file: wave.Wave_read, name: str, frames: int) -> Iterator[memoryview[Any]]:
    size, read = file.getnchannels() * 2, 0
    while chunk := file.readframes(frames):
        whole = len(chunk) // size * size
        read += whole // size
        if whole:
            yield memoryview(chunk)[:whole].cast("h")
    if read < file.getnframes() < 0x7FFFFFFF // size:  # streams state the largest length
        import warnings

        seconds = read / file.getframerate()
        warnings.warn(
            f"{name} ends at {seconds:.2f} s, before its header says; what is there was analysed.", stacklevel=2
        )


def _open_soundfile(source: str | os.PathLike[str] | IO[bytes], chunk_seconds: float) -> Recording | None:
    try:
        import soundfile  # pyright: ignore[reportMissingTypeStubs]
    except (ImportError, OSError):  # OSError: the package is there, libsndfile is not
        return None
    try:
        file: Any = soundfile.SoundFile(cast("Any", source))
    except soundfile.LibsndfileError:
        return None

    def chunks() -> Iterator[memoryview[Any]]:
        frames = _frames(chunk_seconds, file.samplerate)
        while chunk := bytes(file.buffer_read(frames, dtype="float32")):
            yield memoryview(chunk).cast("f")

    return Recording(file.samplerate, file.channels, chunks(), file.close)


def _open_ffmpeg(source: str | os.PathLike[str] | IO[bytes], chunk_seconds: float) -> Recording | None:
    import shutil

    program = shutil.which("ffmpeg")
    if not program or not isinstance(source, str | os.PathLike):
        return None
    import subprocess

    # `file:` keeps ffmpeg from taking a name for a protocol.
    command = [program, "-v", "error", "-nostdin", "-i", "file:" + os.fspath(source)]
    command += ["-vn", "-c:a", "pcm_s16le", "-f", "wav", "-"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout and process.stderr
    recording = _open_wave(process.stdout, chunk_seconds)

    def close() -> None:
        process.kill()
        process.communicate()

    def chunks() -> Iterator[memoryview[Any]]:
        assert recording
        yield from recording.chunks
        said = _last_line(process.communicate()[1])
        if process.returncode:
            raise RecordingError(f"ffmpeg stopped reading {_name(source)}: {said}.")

    if recording:
        return Recording(recording.sample_rate_hz, recording.channels, chunks(), close)
    said = _last_line(process.communicate()[1])
    raise RecordingError(f"{_name(source)} is not a recording that ffmpeg reads: {said}.")


def _last_line(said: bytes) -> str:
    return (said.decode(errors="replace").strip().splitlines() or ["it gives no reason"])[-1]
