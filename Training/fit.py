#!/usr/bin/env python3
"""Trains the network on the mixtures of mix.py.

    python3 Training/fit.py WORK [--steps 6000] [--seed 1] [--start WEIGHTS.npz [--share 0.7 [--unmixed FILE.npz]]]

Writes WORK/weights.npz, every 500 steps and at the end, and says how well it does on one file of mixtures that it is
not trained on. A step of the optimiser is 192 scenes of 4 s, a quarter to half a second of two cores. --start: goes on
from WEIGHTS. --share: writes weights that lie this share of the way from WEIGHTS to the trained ones, so that they keep
what WEIGHTS knew of other sounds (Wortsman et al., "Robust fine-tuning of zero-shot models", CVPR 2022). --unmixed:
writes the trained ones, too, so that another share needs no other training.
targets.py says what is learned of the mixtures.

Truncated back-propagation through time: a batch of scenes is read in chunks of 4 s, the memory is carried from chunk
to chunk, the gradient is not. So the network learns from seconds what helps for seconds, and remembers for longer.
"""

import functools
import os
import pathlib
import time

os.environ.setdefault('JAX_PLATFORMS', 'cpu')  # small matrices: a GPU gains nothing

import jax
import jax.numpy as jnp
import numpy as np
import optax

import mixtures
from exits import IO, Parser, fail
from features import BANDS, DELAYS, FRAMES, MEMORY, STEP_HOPS
from network import initial, network
from targets import targets

FILES = 3                   # of 64 scenes, in a batch
CHUNK = 200                 # steps
LEARNING_RATE = 3e-3        # at its highest …
GOING_ON = 1.5e-3            # … and with --start
WARM_UP = 0.06              # of the steps
WEIGHT_DECAY = 1e-3
LONGEST_GRADIENT = 1.0
ONSET_WEIGHT = 2.0          # of the hops at the beginning of an utterance: they decide how late it is detected
ONSET, PAUSE = 15, 30       # hops: that beginning, and the silence before it
BACKGROUND_WEIGHT = 1.75    # of scenes in which nobody talks: a false alarm there annoys more than a late word
TILT_DB = 3, 7, 3           # deviation of a scene's gain, slope and ripple over the bands
DB = 1 / 20                 # of the features relative to the loudness (kernels.h, `frame`)
LIMITS = -2.0, 2.0          # of these features
SAVE_EVERY, TELL_EVERY = 500, 50


def delayed(values, first, count):
    """values [scene, hop] of the hops that are DELAYS behind the newest of the steps first … first + count: [scene, step,
    DELAYS], 0 before the start."""
    padded = np.pad(values, ((0, 0), (max(DELAYS), 0)))
    starts = [(first + 1) * STEP_HOPS - 1 + max(DELAYS) - delay for delay in DELAYS]
    return np.stack([padded[:, start:][:, : count * STEP_HOPS : STEP_HOPS] for start in starts], -1).astype(np.float32)


def tilts(scenes, rng):
    """A random change of each scene's spectrum, as features: another voice, another microphone. The features relative
    to the floor do not see it."""
    gain, slope, ripple = (rng.normal(0, deviation, (scenes, 1)) for deviation in TILT_DB)
    at = np.arange(BANDS) / (BANDS - 1) - 0.5
    wave = np.sin(2 * np.pi * (at * rng.uniform(0.5, 3, (scenes, 1)) + rng.random((scenes, 1))))
    return ((gain + slope * at + ripple * wave) * DB).astype(np.float32)


def onset_weights(label):
    """ONSET_WEIGHT for the hops of speech within ONSET of where it began after a PAUSE, 1 for others: [scene, hop]."""
    spoken = np.cumsum(np.pad(label, ((0, 0), (PAUSE + 1, 0))), 1)
    began = label & (spoken[:, PAUSE:-1] == spoken[:, : -PAUSE - 1])
    onsets = np.cumsum(np.pad(began, ((0, 0), (ONSET, 0))), 1)
    return np.where(label & (onsets[:, ONSET:] > onsets[:, :-ONSET]), ONSET_WEIGHT, 1.0)


@functools.cache
def learned(path):
    """The targets of a file of mixtures, which is read many times: made once."""
    return targets(np.load(path)).astype(np.float16)


