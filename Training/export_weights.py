#!/usr/bin/env python3
"""Writes the C tables of the weights: CSupport/CVoiceActivity/weights_generated.c from Training/weights.npz and
Training/weights-beside-echo.npz, and smoother_generated.c from Training/smoother.npz.

    python3 Training/export_weights.py                       # writes the tables
    python3 Training/export_weights.py --check               # exits 1 if a table differs from what would be written
    python3 Training/export_weights.py --weights W --out C   # other files: W.npz, and beside it W-beside-echo.npz and
                                                             # smoother.npz; C, and beside it smoother_generated.c

Needs numpy only. A table holds every weight exactly, as the shortest decimal that is read back as the same float; but
those of products of integers, which are rounded to the core's units, and the gates' biases, which hold a part of them.
"""

import pathlib
import sys
import textwrap

import numpy as np

from exits import DATA, IO, NO_INPUT, Parser, fail
from features import CORE, DELAYS, DENSE, DENSE_INPUTS, FILTERS, MEMORY, PITCH, STEP_HOPS, TAPS, constant

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = 116


def smoother_shapes():
    """Name and shape of the weights that smooth.py makes, in the order of the C struct va_smoother_weights."""
    channels, layers, taps = (constant('smoother.h', f'VA_SMOOTHER_{name}') for name in ('CHANNELS', 'LAYERS', 'TAPS'))
    return {
        'first': (taps, STEP_HOPS, channels),
        'first_bias': (channels,),
        'layer': (layers, 3, channels, channels),
        'layer_bias': (layers, channels),
        'last': (channels, STEP_HOPS),
        'last_bias': (STEP_HOPS,),
        'direct': (),
    }


def shapes():
    """Name and shape of the weights that fit.py makes, in the order of the C struct va_weights."""
    return {
        'filter': (TAPS, FILTERS),
        'filter_bias': (FILTERS,),
        'dense': (DENSE_INPUTS, DENSE),
        'dense_bias': (DENSE,),
        'gate_input': (3, DENSE, MEMORY),
        'gate_memory': (3, MEMORY, MEMORY),
        'gate_bias': (3, MEMORY),
        'candidate_memory_bias': (MEMORY,),
        'output_dense': (STEP_HOPS, DENSE),
        'output_memory': (STEP_HOPS, MEMORY),
        'output_bias': (STEP_HOPS,),
    }


def beside_echo(path):
    """The file of the weights beside an echo that belongs to a file of plain ones."""
    return path.with_stem(f'{path.stem}-beside-echo')


def shipped(path):
    """The weights of a file by the names of shapes(); the outputs are those of the hops that the core decides."""
    stored = np.load(path)
    if tuple(stored['delays']) != DELAYS:
        raise ValueError(f'{path}: the outputs are {list(stored["delays"])} hops behind, not {list(DELAYS)}')
    return checked({name: stored[name].T if name.startswith('output') else stored[name] for name in shapes()}, shapes(), path)


def checked(weights, shapes, path):
    """weights, if they have these shapes."""
    for name, shape in shapes.items():
        value = weights[name]
        if value.shape != shape or value.dtype != np.float32 or not np.isfinite(value).all():
            raise ValueError(f'{path}: {name} should be finite float32 of {shape}, not {value.dtype} of {value.shape}')
    return {name: weights[name] for name in shapes}


def whole_filter(matrix):
    """The filters' weights in units of 1 / VA_FILTER_WEIGHT_ONE, in 16 bits."""
    whole = np.rint(matrix * constant('network.h', 'VA_FILTER_WEIGHT_ONE')).astype(np.int32)
    largest_input = constant('network.h', 'VA_FRAME_MOST')
    if np.abs(whole).max() > 32767 or np.abs(whole).sum(axis=0).max() * largest_input >= 2**31:
        raise ValueError('a weight leaves 16 bits, or a sum 32; make VA_FILTER_WEIGHT_ONE smaller')
    return whole.astype(np.int16)


def whole_quads(matrix):
    """[…, inputs, outputs] in 8 bits, and the unit of each output [..., outputs]: its largest weight becomes VA_QUAD_MOST."""
    largest = np.abs(matrix).max(axis=-2)
    units = np.where(largest > 0, largest, 1) / np.float32(constant('network.h', 'VA_QUAD_MOST'))
    return np.rint(matrix / units[..., None, :]).astype(np.int8), units


def side_by_side(matrix, inputs):
    """[…, all inputs, outputs] in the order of the core: so many inputs' weights, output by output, are a row."""
    groups = np.stack([matrix[..., first::inputs, :] for first in range(inputs)], axis=-1)
    return groups.reshape(*groups.shape[:-2], -1)


def padded(value):
    """value with zeros behind the dense layer's outputs, to whole vectors."""
    return np.pad(value, [(0, 0)] * (value.ndim - 1) + [(0, constant('network.h', 'VA_DENSE_ROW') - value.shape[-1])])


def gate_matrix(weights):
    """[gate, inputs, outputs]: the weights of the dense layer's outputs, then those of the memory."""
    return np.concatenate([weights['gate_input'], weights['gate_memory']], axis=1)


