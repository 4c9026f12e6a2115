import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

from paths import picture, report
from paths.intervals import interval

from .common import VADMON, with_vadmon

PROGRAM = Path(__file__).resolve().parents[2] / "paths.py"
SVG = "{http://www.w3.org/2000/svg}"


class IntervalTests(unittest.TestCase):
    def test_it_is_as_wide_as_the_normal_one_for_many_values(self):
        draw = random.Random(3)
        values = [draw.gauss(5, 2) for _ in range(400)]
        low, high = interval(values)
        half = 1.96 * statistics.pstdev(values) / math.sqrt(len(values))
        self.assertAlmostEqual(low, statistics.fmean(values) - half, delta=0.05)
        self.assertAlmostEqual(high, statistics.fmean(values) + half, delta=0.05)

    def test_edges(self):
        self.assertEqual(interval([4, 4, None, 4]), (4, 4))
        self.assertIsNone(interval([4, None]))
        self.assertEqual(interval([1, 2, 3]), interval([1, 2, 3]))


class TableTests(unittest.TestCase):
    def test_a_cell_is_the_mean_with_its_interval(self):
        columns = {"quality": ("quality", ".2f"), "worst": ("most", ".0f"), "first": ("first", ".1f")}
        rows = {"x": [{"quality": 0.5, "worst": 3, "first": None}] * 2 + [{"quality": 0.5, "worst": 5, "first": None}]}
        self.assertEqual(report.table(rows, columns, with_intervals=True).splitlines(), [
            "| policy | quality | most | first |", "|---|--:|--:|--:|", "| x | 0.50 (0.50–0.50) | 5 | – |"])
        self.assertIn("| x | 0.50 | 5 | – |", report.table(rows, columns))


class PictureTests(unittest.TestCase):
    rows = {"a <b>": {title: {"quality": quality, "shortfall": 0.2, "toggles": 3} for title, quality in (
        ("ours", 0.5), ("hold/1", 0.6), ("hold/2", 0.7), ("fast", 0.8), ("other", 0.0))}}
    settings = dict.fromkeys(("ours", "hold/1", "hold/2", "fast"))

    def drawn(self):
        return ElementTree.fromstring(picture.svg(self.rows, self.settings, "ours"))

    def test_each_policy_has_a_point_in_each_panel_at_its_place(self):
        found = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in self.drawn().iter(SVG + "circle")
                 if dot.get("r") == "8"]
        # 0.2 is the end of its axis, 3 of its, and quality 0 is the bottom
        self.assertEqual(found, [(60 + 340, 50 + 260), (60 + 340 + 70 + 340, 50 + 260)])

    def test_settings_of_one_name_are_a_curve_from_the_default(self):
        lines = [line.get("points").split() for line in self.drawn().iter(SVG + "polyline")]
        self.assertEqual([len(points) for points in lines], [3, 2] * 2)
        self.assertEqual({points[0] for points in lines[:2]}, {"400.0,180.0"})

    def test_an_axis_ends_at_a_round_number(self):
        for value, limit in ((0, 1), (0.19, 0.2), (0.2, 0.2), (0.21, 0.3), (0.6, 1), (7.9, 10), (43, 50)):
            self.assertAlmostEqual(picture.round_above(value), limit)


class ProgramTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_program(self, *arguments):
        return subprocess.run([sys.executable, PROGRAM, *map(str, arguments)], capture_output=True, text=True)

    def test_a_folder_that_is_missing_a_torn_file_and_a_missing_program_have_their_codes(self):
        (self.folder / "torn.csv").write_text("seconds,kbit_per_s\n0.0,3\n0.1")
        found = self.run_program(self.folder)
        sentence = f"paths: {self.folder}/torn.csv:3: write 0.1 and a rate in kbit/s, not '0.1'\n"
        self.assertEqual((found.returncode, found.stderr), (os.EX_DATAERR, sentence))
        self.assertEqual(self.run_program(self.folder / "missing").returncode, os.EX_NOINPUT)
        found = self.run_program("--recovery", "--vadmon", self.folder / "missing")
        self.assertEqual((found.returncode, found.stderr.count("\n")), (os.EX_NOINPUT, 1))

    def test_arguments_that_mean_nothing_are_refused(self):
        for arguments in ((), ("x", "--config", "name"), ("x", "--config", "n:key"), ("x", "--config", ":a=1"),
                          ("x", "--calls", "0"), ("--recovery", "--svg", "x.svg"),
                          ("x", "--svg", self.folder / "no" / "x.svg")):
            self.assertEqual(self.run_program(*arguments).returncode, 2, arguments)

    @with_vadmon
    def test_settings_that_the_coordinator_does_not_have_are_refused_at_once(self):
        found = self.run_program("--recovery", "--vadmon", VADMON, "--config", "x:no_such=1")
        self.assertEqual((found.returncode, found.stdout), (os.EX_USAGE, ""))
        self.assertIn("--config x", found.stderr)
        self.assertIn("no_such is unknown", found.stderr)

    @with_vadmon
    def test_recovery_has_a_row_for_each_policy_and_setting(self):
        found = self.run_program("--recovery", "--vadmon", VADMON, "--config", "hold/4 s:hold_off_ms=4000")
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertEqual(sum(line.startswith("| ") for line in found.stdout.splitlines()), 1 + 2 + 6)

    @with_vadmon
    def test_it_prints_a_row_for_each_policy_and_draws_them(self):
        rows = "".join(f"{row / 10:.1f},{300 + 7 * row % 900}\n" for row in range(300))
        (self.folder / "set-a.csv").write_text(rows)
        settings = "hold/4 s:hold_off_ms=4000"
        common = ("--vadmon", VADMON, "--calls", 1, "--participants", 4, "--config", settings)
        found = self.run_program(self.folder, *common, "--svg", self.folder / "x.svg")
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertEqual(sum(line.startswith("| ") for line in found.stdout.splitlines()), 2 * (1 + 9))
        self.assertEqual(ElementTree.parse(self.folder / "x.svg").getroot().tag, SVG + "svg")
        found = self.run_program(self.folder, *common, "--closed")
        self.assertEqual(sum(line.startswith("| ") for line in found.stdout.splitlines()), 1 + 6)
