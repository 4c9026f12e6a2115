"""The detectors. Each returns, for a recording, a score and a decision per 10 ms hop.

Every value is at the samples from which it was computed, so that no detector gains or loses by its delay: WebRTC's
frame is a hop, and so are RNNoise's and TEN VAD's; Silero's window of 32 ms counts for the hops whose middle lies in
it; vadmon has already shifted its hops back by its look-ahead.
"""

import csv
import ctypes
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
import webrtcvad

from recordings import HOP_SAMPLES, RATE_HZ, Problem, decode


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

    key, package = "silero", "silero-vad"
    window_samples, context_samples = 512, 64
    delay_ms = 32
    threshold = 0.5  # the package's default
    stream_bytes = (2 * 128 + context_samples) * 4  # the recurrent state and the context, 32-bit floats

    def __init__(self):
        self.name = f"Silero {version(self.package)}"
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

    def input(self, recording):
        return recording.samples()

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


class Framed:
    """A network in a C library that takes frames of 10 ms."""

    delay_ms = 10
    threshold = 0.5
    noise = np.random.default_rng(1).integers(-9000, 9000, RATE_HZ, np.int16)  # they do nothing in silence

    def input(self, recording):
        return recording.samples()

    def scores(self, recording):
        return self.probabilities(self.input(recording))[: recording.hops]


class RNNoise(Framed):
    """RNNoise's network, whose estimate of speech comes beside the sound without noise. It takes frames of 10 ms at
    48 kHz, and makes no decision."""

    key, package = "rnnoise", "pyrnnoise"
    rate_hz, frame_samples = 48000, 480

    def __init__(self):
        before = resident_bytes()
        self.library = library_of("pyrnnoise", "librnnoise.so")
        self.library.rnnoise_create.restype = ctypes.c_void_p
        self.library.rnnoise_process_frame.restype = ctypes.c_float
        self.name = f"RNNoise (pyrnnoise {version(self.package)})"
        self.stream_bytes = self.library.rnnoise_get_size()
        self.probabilities(self.noise)
        self.shared_bytes = resident_bytes() - before

    def input(self, recording):
        return decode(recording.path, self.rate_hz)

    def probabilities(self, samples):
        frames = samples[: len(samples) // self.frame_samples * self.frame_samples].astype(np.float32)
        stream = ctypes.c_void_p(self.library.rnnoise_create(None))
        output = np.empty(self.frame_samples, np.float32).ctypes.data_as(ctypes.c_void_p)
        begin, end = frames.ctypes.data, frames.ctypes.data + frames.nbytes
        result = [self.library.rnnoise_process_frame(stream, output, ctypes.c_void_p(address))
                  for address in range(begin, end, self.frame_samples * frames.itemsize)]
        self.library.rnnoise_destroy(stream)
        return np.array(result)


class TEN(Framed):
    """TEN VAD; its threshold is the package's default."""

    key, package = "ten", "ten-vad"

    def __init__(self):
        before = resident_bytes()
        self.library = library_of("ten_vad", "lib/Linux/x64/libten_vad.so")
        self.name = f"TEN VAD {version(self.package)}"
        self.probabilities(self.noise)
        self.shared_bytes = resident_bytes() - before
        self.stream_bytes = self.measured_stream_bytes()

    def stream(self):
        handle = ctypes.c_void_p()
        if self.library.ten_vad_create(ctypes.byref(handle), ctypes.c_size_t(HOP_SAMPLES),
                                       ctypes.c_float(self.threshold)):
            raise Problem("TEN VAD cannot make a stream", os.EX_SOFTWARE)
        return handle

    def measured_stream_bytes(self, count=50):
        """Returns how much the memory of the process grows per stream: the library does not state it."""
        before = resident_bytes()
        streams = [self.stream() for _ in range(count)]
        for stream in streams:
            self.follow(stream, self.noise)
        taken = resident_bytes() - before
        for stream in streams:
            self.library.ten_vad_destroy(ctypes.byref(stream))
        return taken // count

    def probabilities(self, samples):
        stream = self.stream()
        result = self.follow(stream, samples)
        self.library.ten_vad_destroy(ctypes.byref(stream))
        return result

    def follow(self, stream, samples):
        probability, flag = ctypes.c_float(), ctypes.c_int()
        result = np.empty(len(samples) // HOP_SAMPLES, np.float32)
        for i in range(len(result)):
            address = ctypes.c_void_p(samples.ctypes.data + i * HOP_SAMPLES * samples.itemsize)
            self.library.ten_vad_process(stream, address, ctypes.c_size_t(HOP_SAMPLES), ctypes.byref(probability),
                                         ctypes.byref(flag))
            result[i] = max(probability.value, 0)  # -1 until the first window is full
        return result


def library_of(package, path):
    """Loads a library from a wheel without importing the package, which may need more than the library does."""
    spec = importlib.util.find_spec(package)
    if spec is None:
        raise OSError("PyPI has no package for this machine")
    return ctypes.CDLL(str(Path(spec.submodule_search_locations[0]) / path))


def networks(kinds=(RNNoise, TEN, Silero)):
    """Returns the networks that this machine can run, and says which it cannot."""
    found = []
    for kind in kinds:
        try:
            found.append(kind())
        except OSError as error:
            print(f"compare: {kind.package} is left out: {error}", file=sys.stderr)
    return found


class Ours:
    """This project's detector, through the tables of `vadmon analyze --frames`."""

    def __init__(self, vadmon):
        self.vadmon = vadmon

    def scores_and_decisions(self, recordings):
        """Returns two lists of arrays, with one array per recording."""
        with tempfile.TemporaryDirectory() as folder:
            command = [self.vadmon, "analyze", "--quiet", "--format", "json", "--frames", folder,
                       "--live", "--files-from", "-"]
            names = "\n".join(str(recording.path) for recording in recordings)
            run = subprocess.run(command, input=names, capture_output=True, text=True)
            if run.returncode != 0:
                raise Problem(f"vadmon failed: {run.stderr.strip()}", os.EX_SOFTWARE)
            said = json.loads(run.stdout)
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
        rows = [(float(row["probability"]), float(row["live"])) for row in csv.DictReader(file)]
    if len(rows) != hops:
        raise Problem(f"vadmon wrote {len(rows)} hops where there are {hops}", os.EX_SOFTWARE)
    return np.array(rows)


def resident_bytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
