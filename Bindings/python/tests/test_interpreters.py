"""What Python itself asks of an extension: interrupts, interpreters beside each other, builds without a GIL."""

import subprocess
import sys
import sysconfig
import threading
import unittest

from voiceactivity import Detector, Frames

# Runs `call` on a detector of 8000 Hz, and sends SIGINT once the call has decided some hops.
INTERRUPTED = """
import os, signal, threading, numpy
from voiceactivity import Detector, process_batch
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
detector, silence = Detector(8000), numpy.zeros(1 << 30, numpy.int16)
def interrupt():
    while detector.hops < 1000:
        pass
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    detector.reset()  # nobody has it
"""

SUBINTERPRETER = """
import sys
if sys.version_info < (3, 13):
    import _xxsubinterpreters as interpreters
else:
    import _interpreters as interpreters
import voiceactivity
code = "import voiceactivity; d = voiceactivity.Detector(); d.process(bytes(32000)); assert d.hops == 97, d.hops"
for _ in range(3):
    one = interpreters.create()
    failure = interpreters.run_string(one, code)
    assert failure is None, failure
    interpreters.destroy(one)
print("imported")
"""


def run(code: str) -> str:
    """Returns what a new interpreter prints, or how it ended without a word; a call that does not end fails after a minute."""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    return result.stdout.strip() or f"exit status {result.returncode}: {result.stderr}"


@unittest.skipIf(sys.platform == "win32", "Windows has no SIGINT for a process by itself")
class Interrupts(unittest.TestCase):
    def test_ctrl_c_ends_every_long_call(self) -> None:
        for call in (
            "detector.process(silence)",
            "detector.process(silence.reshape(-1, 2))",
            "detector.gap(2**40)",
            "detector.push_level(2**40, 100, False)",
            "process_batch([detector, Detector()], [silence, silence])",
        ):
            self.assertEqual(run(INTERRUPTED.format(call=call)), "interrupted", call)


class Interpreters(unittest.TestCase):
    @unittest.skipIf(sys.version_info < (3, 12), "interpreters have a GIL of their own from 3.12 on")
    def test_other_interpreters_import_it(self) -> None:
        self.assertEqual(run(SUBINTERPRETER), "imported")

    @unittest.skipUnless(sysconfig.get_config_var("Py_GIL_DISABLED"), "this Python has a GIL")
    def test_the_import_switches_no_gil_on(self) -> None:
        self.assertFalse(getattr(sys, "_is_gil_enabled")())

    def test_frames_are_appended_whole_whatever_other_threads_do(self) -> None:
        """Each append either happens or raises RuntimeError."""
        frames, appended = Frames(), list[int]()

        def append() -> None:
            detector, count = Detector(), 0
            for _ in range(200):
                try:
                    before = detector.hops
                    detector.process(bytes(32000), frames=frames)
                    count += detector.hops - before
                except RuntimeError:
                    pass
            appended.append(count)

        threads = [threading.Thread(target=append) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if not sysconfig.get_config_var("Py_GIL_DISABLED"):
            self.assertEqual(len(frames), sum(appended))
        self.assertEqual(len(frames), len(frames.posterior))


if __name__ == "__main__":
    unittest.main()
