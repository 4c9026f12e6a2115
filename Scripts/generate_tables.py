#!/usr/bin/env python3
"""Writes CSupport/CVoiceActivity/tables_generated.c: every constant table of the C core.

    python3 Scripts/generate_tables.py            # writes the file
    python3 Scripts/generate_tables.py --check    # exits 1 if the file differs from what would be written

Python's standard library only, so that the tables can be made again anywhere. Formulas and their sources
stand beside each table; tables.h says what the core may rely on.
"""
import math
import os
import sys

PATH = os.path.join(os.path.dirname(__file__), '..', 'CSupport', 'CVoiceActivity', 'tables_generated.c')

WINDOW = 512          # samples at 16 kHz
REJECTION_DB = 66.0   # of the resampler's kernels: the promised 60 plus room for rounding and interpolation
PHASES = 32           # rows a bank has between two input samples
PHASES_UP = 64        # the same where the kernel reaches the input's Nyquist frequency

# Edges of the analysis bands in bins of 31.25 Hz, about one ERB each above 500 Hz (Glasberg and Moore 1990).
BAND_EDGES = [3, 6, 9, 12, 15, 18, 22, 26, 31, 36, 42, 49, 57, 66, 77, 90, 105, 123, 144, 170, 205]


def bessel_i0(x):
    """Modified Bessel function of the first kind, order 0, by its power series."""
    total, term, k = 1.0, 1.0, 1
    while term > 1e-18 * total:
        term *= (x / (2 * k)) ** 2
        total += term
        k += 1
    return total


def kaiser_beta(rejection_db):
    """Kaiser 1974: the window parameter for a stop band this far down (above 50 dB)."""
    return 0.1102 * (rejection_db - 8.7)


def bank(cutoff, taps, phases, rejection_db=REJECTION_DB):
    """Rows of a windowed-sinc low-pass. Row r holds the kernel for an output r / phases of an input sample
    behind tap taps / 2 - 1; cutoff is in cycles per input sample. Every row has unit gain at DC."""
    beta, half, rows = kaiser_beta(rejection_db), taps / 2, []
    for r in range(phases + 1):
        row = []
        for tap in range(taps):
            t = tap - (taps // 2 - 1) - r / phases
            x = 2 * cutoff * t
            sinc = 1.0 if abs(x) < 1e-12 else math.sin(math.pi * x) / (math.pi * x)
            u = t / half
            row.append(sinc * (bessel_i0(beta * math.sqrt(1 - u * u)) if abs(u) < 1 else 0.0))
        gain = sum(row)
        rows.append([v / gain for v in row])
    return [v for row in rows for v in row]


def twiddles():
    """W256^(n2·k1) at 16·k1 + n2: the turn between the two passes of the 16 × 16 transform."""
    angles = [2 * math.pi * ((i // 16) * (i % 16)) / 256 for i in range(256)]
    return [math.cos(a) for a in angles], [-math.sin(a) for a in angles]


def split():
    """W512^k: from the half-length complex spectrum to the real one."""
    angles = [2 * math.pi * k / WINDOW for k in range(WINDOW // 2)]
    return [math.cos(a) for a in angles], [-math.sin(a) for a in angles]


def hann():
    """Periodic Hann window, scaled so that the sum of power over a band's bins is that band's mean square
    (Harris 1978: divide by the window's sum of squares; 2 for the one-sided spectrum)."""
    w = [0.5 - 0.5 * math.cos(2 * math.pi * n / WINDOW) for n in range(WINDOW)]
    scale = math.sqrt(2 / (WINDOW * sum(v * v for v in w)))
    return [v * scale for v in w]


def floats(name, values, comment):
    lines = [f'/* {comment} */', f'const float {name}[{len(values)}] = {{']
    for i in range(0, len(values), 8):
        lines.append('    ' + ', '.join(f'{v:.9g}f' if '.' in f'{v:.9g}' or 'e' in f'{v:.9g}' else f'{v:.9g}.0f'
                                        for v in values[i:i + 8]) + ',')
    return '\n'.join(lines + ['};', ''])


def integers(name, values, comment):
    return f'/* {comment} */\nconst unsigned short {name}[{len(values)}] = {{{", ".join(map(str, values))}}};\n'


def text():
    tw, sp = twiddles(), split()
    parts = [
        '/* Written by Scripts/generate_tables.py: change that, not this. */\n#include "tables.h"\n',
        floats('va_fft_twiddle_cos', tw[0], 'cos(2π n2 k1 / 256) at 16·k1 + n2'),
        floats('va_fft_twiddle_sin', tw[1], '-sin(2π n2 k1 / 256) at 16·k1 + n2'),
        floats('va_fft_split_cos', sp[0], 'cos(2π k / 512)'),
        floats('va_fft_split_sin', sp[1], '-sin(2π k / 512)'),
        floats('va_window', hann(), 'periodic Hann; bin powers add up to mean squares'),
        integers('va_band_edges', BAND_EDGES, 'band b is bins va_band_edges[b] … va_band_edges[b + 1] - 1'),
        floats('va_bank_up', bank(0.5, 36, PHASES_UP), 'input below 16 kHz: cut at its own Nyquist frequency'),
        floats('va_bank_24k', bank(8 / 24, 48, PHASES), 'input up to 24 kHz: cut at 8 of 24'),
        floats('va_bank_32k', bank(8 / 32, 64, PHASES), 'input up to 32 kHz: cut at 8 of 32'),
        floats('va_bank_48k', bank(8 / 48, 96, PHASES), 'input up to 48 kHz: cut at 8 of 48'),
        floats('va_bank_halve', bank(0.23, 36, 1, 80.0)[:36], 'halving of 48 kHz and more; one row'),
    ]
    return '\n'.join(parts)


def main():
    wanted = text()
    if '--check' in sys.argv[1:]:
        same = os.path.exists(PATH) and open(PATH, encoding='utf-8').read() == wanted
        print('tables_generated.c is ' + ('up to date' if same else 'NOT what Scripts/generate_tables.py writes'))
        return 0 if same else 1
    with open(PATH, 'w', encoding='utf-8') as file:
        file.write(wanted)
    return 0


if __name__ == '__main__':
    sys.exit(main())
