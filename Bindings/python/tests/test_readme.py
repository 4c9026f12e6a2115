"""The examples of README.md, in order, as a reader would run them."""

import contextlib
import io
import os
import re
import tempfile
import unittest
from array import array
from pathlib import Path
from typing import Any

from voiceactivity import segments

from .support import needs_samples, read, write_wave

PAGE = Path(__file__).resolve().parent.parent / "README.md"


@needs_samples
class Readme(unittest.TestCase):
    def test_every_example_runs(self) -> None:
        rate_hz, samples = read("speech.flac")
        names: dict[str, Any] = {}
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
            os.chdir(folder)
            self.addCleanup(os.chdir, before)
            write_wave("meeting.wav", rate_hz, array("h", (round(sample * 32768) for sample in samples)).tobytes())
            blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
            for block in blocks:
                exec(compile(block, str(PAGE), "exec"), names)
            os.chdir(before)
        self.assertGreater(len(blocks), 6)
        first = segments(samples, rate_hz)[0]
        self.assertIn(f"{first.start:.2f} to {first.end:.2f} s\n", said.getvalue())


if __name__ == "__main__":
    unittest.main()