def members(weights):
    """The members of va_weights, in its order; its quads once, as bytes.

    A gate's input x becomes u = (x + 1) z, where z is VA_GATE_INPUT_ZERO. So x w = u w / z - w: a unit, and a part of the
    bias."""
    zero, outputs = constant('network.h', 'VA_GATE_INPUT_ZERO'), weights['dense'].shape[1]
    dense, dense_units = whole_quads(padded(weights['dense'][:-PITCH]))
    gates, gate_units = whole_quads(gate_matrix(weights))
    of_dense, of_memory = (part.sum(axis=1) * gate_units for part in (gates[:, :outputs], gates[:, outputs:]))
    candidate = np.array([False, False, True])[:, None]  # what it has of the memory has a bias of its own
    made = {
        'filter': side_by_side(whole_filter(weights['filter']), 2),
        'filter_bias': weights['filter_bias'],
        'dense': side_by_side(dense, 4),
        'gates': side_by_side(gates, 4),
        'dense_unit': dense_units / constant('network.h', 'VA_DENSE_INPUT_ONE'),
        'gate_unit': gate_units / zero,
        'dense_bias': padded(weights['dense_bias']),
        'dense_pitch': padded(weights['dense'][-PITCH:]),
        'gate_bias': weights['gate_bias'] - of_dense - np.where(candidate, 0, of_memory),
        'candidate_memory_bias': weights['candidate_memory_bias'] - of_memory[2],
        **{name: weights[name] for name in ('output_dense', 'output_memory', 'output_bias')},
    }
    return {name: value.astype(np.float32) if value.dtype == np.float64 else value for name, value in made.items()}


def literal(value):
    if value.dtype.kind == 'i':
        return str(value)
    text = str(np.float32(value))
    return text + ('f' if '.' in text or 'e' in text else '.0f')


def initialiser(values, indent):
    """Nested braces, from a new line on; a row of numbers fills lines."""
    if values.ndim == 0:
        return literal(values)
    margin = '\n' + ' ' * indent
    if values.ndim > 1:
        return '{' + ','.join(margin + initialiser(row, indent + 1) for row in values) + '}'
    row = ', '.join(map(literal, values))
    return '{' + margin.join(textwrap.wrap(row, COLUMNS - indent)) + '}'


def member(name, value):
    return f'  .{name} =\n    {initialiser(value, 5)},\n'


def table(header, kind, sets):
    """The C tables of sets of weights, by their names. Bytes are there in the forms that va_weights has."""
    text = f'/* Written by Training/export_weights.py: change that, not this. */\n#include "{header}"\n'
    for set_name, values in sets.items():
        quads = {name: value for name, value in values.items() if value.dtype == np.int8}
        for name, value in quads.items():
            lines = initialiser(value, 2).splitlines()
            text += f'\n#define {name.upper()}_OF_{set_name} \\\n  ' + ' \\\n'.join(lines) + '\n'
        text += f'\n_Alignas(64) const {kind} {set_name} = {{\n'
        for condition, prefix in ('VA_MULTIPLIES_BYTES', ''), ('VA_MULTIPLIES_16_BITS', 'wide_'):
            rows = ''.join(f'  .{prefix}{name} = {name.upper()}_OF_{set_name},\n' for name in quads)
            text += f'#if {condition}\n{rows}#endif\n' if quads else ''
        text += ''.join(member(name, value) for name, value in values.items() if name not in quads) + '};\n'
    return text


def tables(plain, beside, smoother):
    """The text of both C files, of the three files of weights."""
    networks = {'va_network_weights': plain, 'va_network_weights_beside_echo': beside}
    layers = checked(np.load(smoother), smoother_shapes(), smoother)
    return (table('network.h', 'va_weights', {name: members(shipped(path)) for name, path in networks.items()}),
            table('smoother.h', 'va_smoother_weights', {'va_smoother_network': layers}))


def arguments():
    parser = Parser(__doc__)
    parser.add_argument('--weights', type=pathlib.Path, default=HERE / 'weights.npz', metavar='W')
    parser.add_argument('--out', type=pathlib.Path, default=CORE / 'weights_generated.c', metavar='C')
    parser.add_argument('--check', action='store_true')
    return parser.parse_args()


def main():
    options = arguments()
    files = options.weights, beside_echo(options.weights), options.weights.with_name('smoother.npz')
    for file in files:
        if not file.exists():
            fail(NO_INPUT, f'{file}: no such file; train.sh makes it')
    written = dict(zip((options.out, options.out.with_name('smoother_generated.c')), tables(*files)))
    differing = [path.name for path, text in written.items() if not path.exists() or path.read_text() != text]
    if options.check and differing:
        print(f'{" and ".join(differing)}: NOT what Training/export_weights.py writes of {", ".join(f.name for f in files)}')
        sys.exit(1)
    if options.check:
        print('the weights are up to date')
    else:
        for path, text in written.items():
            path.write_text(text)


if __name__ == '__main__':
    try:
        main()
    except (ValueError, KeyError) as error:
        fail(DATA, error)
    except OSError as error:
        fail(IO, error)
