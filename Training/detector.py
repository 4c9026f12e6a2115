"""What the detector itself says of a signal, with the weights that are in place."""

import ctypes
import functools
import pathlib

import numpy as np

from features import CORE, compiled


@functools.cache
def core():
    source = pathlib.Path(__file__).resolve().parent / 'detector.c'
    library = ctypes.CDLL(str(compiled([source, *sorted(CORE.glob('*.c'))], CORE)))
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    library.va_training_posteriors.argtypes = [ctypes.c_uint32, pointer, size, pointer, pointer, size]
    library.va_training_posteriors.restype = size
    return library


def posteriors(samples, rate):
    """P(speech) of each complete hop, live and smoothed: [2, hop]."""
    samples = np.ascontiguousarray(samples, np.float32)
    live, smoothed = out = np.zeros((2, len(samples) * 100 // rate + 1), np.float32)
    heard = core().va_training_posteriors(rate, samples.ctypes.data, len(samples), live.ctypes.data, smoothed.ctypes.data,
                                          len(live))
    if not heard:
        raise ValueError(f'the detector takes no rate of {rate} Hz')
    return out[:, :heard]
