/* network_body.h — a step of network.h for one stream, or for several that share the loads of the weights. It is
 * included once per number of lanes. */
#include "fast_math_lanes.h"
#include "network.h"

/* How many whole vectors hold `count` numbers. */
#define VA_VECTORS(count) (((count) + VA_LANES - 1) / VA_LANES)
#define VA_FILTER_VECTORS VA_VECTORS(VA_FILTERS)
#define VA_DENSE_VECTORS VA_VECTORS(VA_DENSE)
#define VA_GATE_VECTORS VA_VECTORS(VA_MEMORY)

/* How many sums are computed at a time: places of the filters, vectors of the dense layer, vectors of three gates, and
 * streams. Many, since each addition waits for the one before, but no more than there are registers: 32 with 16 lanes,
 * otherwise 16. With 16 registers, streams are taken one by one: loading weights once would save less than loading
 * inputs more often costs. */
#if VA_LANES == 16
#define VA_PLACES_AT_ONCE 9
#define VA_DENSE_TILE VA_DENSE_VECTORS
#define VA_STREAMS_TOGETHER 4
#define VA_GATE_TILE_TOGETHER 2
#define VA_UNROLL_INPUTS
#else
#define VA_PLACES_AT_ONCE (VA_LANES == 8 ? 3 : 1)
#define VA_DENSE_TILE 5
#define VA_STREAMS_TOGETHER 1
#define VA_GATE_TILE_TOGETHER VA_GATE_TILE
#define VA_UNROLL_INPUTS VA_UNROLL_BY_8
#endif
#define VA_GATE_TILE 4
#if VA_LANES == 8
#define VA_UNROLL_PAIRS VA_UNROLL_BY_4 /* by 8, clang needs 400 instructions more a hop */
#else
#define VA_UNROLL_PAIRS VA_UNROLL_INPUTS
#endif
_Static_assert(VA_FILTER_PLACES % VA_PLACES_AT_ONCE == 0, "no place remains");

/* The values between a stream's layers during a step. The 16-bit array has room for a whole vector at its end. */
typedef struct va_layers {
  int16_t inputs[VA_DENSE_INPUTS + VA_LANES]; /* of the dense layer, then of the gates */
  float dense[VA_DENSE_ROW];
} va_layers;
_Static_assert(VA_GATE_INPUTS + VA_LANES <= VA_DENSE_INPUTS + VA_LANES, "the gates have fewer inputs");

/* Converts a sum of products of 16-bit numbers to the value it stands for. */
VA_INLINE va_vec va_unscaled(va_lanes_i sum, float input_one, float weight_one) {
  return __builtin_convertvector(sum, va_vec) * va_splat(1 / (input_one * weight_one));
}

/* MARK: filters */

typedef va_lanes_i va_filter_sums[VA_PLACES_AT_ONCE][VA_FILTER_VECTORS];

/* Adds the products of one channel of a frame to the filters at VA_PLACES_AT_ONCE neighbouring places. */
VA_INLINE void va_filter_bands(va_filter_sums sums, const int16_t *bands, const int16_t *weights) {
  VA_UNROLL
  for (size_t band = 0; band < VA_FILTER_BANDS; band += 2) {
    VA_UNROLL
    for (size_t place = 0; place < VA_PLACES_AT_ONCE; place++) {
      va_pairs pair = va_splat_pair(bands + place * VA_FILTER_STEP + band);
      VA_UNROLL
      for (size_t j = 0; j < VA_FILTER_VECTORS; j++)
        sums[place][j] = va_add_products(sums[place][j], pair, va_load_pairs(weights + band * VA_FILTERS + 2 * j * VA_LANES));
    }
  }
}

/* Computes the filters at the places from `first` on, over all frames, channels and bands. */
VA_INLINE void va_filters(const va_weights *w, const int16_t *const *frames, size_t first, int16_t *out) {
  va_filter_sums sums;
  const int16_t *weights = w->filter[0];
  VA_UNROLL
  for (size_t place = 0; place < VA_PLACES_AT_ONCE; place++)
    VA_UNROLL
    for (size_t j = 0; j < VA_FILTER_VECTORS; j++) sums[place][j] = (va_lanes_i){0};
  for (size_t i = 0; i < VA_FILTER_FRAMES; i++) {
    for (size_t channel = 0; channel < VA_CHANNELS; channel++) {
      va_filter_bands(sums, frames[i] + channel * VA_BANDS + first * VA_FILTER_STEP, weights);
      weights += VA_FILTER_BANDS * VA_FILTERS;
    }
  }
  VA_UNROLL
  for (size_t place = 0; place < VA_PLACES_AT_ONCE; place++)
    VA_UNROLL
    for (size_t j = 0; j < VA_FILTER_VECTORS; j++) {
      va_vec x = va_unscaled(sums[place][j], VA_FRAME_ONE, VA_FILTER_WEIGHT_ONE) + va_load(w->filter_bias + j * VA_LANES);
      x = va_min(va_max(x, va_splat(0)) * VA_DENSE_INPUT_ONE, va_splat(32767));
      va_store_16(out + place * VA_FILTERS + j * VA_LANES, x);
    }
}

