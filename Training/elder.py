"""What another version of the detector says of a scene, which a network can learn beside the labels.

    elder = Elder(checkout)             # a folder with that version's sources
    p, = elder.seen([(samples, 16000)]) # P(speech) of each hop of a scene as its network saw it

Labels know where words are, an elder how sure one can be. What the posterior remembers (posterior.c) is taken off again:
behind our own network it comes anew.
"""

import ctypes
import pathlib
import re

import numpy as np

from features import compiled

HERE = pathlib.Path(__file__).resolve().parent


class Elder:
    def __init__(self, checkout):
        core = pathlib.Path(checkout) / 'CSupport' / 'CVoiceActivity'
        text = (core / 'posterior.c').read_text()
        self.unseen, self.decay = (
            float(re.search(rf'#define {name} ([0-9.]+)f\b', text)[1]) for name in ('VA_UNSEEN', 'VA_RECENT_DECAY'))
        self._core = ctypes.CDLL(str(compiled([HERE / 'elder.c', *sorted(core.glob('*.c'))], core)))
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        self._core.va_elder_posteriors.argtypes = [ctypes.c_uint32, pointer, size, pointer, size]
        self._core.va_elder_posteriors.restype = size

    def posteriors(self, samples, rate):
        samples = np.ascontiguousarray(samples, np.float32)
        out = np.zeros(len(samples) * 100 // rate + 1, np.float32)
        heard = self._core.va_elder_posteriors(rate, samples.ctypes.data, len(samples), out.ctypes.data, len(out))
        if not heard:
            raise ValueError(f'the elder takes no rate of {rate} Hz')
        return out[:heard]

    def seen(self, scenes):
        return [np.array(unremembered(self.posteriors(*scene), self.unseen, self.decay), np.float32) for scene in scenes]


def unremembered(posteriors, unseen, decay):
    """s of each p = s + (1 - s) · unseen · recent, recent being the greatest s² up to it while it decays."""
    recent, out = 0.0, []
    for p in map(float, posteriors):
        recent *= decay
        s = (p - unseen * recent) / (1 - unseen * recent)
        if s * s > recent:  # then it is the recent one itself: s + (1 - s) · unseen · s² = p
            s = p
            for _ in range(6):  # Newton's
                s -= (s + (1 - s) * unseen * s * s - p) / (1 + unseen * (2 * s - 3 * s * s))
            recent = s * s
        out.append(min(max(s, 0.0), 1.0))
    return out
