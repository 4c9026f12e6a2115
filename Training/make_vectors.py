#!/usr/bin/env python3
"""Writes what the tests hold the C network to: inputs, and the logits that JAX computes of them.

    python3 Training/make_vectors.py [--weights WEIGHTS.npz] [--out FILE]

64 steps of samples/speech.flac from where it begins to speak, through each set of weights that export_weights.py exports,
from an empty memory; weights and what they multiply are rounded as in the core. A line is a step: its inputs (FRAME
whole numbers in the core's units, then the pitch), its hops' logits by the plain weights and by those beside an echo,
separated by spaces.
"""

import os
import pathlib

os.environ.setdefault('JAX_PLATFORMS', 'cpu')

import jax.numpy as jnp
import numpy as np
import soundfile

from exits import Parser
from export_weights import HERE, beside_echo, gate_matrix, shipped, whole_filter, whole_quads
from features import FRAME, FRAMES, HOP, INPUTS, MEMORY, PITCH, ROOT, STEP_HOPS, constant, rows
from network import network

COUNT = 64  # steps
FRAME_ONE = constant('network.h', 'VA_FRAME_ONE')
DENSE_ONE = constant('network.h', 'VA_DENSE_INPUT_ONE')
GATE_ZERO = constant('network.h', 'VA_GATE_INPUT_ZERO')
MOST = constant('network.h', 'VA_QUAD_MOST')
FIXTURE = ROOT / 'Tests' / 'CVoiceActivityTests' / 'Fixtures' / 'network-vectors.txt'


def speech_inputs():
    """The first COUNT steps of a sentence, the pitch rounded to what the file says."""
    samples, rate = soundfile.read(ROOT / 'samples' / 'speech.flac', dtype='float32')
    start = float((ROOT / 'samples' / 'speech.txt').read_text().split()[0])  # s
    first = int(start * 16000) // (STEP_HOPS * HOP)
    inputs = rows(samples, rate)[first : first + COUNT, :INPUTS]
    inputs[:, FRAME:] = inputs[:, FRAME:].round(4)
    return inputs


def dense_inputs(x):
    """What the dense layer multiplies: the filters' outputs rounded and cut off, and the pitch."""
    filtered, pitch = x[..., :-PITCH], x[..., -PITCH:]
    return jnp.concatenate([jnp.minimum(jnp.round(filtered * DENSE_ONE), MOST) / DENSE_ONE, pitch], axis=-1)


def gate_inputs(x):
    return jnp.round((x + 1) * GATE_ZERO) / GATE_ZERO - 1


def in_eight_bits(matrix):
    whole, units = whole_quads(matrix)
    return whole * units[..., None, :]


def rounded(weights):
    """Weights that are what the core multiplies."""
    gates = in_eight_bits(gate_matrix(weights))
    from_dense = weights['gate_input'].shape[1]
    return weights | {
        'filter': whole_filter(weights['filter']) / np.float32(constant('network.h', 'VA_FILTER_WEIGHT_ONE')),
        'dense': np.concatenate([in_eight_bits(weights['dense'][:-PITCH]), weights['dense'][-PITCH:]]),
        'gate_input': gates[:, :from_dense],
        'gate_memory': gates[:, from_dense:],
    }


def logits(weights, inputs):
    """[step, STEP_HOPS], from an empty memory."""
    weights = {name: value.T if name.startswith('output') else value for name, value in rounded(weights).items()}
    before = np.pad(inputs, ((FRAMES - 1, 0), (0, 0)))[None]
    return np.asarray(network(weights, before, jnp.zeros((1, MEMORY)), dense_inputs, gate_inputs)[0])[0]


def main():
    parser = Parser(__doc__)
    parser.add_argument('--weights', type=pathlib.Path, default=HERE / 'weights.npz')
    parser.add_argument('--out', type=pathlib.Path, default=FIXTURE, metavar='FILE')
    options = parser.parse_args()
    inputs = speech_inputs()
    decided = np.hstack([logits(shipped(file), inputs) for file in (options.weights, beside_echo(options.weights))])
    lines = [' '.join([*(f'{value * FRAME_ONE:.0f}' for value in step[:FRAME]), *(f'{value:g}' for value in step[FRAME:]),
                       *(f'{logit:.6f}' for logit in both)])
             for step, both in zip(inputs, decided)]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    head = '# Written by Training/make_vectors.py: inputs of a step, its logits, and those beside an echo.\n'
    options.out.write_text(head + '\n'.join(lines) + '\n')


if __name__ == '__main__':
    main()
