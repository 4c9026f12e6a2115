#!/usr/bin/env python3
"""Compares the Python package's adapters and faces with the VADs that they replace, and prints Markdown:

  make python-adapters, or afterwards
  .build-python/adapters/python/bin/python Benchmarks/adapters/compare.py [FOLDER…]

The recordings are those of samples/, or of the folders: each is an audio file with a label track beside it, NAME.txt.

All run with the settings that their framework has, on the same sound in the same pieces. faster-whisper's filter hears
the whole recording before it decides. It is to find each labelled turn, and so ends at 200 ms of silence and pads
nothing. Its delays are those of the segments' ends.
"""

import asyncio
import sys
from pathlib import Path

from face_turns import measure as faces
from filter_turns import measure as faster_whisper
from labelled import HEADER, SAMPLES, recordings
from livekit_turns import measure as livekit
from pipecat_turns import measure as pipecat


async def main() -> None:
    heard = recordings([Path(name) for name in sys.argv[1:]] or [SAMPLES])
    print(HEADER)
    for measure in (pipecat, livekit, faster_whisper, faces):
        for name, score in (await measure(heard)).items():
            print(score.row(name))


if __name__ == "__main__":
    asyncio.run(main())
