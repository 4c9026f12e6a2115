import os
import tempfile
import unittest
from pathlib import Path

from paths import traces
from paths.problem import Problem


class ReadingTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, text, name="set-one.csv"):
        path = self.folder / name
        path.write_text(text)
        return path

    def rows(self, count):
        return "".join(f"{row / 10:.1f},{row}\n" for row in range(count))

    def test_a_trace_has_its_name_its_rates_and_its_length(self):
        trace = traces.read(self.write("seconds,kbit_per_s\n" + self.rows(150)))
        self.assertEqual((trace.name, trace.end), ("set-one", 15_000))
        self.assertEqual(trace.rates[:3] + trace.rates[-1:], [0, 1_000, 2_000, 149_000])

    def test_the_heading_may_be_missing(self):
        self.assertEqual(traces.read(self.write(self.rows(100))).rates, [1_000 * row for row in range(100)])

    def test_a_folder_has_its_csv_files_in_order(self):
        for name in ("b.csv", "a.csv", "notes.txt"):
            self.write(self.rows(100), name)
        self.assertEqual([trace.name for trace in traces.read_folder(self.folder)], ["a", "b"])

    def test_a_bad_row_is_named_with_its_line(self):
        for row in ("10.0", "10.0,", "10.0,4a", "10.0,-1", "10.0,nan", "10.0,inf", "10.1,5", "9.9,5", "10.0,5,6", ""):
            path = self.write("seconds,kbit_per_s\n" + self.rows(100) + row + "\n10.1,3\n")
            with self.subTest(row), self.assertRaises(Problem) as caught:
                traces.read(path)
            self.assertEqual(caught.exception.code, os.EX_DATAERR)
            self.assertIn(f"{path}:102: write 10.0 and a rate", str(caught.exception))

    def test_a_short_trace_is_refused(self):
        self.assertEqual(traces.read(self.write(self.rows(100))).end, 10_000)
        for text in ("", "seconds,kbit_per_s\n", self.rows(99)):
            with self.assertRaisesRegex(Problem, "at least 100") as caught:
                traces.read(self.write(text))
            self.assertEqual(caught.exception.code, os.EX_DATAERR)

    def test_a_folder_without_traces_is_refused(self):
        for folder in (self.folder, self.folder / "missing"):
            with self.assertRaises(Problem) as caught:
                traces.read_folder(folder)
            self.assertEqual(caught.exception.code, os.EX_NOINPUT)

    def test_a_file_that_is_no_text_is_refused(self):
        path = self.folder / "x.csv"
        path.write_bytes(b"\xff\xfe\x00")
        with self.assertRaises(Problem) as caught:
            traces.read(path)
        self.assertEqual(caught.exception.code, os.EX_NOINPUT)


class MeanTests(unittest.TestCase):
    trace = traces.Trace("x", [row * row for row in range(20)])

    def naive(self, start, end):
        """The mean of the rate at each millisecond."""
        inside = [self.trace.rates[at // 100] for at in range(max(0, start), min(2_000, end))]
        return sum(inside) / len(inside)

    def test_the_mean_is_that_of_each_millisecond(self):
        for start, end in ((0, 100), (0, 2_000), (30, 31), (99, 101), (150, 1_950), (-400, 20), (1_980, 2_500)):
            self.assertAlmostEqual(self.trace.mean(start, end), self.naive(start, end))

    def test_the_capacity_of_a_bin_is_the_mean_of_the_half_second_around_it(self):
        self.assertEqual(len(self.trace.capacity), 100)
        for place in (0, 1, 12, 13, 50, 99):
            middle = 20 * place + 10
            self.assertAlmostEqual(self.trace.capacity[place], self.naive(middle - 250, middle + 250))