/* Computes all filters of a window and of those before it, oldest first; then the window joins those. */
VA_INLINE void va_filter(const va_weights *w, va_network *n, const va_network_input *input, int16_t *out) {
  const int16_t *frames[VA_FILTER_FRAMES];
  for (uint32_t i = 0; i + 1 < VA_FILTER_FRAMES; i++) frames[i] = n->frames[(n->next + i) % (VA_FILTER_FRAMES - 1)];
  frames[VA_FILTER_FRAMES - 1] = input->frame;
  for (size_t place = 0; place < VA_FILTER_PLACES; place += VA_PLACES_AT_ONCE)
    va_filters(w, frames, place, out + place * VA_FILTERS);
  memcpy(n->frames[n->next], input->frame, sizeof input->frame);
  n->next = (n->next + 1) % (VA_FILTER_FRAMES - 1);
}

/* Writes the pitch after the filters' outputs. */
VA_INLINE void va_add_pitch(const float *pitch, int16_t *out) {
  va_vec x = va_splat(0);
  for (size_t i = 0; i < VA_PITCH_INPUTS; i++) x[i] = pitch[i] * VA_DENSE_INPUT_ONE;
  va_store_16(out, x);
}

/* MARK: the dense layer */

/* Computes `tile` vectors of outputs from vector `first` on, for some streams. */
VA_INLINE void va_dense_tile(const va_weights *w, va_layers *layers, size_t streams, size_t first, size_t tile) {
  va_lanes_i sums[VA_STREAMS_TOGETHER][VA_DENSE_VECTORS];
  VA_UNROLL
  for (size_t s = 0; s < streams; s++)
    VA_UNROLL
    for (size_t j = 0; j < tile; j++) sums[s][j] = (va_lanes_i){0};
  VA_UNROLL_INPUTS
  for (size_t i = 0; i < VA_DENSE_INPUTS / 2; i++)
    VA_UNROLL
    for (size_t j = 0; j < tile; j++) {
      va_pairs row = va_load_pairs(w->dense[i] + 2 * VA_LANES * (first + j));
      VA_UNROLL
      for (size_t s = 0; s < streams; s++)
        sums[s][j] = va_add_products(sums[s][j], va_splat_pair(layers[s].inputs + 2 * i), row);
    }
  VA_UNROLL
  for (size_t s = 0; s < streams; s++)
    VA_UNROLL
    for (size_t j = 0; j < tile; j++) {
      size_t at = (first + j) * VA_LANES;
      va_vec x = va_unscaled(sums[s][j], VA_DENSE_INPUT_ONE, VA_DENSE_WEIGHT_ONE) + va_load(w->dense_bias + at);
      va_store(layers[s].dense + at, va_tanh_lanes(x));
    }
}

/* Each tile's weights stay in the nearest cache while all streams use them. `together` streams share their loads. */
VA_INLINE void va_dense(const va_weights *w, va_layers *layers, size_t streams, size_t together) {
  for (size_t first = 0; first < VA_DENSE_VECTORS; first += VA_DENSE_TILE)
    for (size_t s = 0; s < streams; s += together) va_dense_tile(w, layers + s, together, first, VA_DENSE_TILE);
}

/* MARK: the memory */

/* Converts x[0 … count), -1 … 1, to inputs of the gates. It reads and writes whole vectors. */
VA_INLINE void va_in_16_bits(const float *x, size_t count, int16_t *out) {
  for (size_t i = 0; i < count; i += VA_LANES) va_store_16(out + i, va_load(x + i) * VA_GATE_INPUT_ONE);
}

/* In this order: the whole vectors of the first reach into the second. */
VA_INLINE void va_gate_inputs(va_layers *layers, const va_network *network) {
  va_in_16_bits(layers->dense, VA_DENSE, layers->inputs);
  va_in_16_bits(network->memory, VA_MEMORY, layers->inputs + VA_DENSE);
}

/* The input pairs of a gate: those of the dense layer, then those of the memory. */
enum { VA_PAIRS_OF_DENSE = VA_DENSE / 2, VA_PAIRS_OF_GATE = VA_GATE_INPUTS / 2 };

/* Some vectors of a gate's sums for each of some streams. */
typedef va_lanes_i va_gate_sums[VA_STREAMS_TOGETHER][VA_GATE_TILE];

/* Adds the products of input pair i to sums of a gate. */
VA_INLINE void va_add_pair(const va_weights *w, int gate, size_t i, const va_layers *layers, size_t streams, size_t first,
                           size_t tile, va_gate_sums sums) {
  VA_UNROLL
  for (size_t j = 0; j < tile; j++) {
    va_pairs row = va_load_pairs(w->gates[gate][i] + 2 * VA_LANES * (first + j));
    VA_UNROLL
    for (size_t s = 0; s < streams; s++)
      sums[s][j] = va_add_products(sums[s][j], va_splat_pair(layers[s].inputs + 2 * i), row);
  }
}

