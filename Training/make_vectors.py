#!/usr/bin/env python3
"""Writes what the tests hold the C network to: inputs, and the logits that JAX computes of them.

    python3 Training/make_vectors.py [--weights WEIGHTS.npz] [--out FILE]

64 hops of samples/speech.flac from where it begins to speak, through the weights that export_weights.py exports, the
gates' and their inputs rounded as in the core, from an empty memory. A line is a hop: its inputs (FRAME, then the pitch) and the logit, separated by spaces.
"""

import argparse
import os
import pathlib

os.environ.setdefault('JAX_PLATFORMS', 'cpu')

import jax.numpy as jnp
import numpy as np
import soundfile

from export_weights import HERE, quantised, shipped
from features import HOP, INPUTS, ROOT, constant, rows
from network import HOPS, MEMORY, network

COUNT = 64  # hops
FIXTURE = ROOT / 'Tests' / 'CVoiceActivityTests' / 'Fixtures' / 'network-vectors.txt'


def speech_inputs():
    """The first COUNT hops of a sentence, rounded to what the file says."""
    samples, rate = soundfile.read(ROOT / 'samples' / 'speech.flac', dtype='float32')
    start = float((ROOT / 'samples' / 'speech.txt').read_text().split()[0])  # s
    first = int(start * 16000) // HOP
    return rows(samples, rate)[first : first + COUNT, :INPUTS].round(4)


def rounded(x):
    """The gates' inputs in the core's units."""
    return jnp.round(x * constant('network.h', 'VA_GATE_INPUT_ONE')) / constant('network.h', 'VA_GATE_INPUT_ONE')


def logits(weights, inputs):
    """The shipped output's, from an empty memory."""
    one = constant('network.h', 'VA_GATE_WEIGHT_ONE')
    weights = weights | {name: quantised(weights[name]) / np.float32(one) for name in ('gate_input', 'gate_memory')}
    single = {name: value[..., None] if name.startswith('output') else value for name, value in weights.items()}
    before = np.pad(inputs, ((HOPS - 1, 0), (0, 0)))[None]
    return np.asarray(network(single, before, jnp.zeros((1, MEMORY)), rounded)[0])[0, :, 0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--weights', type=pathlib.Path, default=HERE / 'weights.npz')
    parser.add_argument('--out', type=pathlib.Path, default=FIXTURE, metavar='FILE')
    options = parser.parse_args()
    inputs = speech_inputs()
    lines = [' '.join([*(f'{value:g}' for value in hop), f'{logit:.6f}'])
             for hop, logit in zip(inputs, logits(shipped(options.weights), inputs))]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    head = '# Written by Training/make_vectors.py: inputs of a hop, and the logit.\n'
    options.out.write_text(head + '\n'.join(lines) + '\n')


if __name__ == '__main__':
    main()
