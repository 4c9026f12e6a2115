"""When turns begin and end, and what an import without the framework tells."""

import importlib
import sys
import unittest
from unittest import mock

from voiceactivity.adapters.turns import Turns, hops


def changes(turns: Turns, posteriors: list[float]) -> list[int]:
    return [hop for hop, posterior in enumerate(posteriors) if turns.take(posterior)]


class TurnsTests(unittest.TestCase):
    def test_a_turn_lasts_from_the_start_hops_to_the_stop_hops(self) -> None:
        posteriors = [0.0] * 5 + [0.9] * 10 + [0.1] * 10
        self.assertEqual(changes(Turns(0.8, 0.4, 3, 4), posteriors), [7, 18])

    def test_between_the_thresholds_a_turn_goes_on_but_none_begins(self) -> None:
        self.assertEqual(changes(Turns(0.8, 0.4, 2, 2), [0.5] * 10), [])
        self.assertEqual(changes(Turns(0.8, 0.4, 2, 2), [0.9, 0.5, 0.5, 0.5]), [1])

    def test_what_is_too_short_changes_nothing(self) -> None:
        self.assertEqual(changes(Turns(0.8, 0.4, 3, 3), [0.9, 0.9, 0.1] * 5), [])
        self.assertEqual(changes(Turns(0.8, 0.4, 3, 3), [0.9] * 3 + [0.1, 0.1, 0.5] * 5), [2])

    def test_hops_include_the_look_ahead(self) -> None:
        self.assertEqual([hops(seconds) for seconds in (0, 0.03, 0.05, 0.2)], [1, 1, 2, 17])


class MissingFrameworks(unittest.TestCase):
    def test_the_import_names_what_to_install(self) -> None:
        for adapter, framework, package in (
            ("pipecat", "pipecat.audio.vad.vad_analyzer", "pipecat-ai"),
            ("livekit", "livekit.agents", "livekit-agents"),
            ("faster_whisper", "faster_whisper", "faster-whisper"),
        ):
            name = f"voiceactivity.adapters.{adapter}"
            # What is None in sys.modules cannot be imported. patch.dict brings both back.
            with mock.patch.dict(sys.modules, {framework: None}):
                sys.modules.pop(name, None)
                with self.assertRaisesRegex(ImportError, f"{name} needs .*: pip install {package}$"):
                    importlib.import_module(name)


if __name__ == "__main__":
    unittest.main()