def batches(paths, rng):
    """For ever (is it the first chunk, inputs, targets, weights, tilts) of chunks, FILES files at once."""
    order = []
    while True:
        while len(order) < FILES:
            order += list(rng.permutation(len(paths)))
        chosen, order = [paths[i] for i in order[:FILES]], order[FILES:]
        files = [np.load(path) for path in chosen]
        inputs, weight, has_talk = (
            np.concatenate([file[name] for file in files]) for name in ('inputs', 'weight', 'has_talk'))
        target = np.concatenate([learned(path) for path in chosen]).astype(np.float32)
        weight = weight * np.where(has_talk, 1, BACKGROUND_WEIGHT)[:, None]
        weight *= onset_weights(np.concatenate([file['label'] for file in files]))
        skip = rng.integers(inputs.shape[1] // 4) if rng.random() < 0.5 else 0  # begin in the middle as well
        inputs, target, weight = inputs[:, skip:], target[:, skip * STEP_HOPS :], weight[:, skip * STEP_HOPS :]
        before = np.pad(inputs, ((0, 0), (FRAMES - 1, 0), (0, 0)))
        tilt = tilts(len(inputs), rng)
        for first in range(0, inputs.shape[1] - CHUNK + 1, CHUNK):
            chunk = before[:, first : first + CHUNK + FRAMES - 1]
            yield first == 0, chunk, delayed(target, first, CHUNK), delayed(weight, first, CHUNK), tilt


def tilted(inputs, tilt):
    """inputs with each scene's tilt on the features relative to the loudness; hops that are all 0 stay so."""
    measured = jnp.abs(inputs).sum(-1, keepdims=True) > 0
    relative = jnp.clip(inputs[:, :, :BANDS] + tilt[:, None] * measured, *LIMITS)
    return jnp.concatenate([relative, inputs[:, :, BANDS:]], axis=-1)


def loss(weights, inputs, memory, target, weight, tilt):
    logits, memory = network(weights, tilted(inputs.astype(jnp.float32), tilt), memory)
    entropy = optax.sigmoid_binary_cross_entropy(logits, target)
    return (entropy * weight).sum() / jnp.maximum(weight.sum(), 1), memory


def descent(loss, steps, highest, decay=WEIGHT_DECAY):
    """Returns AdamW and one jitted step of it. The learning rate rises to `highest` and falls to 0 within `steps`.
    loss(weights, *batch) returns its value, and something that a step passes on."""
    schedule = optax.cosine_onecycle_schedule(steps, highest, WARM_UP, div_factor=10, final_div_factor=100)
    optimiser = optax.chain(optax.clip_by_global_norm(LONGEST_GRADIENT), optax.adamw(schedule, weight_decay=decay))

    @jax.jit
    def step(weights, state, *batch):
        (value, passed), gradient = jax.value_and_grad(loss, has_aux=True)(weights, *batch)
        updates, state = optimiser.update(gradient, state, weights)
        return optax.apply_updates(weights, updates), state, passed, value

    return optimiser, step


def auc(score, truth):
    """The chance that a hop of speech scores higher than one without."""
    rank = np.empty(len(score))
    rank[np.argsort(score, kind='stable')] = np.arange(1, len(score) + 1)
    positives = truth.sum()
    return (rank[truth].sum() - positives * (positives + 1) / 2) / max(positives * (len(truth) - positives), 1)


def examine(weights, path):
    """AUC of each output on a file of mixtures, over the hops whose label is sure."""
    file = np.load(path)
    before = np.pad(file['inputs'].astype(np.float32), ((0, 0), (FRAMES - 1, 0), (0, 0)))
    logits, _ = jax.jit(network)(weights, before, jnp.zeros((len(before), MEMORY)))
    count = logits.shape[1]
    labels, sure = delayed(file['label'], 0, count) > 0, delayed(file['weight'], 0, count) == 1
    return [auc(np.asarray(logits[..., i])[sure[..., i]], labels[..., i][sure[..., i]]) for i in range(len(DELAYS))]


def save(path, weights):
    mixtures.save(path, delays=DELAYS, **{name: np.asarray(value, np.float32) for name, value in weights.items()})


def between(start, end, share):
    """Returns the weights that are this share of the way from `start` to `end`."""
    return {name: (1 - share) * start[name] + share * end[name] for name in end}


def fit(paths, weights, steps, seed, keep, highest=LEARNING_RATE):
    """Trains for this many steps; calls keep(weights) now and then."""
    optimiser, step = descent(loss, steps, highest)
    state, losses, start = optimiser.init(weights), [], time.monotonic()
    chunks = batches(paths, np.random.default_rng(seed))
    for done in range(1, steps + 1):
        first, inputs, target, weight, tilt = next(chunks)
        if first:
            memory = jnp.zeros((len(inputs), MEMORY))
        weights, state, memory, value = step(weights, state, inputs, memory, target, weight, tilt)
        losses.append(value)
        if done % TELL_EVERY == 0 or done == steps:
            mean = float(jnp.stack(losses).mean())
            print(f'{done} of {steps} steps, loss {mean:.4f}, {time.monotonic() - start:.0f} s', flush=True)
            losses = []
        if done % SAVE_EVERY == 0 or done == steps:
            keep(weights)
    return weights


def arguments():
    parser = Parser(__doc__)
    parser.add_argument('work', metavar='WORK', type=pathlib.Path)
    parser.add_argument('--steps', type=int, default=6000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--start', type=pathlib.Path, metavar='WEIGHTS')
    parser.add_argument('--share', type=float, default=1.0)
    parser.add_argument('--unmixed', type=pathlib.Path, metavar='FILE')
    options = parser.parse_args()
    if options.steps < 1 or options.seed < 0:
        parser.error('steps must be above 0, the seed not below')
    if not 0 < options.share <= 1 or (options.share < 1 and not options.start):
        parser.error('--share must be above 0 and at most 1, and below 1 it needs --start')
    return options


def main():
    options = arguments()
    kept, others = mixtures.written(options.work)
    weights = initial(options.seed)
    if options.start:
        stored = np.load(options.start)
        outputs = [list(stored['delays']).index(delay) for delay in DELAYS]
        weights = {name: jnp.array(stored[name][..., outputs] if name.startswith('output') else stored[name])
                   for name in weights}
    start = weights

    def keep(trained):
        save(options.work / 'weights.npz', between(start, trained, options.share))
        if options.unmixed:
            save(options.unmixed, trained)

    weights = fit(others, weights, options.steps, options.seed, keep,
                  GOING_ON if options.start else LEARNING_RATE)
    weights = between(start, weights, options.share)
    found = ', '.join(f'{area:.4f} at {delay}' for area, delay in zip(examine(weights, kept), DELAYS))
    print(f'AUC on {kept.name}, of the same recordings but other mixtures, by hops of delay: {found}')


if __name__ == '__main__':
    try:
        main()
    except OSError as error:
        fail(IO, str(error))
