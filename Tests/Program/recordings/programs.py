"""Encoders and decoders. What a program wrote is kept in a folder, because many recordings have parts in common."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

FOLDER = Path(tempfile.gettempdir())  # files.py sets it


def converted(command: list[str], data: bytes, ending: str = "") -> bytes:
    """Runs a command whose words {in} and {out} are files: the first has the data, the second is the result. The name
    of the result ends in `ending`, by which some programs choose its format."""
    key = hashlib.sha256("\0".join([*command, ending, ""]).encode() + data).hexdigest()
    kept = FOLDER / key
    if not kept.exists():
        with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
            source, result = Path(folder, "in.wav"), Path(folder, f"out{ending}")
            source.write_bytes(data)
            names = {"{in}": str(source), "{out}": str(result)}
            run = subprocess.run(
                [names.get(word, word) for word in command], capture_output=True, stdin=subprocess.DEVNULL
            )
            if run.returncode or not result.exists():
                raise RuntimeError(f"{' '.join(command)}: {run.stderr.decode(errors='replace')[-400:]}")
            os.replace(result, kept)
    return kept.read_bytes()


def ffmpeg(data: bytes, *options: str, ending: str, before: tuple[str, ...] = ()) -> bytes:
    """What ffmpeg makes of a recording, in the format of the name's ending."""
    fixed = ["-v", "error", "-nostdin", "-bitexact"]
    return converted(["ffmpeg", *fixed, *before, "-i", "{in}", "-bitexact", *options, "{out}"], data, ending)
