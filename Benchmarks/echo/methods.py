"""The detectors that are compared. Each turns a scene into posteriors and decisions by hop."""

import ctypes
import ctypes.util
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import maximum_filter1d

from sounds import HOP, RATE

PRESETS = {"conversation": 0, "notice": 1}  # va_preset
SPEECH, MUTED_SPEECH = 1, 4                 # va_hop_flags


@dataclass
class Decisions:
    posteriors: np.ndarray  # float32 by hop
    speech: np.ndarray      # bool by hop: the state is speech or hangover
    notice: np.ndarray      # bool by hop: the state is muted speech
    begins: np.ndarray      # hops that decided the beginning of muted speech


class Results(ctypes.Structure):
    _fields_ = [("posteriors", ctypes.c_void_p), ("flags", ctypes.c_void_p), ("begins", ctypes.c_void_p),
                ("hop_count", ctypes.c_size_t), ("begin_count", ctypes.c_size_t)]


class Core:
    """The C core, and detect.c, in one library."""

    def __init__(self, library):
        self.library = ctypes.CDLL(str(library))
        self.library.va_simd_name.restype = ctypes.c_char_p
        self.lookahead_hops = -(-self.library.va_detector_lookahead_ms() // 10)

    @property
    def name(self):
        return self.library.va_simd_name().decode()

    def run(self, function, samples, preset, *more):
        """Calls a function of detect.c that writes results."""
        hops = len(samples) if function is self.library.decide else len(samples) // HOP
        posteriors, flags = np.empty(hops + 1, np.float32), np.empty(hops + 1, np.uint8)
        begins = np.empty(hops + 1, np.uint32)
        results = Results(posteriors.ctypes.data, flags.ctypes.data, begins.ctypes.data)
        code = function(ctypes.c_void_p(samples.ctypes.data), *more, ctypes.c_size_t(len(samples)), PRESETS[preset],
                        ctypes.byref(results))
        if code or results.hop_count != hops:
            raise RuntimeError(f"the core returned {code} and {results.hop_count} of {hops} hops")
        flags = flags[:hops]
        return Decisions(posteriors[:hops], (flags & SPEECH) != 0, (flags & MUTED_SPEECH) != 0,
                         begins[:results.begin_count].astype(int))

    def detect(self, samples, preset, reference=None):
        """Analyses int16 samples at 16 kHz, with `reference` beside them if there is one."""
        samples = np.ascontiguousarray(samples, np.int16)
        if reference is not None:
            reference = np.ascontiguousarray(reference, np.int16)
            if len(reference) != len(samples):
                raise ValueError("the reference is not as long as the microphone's samples")
        played = ctypes.c_void_p(None if reference is None else reference.ctypes.data)
        return self.run(self.library.detect, samples, preset, played)

    def decide(self, posteriors, preset):
        """Decides by posteriors that are not the detector's own."""
        return self.run(self.library.decide, np.ascontiguousarray(posteriors, np.float32), preset)

    def notices(self, samples, muted_from, margin_db):
        """Returns by hop whether the state is muted speech, of float samples that are muted from one on. The last hops
        wait for their look-ahead."""
        samples, flags = np.ascontiguousarray(samples, np.float32), np.zeros(len(samples) // HOP, np.uint8)
        if code := self.library.flags_of(ctypes.c_void_p(samples.ctypes.data), ctypes.c_size_t(len(samples)),
                                         ctypes.c_size_t(muted_from), ctypes.c_float(margin_db),
                                         ctypes.c_void_p(flags.ctypes.data)):
            raise RuntimeError(f"the core returned {code}")
        return (flags & MUTED_SPEECH) != 0

    def posteriors(self, samples):
        """Returns the posteriors of float samples."""
        return self.detect(np.rint(np.clip(samples, -1, 1) * 32767), "conversation").posteriors


GEIGEL_SECONDS = 0.52  # how far back the loudest reference is looked for
GEIGEL_SILENCE = 33    # int16: a reference that never exceeds -60 dBFS echoes nothing


def geigel(posteriors, microphone, reference):
    """Geigel's rule: what is not half as loud as the loudest of the reference's last half second is its echo."""
    hops = len(posteriors)
    mine, theirs = (np.abs(x[:hops * HOP].astype(np.int32)).reshape(hops, HOP).max(axis=1)
                    for x in (microphone, reference))
    window = int(100 * GEIGEL_SECONDS) | 1
    loudest = maximum_filter1d(theirs, window, origin=window // 2, mode="constant")
    return np.where((2 * mine >= loudest) | (loudest <= GEIGEL_SILENCE), posteriors, np.float32(0))


class Aec3:
    """The echo canceller of WebRTC, in LiveKit's build; `processes`: with WebRTC's high-pass filter, noise suppression and
    gain control behind it, as sound servers and clients use it."""

    def __init__(self, processes):
        from livekit import rtc  # here, because who simulates calls for training does not need it
        self.rtc, self.processes = rtc, processes

    def __call__(self, microphone, reference):
        """Returns the microphone's samples without what is taken for echo, int16 at 16 kHz."""
        module = self.rtc.AudioProcessingModule(
            echo_cancellation=True, noise_suppression=self.processes, high_pass_filter=self.processes,
            auto_gain_control=self.processes)
        out = np.zeros_like(microphone)
        for at in range(0, len(out) - HOP + 1, HOP):
            hop = slice(at, at + HOP)
            module.process_reverse_stream(self.rtc.AudioFrame(reference[hop].tobytes(), RATE, 1, HOP))
            frame = self.rtc.AudioFrame(microphone[hop].tobytes(), RATE, 1, HOP)
            module.process_stream(frame)
            out[hop] = frame.data
        return out


class Speex:
    """speexdsp's echo canceller, and its suppressor of what is left. None of its noise suppression."""

    TAIL = 8192  # samples: 512 ms
    SET_SAMPLING_RATE, SET_DENOISE, SET_ECHO_STATE = 24, 0, 24

    def __init__(self):
        name = ctypes.util.find_library("speexdsp")
        if name is None:
            raise OSError("libspeexdsp is not installed")
        self.library = ctypes.CDLL(name)
        pointer = ctypes.c_void_p
        for function in ("speex_echo_state_init", "speex_preprocess_state_init"):
            getattr(self.library, function).restype = pointer
        for function in ("speex_echo_ctl", "speex_preprocess_ctl"):
            getattr(self.library, function).argtypes = [pointer, ctypes.c_int, pointer]
        self.library.speex_echo_cancellation.argtypes = [pointer] * 4
        self.library.speex_preprocess_run.argtypes = [pointer] * 2
        for function in ("speex_echo_state_destroy", "speex_preprocess_state_destroy"):
            getattr(self.library, function).argtypes = [pointer]

    def __call__(self, microphone, reference):
        """Returns the microphone's samples without what is taken for echo, int16 at 16 kHz."""
        out = np.zeros_like(microphone)
        rate, off = ctypes.c_int(RATE), ctypes.c_int(0)
        echo = self.library.speex_echo_state_init(HOP, self.TAIL)
        rest = self.library.speex_preprocess_state_init(HOP, RATE)
        self.library.speex_echo_ctl(echo, self.SET_SAMPLING_RATE, ctypes.addressof(rate))
        self.library.speex_preprocess_ctl(rest, self.SET_ECHO_STATE, echo)
        self.library.speex_preprocess_ctl(rest, self.SET_DENOISE, ctypes.addressof(off))
        for at in range(0, 2 * (len(out) - HOP + 1), 2 * HOP):
            self.library.speex_echo_cancellation(echo, microphone.ctypes.data + at, reference.ctypes.data + at,
                                                 out.ctypes.data + at)
            self.library.speex_preprocess_run(rest, out.ctypes.data + at)
        self.library.speex_preprocess_state_destroy(rest)
        self.library.speex_echo_state_destroy(echo)
        return out


def cancellers():
    """Returns {name: a canceller of echoes}, those that are installed."""
    found = {"aec3": Aec3(processes=False), "processed": Aec3(processes=True)}
    try:
        found["speex"] = Speex()
    except OSError:
        pass
    return found
