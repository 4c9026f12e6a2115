#!/usr/bin/env python3
"""Writes CSupport/CVoiceActivity/tables_generated.c and band_layout_generated.h, the constant tables of the C core, and
the numbers of Benchmarks/figures.toml into the pages that have them (figures.py).

    python3 Scripts/generate_tables.py            # writes the files
    python3 Scripts/generate_tables.py --check    # exits 1 if a file differs from what would be written

It uses only Python's standard library, so that the tables can be generated anywhere. Formulas and their sources are
beside each table; tables.h states what the core may rely on.
"""
import math
import os
import sys

import figures

CORE = os.path.join(os.path.dirname(__file__), '..', 'CSupport', 'CVoiceActivity')

WINDOW = 512          # samples at 16 kHz
REJECTION_DB = 50.0   # of the resampler's kernels: the documented 48 plus a margin for rounding and interpolation
PHASES = 16           # rows of a bank between two input samples
PHASES_UP = 32        # the same if the kernel reaches the input's Nyquist frequency
BLOCK_TAPS = 24       # of these banks
FINE_ONE = 32768      # coefficients of banks with many rows are multiples of 1 / FINE_ONE
PHASES_44K = 160      # a row for each phase: 44.1 kHz is 441/160 of 16 kHz

# The window of the kernels for 44.1 kHz: sum of a_k cos(πku), |u| <= 1. With 40 taps, it keeps the errors in the pass
# band and the aliases at -48 dB for every phase, where Kaiser's needs 46 taps. Found by reweighted least squares
# (Lawson 1961).
COSINES_44K = (0.6078, 0.4094, -0.0217, 0.0046)

# Bands: triangles on the bins of 31.25 Hz, each reaching to its neighbours' centres. Centres are two bins apart up to 1
# kHz, where the window still resolves harmonics, then in equal ratios (about 0.7 ERB, Glasberg and Moore 1990). The
# last centre lies in the resampler's pass band of 6.5 kHz.
BANDS = 40
LINEAR_BANDS = 16     # centres 3, 5, … 33 bins
LAST_EDGE = 224       # bins: 7 kHz
BAND_BLOCK = 8        # a band's weights are padded to whole vectors

PITCH_BINS = 80       # of 31.25 Hz: harmonics up to 2.5 kHz
PITCH_LAGS = 64       # of 2 samples at 16 kHz
PITCH_COSINE_ONE = 32767  # the 16-bit number that stands for 1


def bessel_i0(x):
    """Returns the modified Bessel function of the first kind, order 0, from its power series."""
    total, term, k = 1.0, 1.0, 1
    while term > 1e-18 * total:
        term *= (x / (2 * k)) ** 2
        total += term
        k += 1
    return total


def kaiser_beta(rejection_db):
    """Returns the window parameter for a stop-band rejection of 50 dB and more (Kaiser 1974)."""
    return 0.1102 * (rejection_db - 8.7)


def kaiser(rejection_db):
    beta = kaiser_beta(rejection_db)
    return lambda u: bessel_i0(beta * math.sqrt(1 - u * u)) if abs(u) < 1 else 0.0


def cosines(coefficients):
    return lambda u: sum(a * math.cos(math.pi * k * u) for k, a in enumerate(coefficients)) if abs(u) <= 1 else 0.0


