#!/usr/bin/env python3
"""Trains the smoother (CSupport/CVoiceActivity/smoother.h): from the detector's posteriors to better ones.

    python3 Training/smooth.py WORK [--steps 2500] [--seed 1] [--out WORK/smoother.npz]

It learns from mixtures, as the network does (targets.py), but sees nothing of them except the posteriors. 500 steps need
half a minute.
"""

import os
import pathlib

os.environ.setdefault('JAX_PLATFORMS', 'cpu')

import jax
import jax.numpy as jnp
import numpy as np
import optax

import mixtures
from exits import IO, Parser, fail
from features import STEP_HOPS, constant
from fit import BACKGROUND_WEIGHT, auc, descent
from targets import targets

CHANNELS, LAYERS, TAPS = (constant('smoother.h', f'VA_SMOOTHER_{name}') for name in ('CHANNELS', 'LAYERS', 'TAPS'))
INNER_TAPS = 3               # of the further layers
LEAST_PROBABILITY, SCALE = 0.0025, 4.0  # as smoother.c has them
SIDE = 64                    # steps of silence on both sides of a stream: more than the network sees

BATCH, CHUNK = 64, 500       # scenes, and steps of each
LEARNING_RATE, WEIGHT_DECAY = 4e-3, 1e-4
# What the logits are multiplied by and lowered by, for the probability to mean what it says: soft targets are less sure
# than speech is, and six in ten scenes have talk.
SHARPER, LOWER = 1.2, 0.1


def initial(seed):
    keys = iter(jax.random.split(jax.random.key(seed), 3))

    def normal(*shape, scale=1.0):
        return scale * jax.random.normal(next(keys), shape) / np.sqrt(shape[-3] * shape[-2])

    return {
        'first': normal(TAPS, STEP_HOPS, CHANNELS),
        'first_bias': jnp.zeros(CHANNELS),
        'layer': normal(LAYERS, INNER_TAPS, CHANNELS, CHANNELS),
        'layer_bias': jnp.zeros((LAYERS, CHANNELS)),
        'last': normal(1, CHANNELS, STEP_HOPS, scale=0.1)[0],
        'last_bias': jnp.zeros(STEP_HOPS),
        'direct': jnp.array(SCALE),
    }


def logit(p):
    """What the network sees of probabilities."""
    p = np.clip(p, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
    return np.log(p / (1 - p)) / SCALE


def convolution(x, taps, distance):
    """x [scene, step, channel] through taps [tap, channel, output] that lie `distance` steps apart, the middle one on the
    step itself."""
    reach, count = len(taps) // 2 * distance, x.shape[1]
    x = jnp.pad(x, ((0, 0), (reach, reach), (0, 0)), mode='edge')
    seen = [x[:, tap * distance : tap * distance + count] for tap in range(len(taps))]
    return jnp.concatenate(seen, -1) @ taps.reshape(-1, taps.shape[-1])


def network(weights, logits):
    """The logits [scene, step, STEP_HOPS] of the smoothed posteriors. Before and after the stream is silence."""
    around = jnp.pad(logits, ((0, 0), (SIDE, SIDE), (0, 0)), constant_values=logit(0))
    x = jax.nn.relu(convolution(around, weights['first'], 1) + weights['first_bias'])
    for layer in range(LAYERS):
        x += jax.nn.relu(convolution(x, weights['layer'][layer], 1 << layer) + weights['layer_bias'][layer])
    return weights['direct'] * logits + x[:, SIDE:-SIDE] @ weights['last'] + weights['last_bias']


def steps_of(hops):
    return hops.reshape(len(hops), -1, STEP_HOPS).astype(np.float32)


def read(paths):
    """(inputs, targets, weights), each [scene, step, STEP_HOPS]."""
    parts = []
    for file in map(np.load, paths):
        weight = file['weight'] * np.where(file['has_talk'], 1, BACKGROUND_WEIGHT)[:, None]
        parts.append([steps_of(part) for part in (logit(file['posterior'].astype(np.float32)), targets(file), weight)])
    return [np.concatenate(part) for part in zip(*parts)]


def loss(weights, inputs, target, weight):
    entropy = optax.sigmoid_binary_cross_entropy(network(weights, inputs), target)
    return (entropy * weight).sum() / weight.sum(), None


def fit(data, weights, steps, seed):
    optimiser, step = descent(loss, steps, LEARNING_RATE, WEIGHT_DECAY)
    state, rng, losses = optimiser.init(weights), np.random.default_rng(seed), []
    scenes, longest = data[0].shape[:2]
    for done in range(1, steps + 1):
        chosen, first = rng.choice(scenes, min(BATCH, scenes), replace=False), rng.integers(longest - CHUNK + 1)
        weights, state, _, value = step(weights, state, *(part[chosen, first : first + CHUNK] for part in data))
        losses.append(value)
        if done % 250 == 0 or done == steps:
            print(f'{done} of {steps} steps, loss {float(jnp.stack(losses).mean()):.4f}', flush=True)
            losses = []
    return weights


def calibrated(weights):
    scaled = {name: weights[name] * SHARPER for name in ('last', 'last_bias', 'direct')}
    return weights | scaled | {'last_bias': scaled['last_bias'] - LOWER}


def main():
    parser = Parser(__doc__)
    parser.add_argument('work', metavar='WORK', type=pathlib.Path)
    parser.add_argument('--steps', type=int, default=2500)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--out', type=pathlib.Path, metavar='FILE')
    options = parser.parse_args()
    if options.steps < 1 or options.seed < 0:
        parser.error('steps must be above 0, the seed not below')
    kept, others = mixtures.written(options.work)
    weights = calibrated(fit(read(others), initial(options.seed), options.steps, options.seed))
    mixtures.save(options.out or options.work / 'smoother.npz',
                  **{name: np.asarray(value, np.float32) for name, value in weights.items()})
    file = np.load(kept)
    inputs, label, sure = logit(file['posterior'].astype(np.float32)), file['label'], file['weight'] == 1
    smoothed = np.asarray(network(weights, steps_of(inputs))).reshape(label.shape)
    found = ', '.join(f'{auc(score[sure], label[sure]):.4f} {when}' for score, when in
                      ((inputs, 'before'), (smoothed, 'after')))
    print(f'AUC on {kept.name}, of the same recordings but other mixtures: {found}')


if __name__ == '__main__':
    try:
        main()
    except OSError as error:
        fail(IO, str(error))