/* The values of some of a gate's outputs, from `at` on, with a bias. */
VA_INLINE va_vec va_gate_value(va_lanes_i sum, const float *bias, size_t at) {
  return va_unscaled(sum, VA_GATE_INPUT_ONE, VA_GATE_WEIGHT_ONE) + va_load(bias + at);
}

/* The gated recurrent unit: updates `tile` vectors of the memory, from vector `first` on, for some streams.
 *   candidate = tanh(input + reset · memory's part),  memory = update · memory + (1 - update) · candidate */
VA_INLINE void va_remember_tile(const va_weights *w, const va_layers *layers, va_network *const *networks, size_t streams,
                                size_t first, size_t tile) {
  va_gate_sums resets, updates, inputs, memories;
  VA_UNROLL
  for (size_t s = 0; s < streams; s++)
    VA_UNROLL
    for (size_t j = 0; j < tile; j++) resets[s][j] = updates[s][j] = inputs[s][j] = memories[s][j] = (va_lanes_i){0};
  VA_UNROLL_PAIRS
  for (size_t i = 0; i < VA_PAIRS_OF_DENSE; i++) {
    va_add_pair(w, VA_RESET, i, layers, streams, first, tile, resets);
    va_add_pair(w, VA_UPDATE, i, layers, streams, first, tile, updates);
    va_add_pair(w, VA_CANDIDATE, i, layers, streams, first, tile, inputs);
  }
  VA_UNROLL_PAIRS
  for (size_t i = VA_PAIRS_OF_DENSE; i < VA_PAIRS_OF_GATE; i++) {
    va_add_pair(w, VA_RESET, i, layers, streams, first, tile, resets);
    va_add_pair(w, VA_UPDATE, i, layers, streams, first, tile, updates);
    va_add_pair(w, VA_CANDIDATE, i, layers, streams, first, tile, memories);
  }
  VA_UNROLL
  for (size_t s = 0; s < streams; s++)
    VA_UNROLL
    for (size_t j = 0; j < tile; j++) {
      size_t at = (first + j) * VA_LANES;
      va_vec reset = va_sigmoid_lanes(va_gate_value(resets[s][j], w->gate_bias[VA_RESET], at));
      va_vec part = va_rounded(reset * va_gate_value(memories[s][j], w->candidate_memory_bias, at));
      va_vec candidate = va_tanh_lanes(part + va_gate_value(inputs[s][j], w->gate_bias[VA_CANDIDATE], at));
      va_vec update = va_sigmoid_lanes(va_gate_value(updates[s][j], w->gate_bias[VA_UPDATE], at));
      va_vec memory = va_load(networks[s]->memory + at);
      va_store(networks[s]->memory + at, candidate + update * (memory - candidate));
    }
}

VA_INLINE void va_remember(const va_weights *w, const va_layers *layers, va_network *const *networks, size_t streams,
                           size_t together, size_t tile) {
  for (size_t first = 0; first < VA_GATE_VECTORS; first += tile)
    for (size_t s = 0; s < streams; s += together) va_remember_tile(w, layers + s, networks + s, together, first, tile);
}

/* MARK: a step */

/* Layer by layer for up to VA_STREAMS_AT_ONCE streams: whole groups first, then one by one. Both compute the same sums. */
VA_INLINE void va_step(const va_weights *w, va_network *const *networks, const va_network_input *inputs,
                       va_logits *logits, size_t streams) {
  va_layers layers[VA_STREAMS_AT_ONCE];
  const size_t grouped = streams - streams % VA_STREAMS_TOGETHER, rest = streams - grouped;
  for (size_t s = 0; s < streams; s++) {
    va_filter(w, networks[s], &inputs[s], layers[s].inputs);
    va_add_pitch(inputs[s].pitch, layers[s].inputs + VA_FILTER_PLACES * VA_FILTERS);
  }
  va_dense(w, layers, grouped, VA_STREAMS_TOGETHER);
  if (rest) va_dense(w, layers + grouped, rest, 1);
  for (size_t s = 0; s < streams; s++) va_gate_inputs(&layers[s], networks[s]);
  va_remember(w, layers, networks, grouped, VA_STREAMS_TOGETHER, VA_GATE_TILE_TOGETHER);
  if (rest) va_remember(w, layers + grouped, networks + grouped, rest, 1, VA_GATE_TILE);
  for (size_t s = 0; s < streams; s++)
    for (size_t hop = 0; hop < VA_STEP_HOPS; hop++)
      logits[s][hop] = w->output_bias[hop] + va_dot(w->output_dense[hop], layers[s].dense, VA_DENSE) +
                       va_dot(w->output_memory[hop], networks[s]->memory, VA_MEMORY);
}

static void va_network_steps_of(const va_weights *w, va_network *const *networks, const va_network_input *inputs,
                                va_logits *logits, size_t streams) {
  for (size_t s = 0; s < streams; s += VA_STREAMS_AT_ONCE)
    va_step(w, networks + s, inputs + s, logits + s, streams - s < VA_STREAMS_AT_ONCE ? streams - s : VA_STREAMS_AT_ONCE);
}
