"""The network of CSupport/CVoiceActivity/network.h in JAX, in the same names and shapes, for whole batches.

A batch is [scene, step, INPUTS]; parameters are a dictionary of arrays as in the C struct va_weights, except that the
output has a column for each of DELAYS.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from features import (
    BANDS, CHANNELS, DELAYS, DENSE, DENSE_INPUTS, FILTER_BANDS, FILTER_STEP, FILTERS, FRAME, FRAMES, MEMORY, PLACES, TAPS)

UPDATE = 1  # of the gates: reset, update, candidate


def initial(seed):
    """Random weights that keep the variance from layer to layer. The update gate starts half open towards the past."""
    keys = iter(jax.random.split(jax.random.key(seed), 8))

    def normal(*shape, scale=1.0):
        return scale * jax.random.normal(next(keys), shape) / np.sqrt(shape[-2])

    return {
        'filter': normal(TAPS, FILTERS, scale=np.sqrt(2)),  # He et al., ICCV 2015: a ReLU halves the power
        'filter_bias': jnp.zeros(FILTERS),
        'dense': normal(DENSE_INPUTS, DENSE),
        'dense_bias': jnp.zeros(DENSE),
        'gate_input': normal(3, DENSE, MEMORY),
        'gate_memory': normal(3, MEMORY, MEMORY, scale=0.7),
        'gate_bias': jnp.zeros((3, MEMORY)).at[UPDATE].set(1.0),
        'candidate_memory_bias': jnp.zeros(MEMORY),
        'output_dense': normal(DENSE, len(DELAYS)),
        'output_memory': normal(MEMORY, len(DELAYS)),
        'output_bias': jnp.zeros(len(DELAYS)),
    }


def tanh(x):
    """Lambert's continued fraction, as fast_math_lanes.h has it: the network learns the function that it runs with."""
    x = jnp.clip(x, -4.97, 4.97)
    s = x * x
    return x * (135135 + s * (17325 + s * (378 + s))) / (135135 + s * (62370 + s * (3150 + 28 * s)))


def sigmoid(x):
    return 0.5 + 0.5 * tanh(0.5 * x)


def spread(filters):
    """The filters at all places as one matrix [FRAMES · FRAME, PLACES · FILTERS]: mostly zeros, but one product of
    matrices is faster here than a convolution of small pieces."""
    taps = filters.reshape(FRAMES, CHANNELS, FILTER_BANDS, FILTERS)
    matrix = jnp.zeros((FRAMES, CHANNELS, BANDS, PLACES, FILTERS))
    for place in range(PLACES):
        first = place * FILTER_STEP
        matrix = matrix.at[:, :, first : first + FILTER_BANDS, place].set(taps)
    return matrix.reshape(FRAMES * FRAME, PLACES * FILTERS)


def side_by_side(gates):
    """[3, inputs, MEMORY] as [inputs, 3 · MEMORY], for one product instead of three."""
    return jnp.concatenate(list(gates), axis=-1)


def exactly(x):
    return x


def remembered(gate_inputs, memory, now, gates, bias):
    """One step: (the memory after it, its gates and its candidate, what the candidate is given of the memory before)."""
    reset_now, update_now, candidate_now = jnp.split(now, 3, axis=-1)
    reset_was, update_was, candidate_was = jnp.split(gate_inputs(memory) @ gates, 3, axis=-1)
    reset, update = sigmoid(reset_now + reset_was), sigmoid(update_now + update_was)
    recalled = candidate_was + bias
    candidate = tanh(candidate_now + reset * recalled)
    return candidate + update * (memory - candidate), reset, update, candidate, recalled


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def memories(gate_inputs, memory, now, gates, bias):
    """The memory [step, scene, MEMORY] after each step. now: what the gates and the candidate have from the inputs, [step,
    scene, 3 · MEMORY]. Its gradient takes half as long as JAX's own: the gates have theirs once, from all steps."""
    return forward(gate_inputs, memory, now, gates, bias)[0]


def forward(gate_inputs, memory, now, gates, bias):
    def step(memory, now):
        after, *inside = remembered(gate_inputs, memory, now, gates, bias)
        return after, (after, *inside)

    _, (after, *inside) = jax.lax.scan(step, memory, now)
    return after, (jnp.concatenate([memory[None], after[:-1]]), *inside, gates)


def backward(gate_inputs, kept, slopes):
    *inside, gates = kept

    def step(later, this):
        slope, before, reset, update, candidate, recalled = this
        slope += later
        of_candidate = slope * (1 - update) * (1 - candidate**2)
        of_reset = of_candidate * recalled * reset * (1 - reset)
        of_update = slope * (before - candidate) * update * (1 - update)
        was = jnp.concatenate([of_reset, of_update, of_candidate * reset], -1)
        return slope * update + was @ gates.T, (was, of_candidate)

    before = inside[0]
    of_memory, (was, of_candidate) = jax.lax.scan(step, jnp.zeros_like(before[0]), (slopes, *inside), reverse=True)
    of_now = jnp.concatenate([was[..., : 2 * MEMORY], of_candidate], -1)
    of_gates = jnp.einsum('tsm,tsg->mg', gate_inputs(before), was)
    return of_memory, of_now, of_gates, was[..., 2 * MEMORY :].sum((0, 1))


memories.defvjp(forward, backward)


def network(weights, inputs, memory, dense_inputs=exactly, gate_inputs=exactly):
    """(logits [scene, step, DELAYS], memory) of inputs [scene, FRAMES - 1 + step, INPUTS], of which the first FRAMES - 1
    steps are seen by the filters only: the steps before, or zeros at the start. memory: [scene, MEMORY], 0 at the start.
    dense_inputs and gate_inputs round what these layers multiply, where it has to be as coarse as in the core.
    """
    count = inputs.shape[1] - (FRAMES - 1)
    frames, pitch = inputs[:, :, :FRAME], inputs[:, FRAMES - 1 :, FRAME:]
    seen = jnp.concatenate([frames[:, frame : frame + count] for frame in range(FRAMES)], axis=-1)
    filtered = jax.nn.relu(seen @ spread(weights['filter']) + jnp.tile(weights['filter_bias'], PLACES))
    given = dense_inputs(jnp.concatenate([filtered, pitch], axis=-1))
    dense = tanh(given @ weights['dense'] + weights['dense_bias'])
    from_input = gate_inputs(dense) @ side_by_side(weights['gate_input']) + weights['gate_bias'].reshape(-1)
    after = memories(gate_inputs, memory, jnp.swapaxes(from_input, 0, 1), side_by_side(weights['gate_memory']),
                     weights['candidate_memory_bias'])
    logits = dense @ weights['output_dense'] + jnp.swapaxes(after, 0, 1) @ weights['output_memory']
    return logits + weights['output_bias'], after[-1]