def bank(cutoff, taps, rows, phases=PHASES, window=kaiser(REJECTION_DB), unit_gain=True):
    """Returns rows of a windowed-sinc low-pass. Row r holds the kernel for an output r / phases of an input sample after
    tap taps / 2 - 1; cutoff is in cycles per input sample. unit_gain: every row has it at DC; otherwise the window sees to
    the gain."""
    half, kernels = taps / 2, []
    for r in range(rows):
        row = []
        for tap in range(taps):
            t = tap - (taps // 2 - 1) - r / phases
            x = 2 * cutoff * t
            whole = abs(x - round(x)) < 1e-12  # the kernel is exactly 0 there: a decimation omits such taps
            sinc = (0.0 if round(x) else 1.0) if whole else math.sin(math.pi * x) / (math.pi * x)
            row.append(sinc * window(t / half))
        gain = sum(row) if unit_gain else 1 / (2 * cutoff)
        kernels += [v / gain for v in row]
    return kernels


def fine(kernels):
    """Rounds coefficients, which changes outputs by -91 dB: of float's 24 bits, those that compress badly become 0."""
    return [round(v * FINE_ONE) / FINE_ONE for v in kernels]


def blocks(kernels, taps):
    """Splits rows of `taps` coefficients into blocks of BLOCK_TAPS: the first coefficients of all rows, then the next ones."""
    return [v for first in range(0, taps, BLOCK_TAPS) for row in range(0, len(kernels), taps)
            for v in kernels[row + first:row + first + BLOCK_TAPS]]


def twiddles():
    """Returns W256^(n2·k1) at 16·k1 + n2: the twiddle factors between the two passes of the 16 × 16 transform."""
    angles = [2 * math.pi * ((i // 16) * (i % 16)) / 256 for i in range(256)]
    return [math.cos(a) for a in angles], [-math.sin(a) for a in angles]


def split():
    """Returns W512^k, which converts the half-length complex spectrum to that of the real signal."""
    angles = [2 * math.pi * k / WINDOW for k in range(WINDOW // 2)]
    return [math.cos(a) for a in angles], [-math.sin(a) for a in angles]


def hann(length):
    """Returns a periodic Hann window, scaled so that the sum of power over a band's bins is that band's mean square
    (Harris 1978: divide by the window's sum of squares; 2 for the one-sided spectrum)."""
    w = [0.5 - 0.5 * math.cos(2 * math.pi * n / length) for n in range(length)]
    scale = math.sqrt(2 / (length * sum(v * v for v in w)))
    return [v * scale for v in w]


def band_edges():
    """Returns the lower edge of band 0, the centres, and the upper edge of the last band: BANDS + 2 positions in bins,
    which are not whole numbers above 1 kHz."""
    linear = [1.0 + 2 * i for i in range(LINEAR_BANDS + 1)]
    steps = BANDS + 1 - LINEAR_BANDS
    return linear + [linear[-1] * (LAST_EDGE / linear[-1]) ** (i / steps) for i in range(1, steps + 1)]


def band_weights():
    """Returns each band's first bin, number of blocks, and weights. Adjacent triangles add up to one."""
    edges, first, blocks, weights = band_edges(), [], [], []
    for low, centre, high in zip(edges, edges[1:], edges[2:]):
        begin, end = math.floor(low) + 1, math.ceil(high)   # bins with a weight above 0
        count = -(-(end - begin) // BAND_BLOCK)
        first.append(begin)
        blocks.append(count)
        for bin_ in range(begin, begin + count * BAND_BLOCK):
            rising, falling = (bin_ - low) / (centre - low), (high - bin_) / (high - centre)
            weights.append(max(0.0, min(rising, falling)))
    return first, blocks, weights


def pitch_cosines():
    """Returns cos(2π k m / 256) in 16 bits: one row for each pair of bins k that are both even or both odd, with the
    two cosines of lag m = 1, 2, … 64 side by side."""
    def row(k):
        return [round(PITCH_COSINE_ONE * math.cos(2 * math.pi * bin_ * m / 256))
                for m in range(1, PITCH_LAGS + 1) for bin_ in (k, k + 2)]
    return [[row(k), row(k + 1)] for k in range(0, PITCH_BINS, 4)]


def floats(name, values, comment):
    lines = [f'/* {comment} */', f'VA_TABLE {name}[{len(values)}] = {{']
    for i in range(0, len(values), 8):
        lines.append('    ' + ', '.join(f'{v:.9g}f' if '.' in f'{v:.9g}' or 'e' in f'{v:.9g}' else f'{v:.9g}.0f'
                                        for v in values[i:i + 8]) + ',')
    return '\n'.join(lines + ['};', ''])


def integers(name, groups, comment):
    rows, lags = len(groups[0]), len(groups[0][0])
    lines = [f'/* {comment} */', f'_Alignas(64) const int16_t {name}[{len(groups)}][{rows}][{lags}] = {{']
    for group in groups:
        lines.append('    {')
        for row in group:
            lines += ['        {' + ', '.join(map(str, row[:16])) + ',']
            lines += ['         ' + ', '.join(map(str, row[i:i + 16])) + ',' for i in range(16, lags, 16)]
            lines[-1] = lines[-1][:-1] + '},'
        lines.append('    },')
    return '\n'.join(lines + ['};', ''])


def text():
    tw, sp = twiddles(), split()
    _, _, weights = band_weights()
    parts = [
        '/* Written by Scripts/generate_tables.py: change that, not this. */\n#include "tables.h"\n',
        floats('va_fft_twiddle_cos', tw[0], 'cos(2π n2 k1 / 256) at 16·k1 + n2'),
        floats('va_fft_twiddle_sin', tw[1], '-sin(2π n2 k1 / 256) at 16·k1 + n2'),
        floats('va_fft_split_cos', sp[0], 'cos(2π k / 512)'),
        floats('va_fft_split_sin', sp[1], '-sin(2π k / 512)'),
        floats('va_window', hann(WINDOW), 'periodic Hann; bin powers add up to mean squares'),
        floats('va_half_window', hann(WINDOW // 2), 'the same at 8 kHz'),
        floats('va_band_centres', band_edges()[1:-1], 'in bins'),
        floats('va_band_weights', weights, 'the blocks of all bands, one after another'),
        integers('va_pitch_cosines', pitch_cosines(), 'cos(2π k m / 256) by pairs of bins'),
        floats('va_bank_up', fine(bank(0.5, 24, PHASES_UP + 1, PHASES_UP)), 'input below 16 kHz: cut at its own Nyquist frequency'),
        floats('va_bank_22k', fine(bank(8 / 22.05, 24, PHASES + 1, window=kaiser(56))), 'input up to 22.05 kHz: cut at 8 of 22.05'),
        floats('va_bank_below_24k', fine(bank(8 / 24, 24, PHASES + 1)), 'input below 24 kHz: cut at 8 of 24'),
        floats('va_bank_24k', bank(8 / 24, 24, 2, 2), 'input at 24 kHz; a row for each phase'),
        floats('va_bank_below_32k', blocks(fine(bank(8 / 32, 48, PHASES + 1)), 48), 'input below 32 kHz: cut at 8 of 32'),
        floats('va_bank_32k', bank(8 / 32, 32, 1), 'input at 32 kHz; one row'),
        floats('va_bank_44k', fine(bank(8 / 44.1, 40, PHASES_44K, PHASES_44K, cosines(COSINES_44K), False)), 'input at 44.1 kHz; a row for each phase'),
        floats('va_bank_below_48k', blocks(fine(bank(8 / 48, 48, PHASES + 1)), 48), 'input below 48 kHz: cut at 8 of 48'),
        floats('va_bank_48k', bank(8 / 48, 48, 1), 'input at 48 kHz; one row'),
        floats('va_bank_halve', bank(0.25, 28, 1, window=kaiser(80)), 'halving of 48 kHz and more; one row'),
    ]
    return '\n'.join(parts)


def layout():
    """Returns the positions of the bands as literals, because the loops over them are unrolled."""
    first, blocks, _ = band_weights()
    return '\n'.join([
        '/* Written by Scripts/generate_tables.py: change that, not this. First bin and blocks of 8 of each band. */',
        f'#define VA_BAND_FIRST {{{", ".join(map(str, first))}}}',
        f'#define VA_BAND_BLOCKS {{{", ".join(map(str, blocks))}}}',
        ''])


def main():
    wanted = {os.path.join(CORE, name): content
              for name, content in (('tables_generated.c', text()), ('band_layout_generated.h', layout()))}
    wanted |= figures.pages()
    stale = []
    for path, content in wanted.items():
        if os.path.exists(path) and open(path, encoding='utf-8').read() == content:
            continue
        stale.append(os.path.relpath(path, os.path.join(os.path.dirname(__file__), '..')))
        if '--check' not in sys.argv[1:]:
            with open(path, 'w', encoding='utf-8') as file:
                file.write(content)
    if '--check' in sys.argv[1:]:
        print(f'{" and ".join(stale)}: NOT what Scripts/generate_tables.py writes' if stale else 'the tables are up to date')
        return 1 if stale else 0
    return 0


if __name__ == '__main__':
    sys.exit(main())
