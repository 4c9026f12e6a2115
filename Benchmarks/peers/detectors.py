"""The detectors. Each returns, for a recording, a score and a decision per 10 ms hop.

Every value is at the samples from which it was computed, so that no detector gains or loses by its delay: WebRTC's
frame is a hop; Silero's window of 32 ms counts for the hops whose middle lies in it; vadmon has already shifted its
hops back by its look-ahead.
"""

import csv
import importlib.util
import json
import os
import subprocess
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
import webrtcvad

from recordings import HOP_SAMPLES, RATE_HZ, Problem


class WebRTC:
    """WebRTC's detector through its wheel: a Gaussian mixture over six bands, with its own hangover, in four modes."""

    delay_ms = 10

    @staticmethod
    def decisions(recording):
        """Returns an array (4, hops): one row per mode, 0 … 3."""
        modes = [webrtcvad.Vad(mode) for mode in range(4)]
        hops = recording.samples()[: recording.hops * HOP_SAMPLES].reshape(-1, HOP_SAMPLES)
        return np.array([[mode.is_speech(hop.tobytes(), RATE_HZ) for mode in modes] for hop in hops]).T


class Silero:
    """Silero's network, run in the same way as the package's own OnnxWrapper, but without torch."""

    version = version("silero-vad")
    window_samples, context_samples = 512, 64
    delay_ms = 32
    threshold = 0.5  # the package's default
    stream_bytes = (2 * 128 + context_samples) * 4  # the recurrent state and the context, 32-bit floats

    def __init__(self):
        before = resident_bytes()
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.inter_op_num_threads = options.intra_op_num_threads = 1
        package = importlib.util.find_spec("silero_vad").submodule_search_locations[0]  # importing it needs torch
        self.model = Path(package) / "data" / "silero_vad.onnx"
        self.session = onnxruntime.InferenceSession(
            str(self.model), providers=["CPUExecutionProvider"], sess_options=options)
        self.probabilities(np.zeros(self.window_samples, np.int16))
        self.shared_bytes = resident_bytes() - before

    def probabilities(self, samples):
        """Returns one probability per window. The last window is padded with zeros."""
        count = -(-len(samples) // self.window_samples)
        padded = np.zeros(self.context_samples + count * self.window_samples, np.float32)
        padded[self.context_samples : self.context_samples + len(samples)] = samples / np.float32(32768)
        state, rate = np.zeros((2, 1, 128), np.float32), np.array(RATE_HZ)
        result = np.empty(count, np.float32)
        for i in range(count):
            begin = i * self.window_samples
            window = padded[None, begin : begin + self.context_samples + self.window_samples]
            output, state = self.session.run(None, {"input": window, "state": state, "sr": rate})
            result[i] = output[0, 0]
        return result

    def scores(self, recording):
        middles = np.arange(recording.hops) * HOP_SAMPLES + HOP_SAMPLES // 2
        return self.probabilities(recording.samples())[middles // self.window_samples]


class Ours:
    """This project's detector, through the tables of `vadmon analyze --frames`."""

    def __init__(self, vadmon):
        self.vadmon = vadmon

    def scores_and_decisions(self, recordings):
        """Returns two lists of arrays, with one array per recording."""
        with tempfile.TemporaryDirectory() as folder:
            command = [self.vadmon, "analyze", "--quiet", "--format", "json", "--frames", folder, "--files-from", "-"]
            names = "\n".join(str(recording.path) for recording in recordings)
            run = subprocess.run(command, input=names, capture_output=True, text=True)
            if run.returncode != 0:
                raise Problem(f"vadmon failed: {run.stderr.strip()}", os.EX_SOFTWARE)
            said = json.loads(run.stdout)
            self.version = said["generator"].split()[-1]
            self.delay_ms = 10 + said["lookahead_ms"]
            names = table_names([r.path for r in recordings])
            tables = [read_frames(Path(folder) / name, r.hops) for name, r in zip(names, recordings)]
        return [table[:, 0] for table in tables], [table[:, 1] > 0.5 for table in tables]


def table_names(paths):
    """Returns the path of each recording's frame table: its base name or, if two recordings share a base name, also its
    folders below the deepest folder common to all."""
    stems = [path.stem for path in paths]
    folders = [os.path.abspath(path.parent) for path in paths]
    mirrored = len(set(stems)) < len(stems)
    common = os.path.commonpath(folders) if mirrored else None
    return [
        os.path.join(os.path.relpath(folder, common) if mirrored else "", f"{stem}.csv")
        for folder, stem in zip(folders, stems)]


def read_frames(path, hops):
    """Returns an array (hops, 2): probability and decision."""
    with open(path, newline="") as file:
        rows = [(float(row["probability"]), float(row["speech"])) for row in csv.DictReader(file)]
    if len(rows) != hops:
        raise Problem(f"vadmon wrote {len(rows)} hops where there are {hops}", os.EX_SOFTWARE)
    return np.array(rows)


def resident_bytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
