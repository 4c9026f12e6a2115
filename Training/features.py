"""What the network sees of a signal: the C core's own features, through a library built from its sources.

    from features import rows
    x = rows(samples, 16000)    # [steps, ROW]: FRAME band features, the pitch, 1 where the step was measured, and
                                # 1 where the weights beside an echo decide

There is no formula here, on purpose: features.c runs the detector itself. Row i belongs to the window that ends with
step i (STEP_HOPS hops of 10 ms, counted from 0); the first window is not whole and stays 0, as do steps of digital silence.
"""

import ctypes
import functools
import hashlib
import os
import pathlib
import re
import shutil
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORE = ROOT / 'CSupport' / 'CVoiceActivity'
BUILD = ROOT / '.build-training'


def constant(header, name):
    """An integer that a header of the core defines."""
    found = re.search(rf'#define {name} (\d+)\b', (CORE / header).read_text())
    if not found:
        raise ValueError(f'{CORE / header} no longer defines {name} as a number: features.py reads it')
    return int(found[1])


BANDS = constant('geometry.h', 'VA_BANDS')
CHANNELS = constant('network.h', 'VA_CHANNELS')  # features of a band
FRAME = CHANNELS * BANDS
PITCH = constant('network.h', 'VA_PITCH_INPUTS')
INPUTS = FRAME + PITCH
ROW = INPUTS + 2
MEASURED, BESIDE_ECHO = INPUTS, INPUTS + 1
HOP = constant('geometry.h', 'VA_HOP')  # samples at RATE
STEP_HOPS = constant('geometry.h', 'VA_STEP_HOPS')  # from row to row
RATE = 16000

# The network's filters lie at PLACES of the bands; a filter sees FRAMES.
FRAMES, FILTERS = constant('network.h', 'VA_FILTER_FRAMES'), constant('network.h', 'VA_FILTERS')
FILTER_BANDS, FILTER_STEP = constant('network.h', 'VA_FILTER_BANDS'), constant('network.h', 'VA_FILTER_STEP')
PLACES = (BANDS - FILTER_BANDS) // FILTER_STEP + 1
TAPS = FRAMES * CHANNELS * FILTER_BANDS
DENSE_INPUTS, DENSE = PLACES * FILTERS + PITCH, constant('network.h', 'VA_DENSE')
MEMORY = constant('network.h', 'VA_MEMORY')
LOOKAHEAD = constant('geometry.h', 'VA_LOOKAHEAD_HOPS')
DELAYS = tuple(LOOKAHEAD - i for i in range(STEP_HOPS))  # output i decides the hop DELAYS[i] behind the newest one


def compiled(sources, core):
    """The path of a shared library of these sources with the headers of a core, made unless it is there already."""
    state = hashlib.sha256()
    headers = [*sorted(sources[0].parent.glob('*.h')), *sorted(core.glob('**/*.h'))]
    for path in [*sources, *headers, core / 'hop.c']:
        state.update(path.read_bytes())
    library = BUILD / f'{sources[0].stem}-{state.hexdigest()[:16]}.so'
    if library.exists():
        return library
    compiler = os.environ.get('CC') or next(filter(None, map(shutil.which, ('clang', 'gcc', 'cc'))), None)
    if not compiler:
        raise FileNotFoundError('no C compiler is on PATH: install clang or gcc, or name one in CC')
    BUILD.mkdir(exist_ok=True)
    part = library.with_suffix(f'.{os.getpid()}')  # two processes may build at once
    command = [compiler, '-O2', '-std=c11', '-fPIC', '-shared', f'-I{core}', f'-I{core / "include"}']
    subprocess.run([*command, *map(str, sources), '-lm', '-o', str(part)], check=True)
    part.rename(library)
    return library


def build():
    """The detector with the network replaced by a recorder, which features.c makes of hop.c."""
    others = sorted(path for path in CORE.glob('*.c') if path.name != 'hop.c')
    return compiled([pathlib.Path(__file__).parent / 'features.c', *others], CORE)


@functools.cache
def core():
    library = ctypes.CDLL(str(build()))
    library.va_training_row.restype = library.va_training_rows.restype = ctypes.c_size_t
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    library.va_training_rows.argtypes = [ctypes.c_uint32, pointer, pointer, size, pointer, size]
    if library.va_training_row() != ROW:
        raise ValueError(f'a row of features.c has {library.va_training_row()} numbers, not {ROW}')
    return library


def rows(samples, rate, steps=None, reference=None):
    """Rows of `samples`; exactly `steps` of them if given, with zeros behind the end. reference: what a loudspeaker plays
    meanwhile, as many samples."""
    samples = np.ascontiguousarray(samples, np.float32)
    if reference is not None:
        reference = np.ascontiguousarray(reference, np.float32)
        if reference.shape != samples.shape:
            raise ValueError(f'the reference has the shape {reference.shape}, the samples {samples.shape}')
    out = np.zeros((steps or len(samples) * 100 // (rate * STEP_HOPS) + 1, ROW), np.float32)
    played = None if reference is None else reference.ctypes.data
    heard = core().va_training_rows(rate, samples.ctypes.data, played, len(samples), out.ctypes.data, len(out))
    if heard == ctypes.c_size_t(-1).value:
        raise ValueError(f'the detector takes no rate of {rate} Hz')
    return out if steps else out[:heard]
