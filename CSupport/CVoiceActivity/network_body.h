/* network_body.h — a step of network.h for one stream, or for several that share the loads of the weights. It is
 * included once per number of lanes. */
#include "fast_math_lanes.h"
#include "network.h"
#include "quads.h"

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
#define VA_GATE_TILE (VA_QUAD_VECTORS == 1 ? 4 : 2)
_Static_assert(VA_FILTER_PLACES % VA_PLACES_AT_ONCE == 0, "no place remains");
_Static_assert(VA_MEMORY % VA_LANES == 0, "the memory is whole vectors");

/* The values between a stream's layers during a step. */
typedef struct va_layers {
  va_quad_input dense_inputs[VA_FILTERED], gate_inputs[VA_GATE_INPUTS];
  float dense[VA_DENSE_ROW];
} va_layers;

/* Converts a sum of products of 16-bit numbers to the value it stands for. */
VA_INLINE va_vec va_unscaled(va_lanes_i sum, float input_one, float weight_one) {
  return __builtin_convertvector(sum, va_vec) * va_splat(1 / (input_one * weight_one));
}

/* A layer's quads as this body multiplies them. */
#if VA_QUAD_VECTORS == 1
#define VA_QUADS_OF(w, layer) (w)->layer
#else
#define VA_QUADS_OF(w, layer) (w)->wide_##layer
#endif

/* What sums of products of quads stand for, with a bias. */
VA_INLINE va_vec va_quad_value(const va_quad_sums *sums, const float *unit, const float *bias) {
  return __builtin_convertvector(va_whole_sums(sums), va_vec) * va_load(unit) + va_load(bias);
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
        sums[place][j] = va_add_products(sums[place][j], pair,
                                         va_load_pairs(weights + band * VA_FILTERS + 2 * j * VA_LANES));
    }
  }
}

/* Computes the filters at the places from `first` on, over all frames, channels and bands. */
VA_INLINE void va_filters(const va_weights *w, const int16_t *const *frames, size_t first, va_quad_input *out) {
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
      va_vec x = va_unscaled(sums[place][j], VA_FRAME_ONE, VA_FILTER_WEIGHT_ONE) +
                 va_load(w->filter_bias + j * VA_LANES);
      x = va_min(va_max(x, va_splat(0)) * VA_DENSE_INPUT_ONE, va_splat(VA_QUAD_MOST));
      va_store_quad_inputs(out + place * VA_FILTERS + j * VA_LANES, x);
    }
}

/* Computes all filters of a window and of those before it, oldest first; then the window joins those. */
VA_INLINE void va_filter(const va_weights *w, va_network *n, const va_network_input *input, va_quad_input *out) {
  const int16_t *frames[VA_FILTER_FRAMES];
  for (uint32_t i = 0; i + 1 < VA_FILTER_FRAMES; i++) frames[i] = n->frames[(n->next + i) % (VA_FILTER_FRAMES - 1)];
  frames[VA_FILTER_FRAMES - 1] = input->frame;
  for (size_t place = 0; place < VA_FILTER_PLACES; place += VA_PLACES_AT_ONCE)
    va_filters(w, frames, place, out + place * VA_FILTERS);
  memcpy(n->frames[n->next], input->frame, sizeof input->frame);
  n->next = (n->next + 1) % (VA_FILTER_FRAMES - 1);
}

/* MARK: the dense layer */

/* Computes `tile` vectors of outputs from vector `first` on, for some streams. */
VA_INLINE void va_dense_tile(const va_weights *w, const va_network_input *inputs, va_layers *layers, size_t streams,
                             size_t first, size_t tile) {
  va_quad_sums sums[VA_STREAMS_TOGETHER][VA_DENSE_TILE];
  VA_UNROLL
  for (size_t s = 0; s < streams; s++)
    VA_UNROLL
    for (size_t j = 0; j < tile; j++) sums[s][j] = (va_quad_sums){0};
  VA_UNROLL_INPUTS
  for (size_t i = 0; i < VA_FILTERED / 4; i++)
    VA_UNROLL
    for (size_t j = 0; j < tile; j++) {
      va_quad_row row = va_load_quads(VA_QUADS_OF(w, dense)[i] + 4 * VA_LANES * (first + j));
      VA_UNROLL
      for (size_t s = 0; s < streams; s++)
        va_add_quads(&sums[s][j], va_splat_quad(layers[s].dense_inputs + 4 * i), &row);
    }
  VA_UNROLL
  for (size_t s = 0; s < streams; s++)
    VA_UNROLL
    for (size_t j = 0; j < tile; j++) {
      size_t at = (first + j) * VA_LANES;
      va_vec x = va_quad_value(&sums[s][j], w->dense_unit + at, w->dense_bias + at);
      VA_UNROLL
      for (int i = 0; i < VA_PITCH_INPUTS; i++) x += va_splat(inputs[s].pitch[i]) * va_load(w->dense_pitch[i] + at);
      va_store(layers[s].dense + at, va_tanh_lanes(x));
    }
}

/* Each tile's weights stay in the nearest cache while all streams use them. `together` streams share their loads. */
VA_INLINE void va_dense(const va_weights *w, const va_network_input *inputs, va_layers *layers, size_t streams,
                        size_t together) {
  for (size_t first = 0; first < VA_DENSE_VECTORS; first += VA_DENSE_TILE)
    for (size_t s = 0; s < streams; s += together)
      va_dense_tile(w, inputs + s, layers + s, together, first, VA_DENSE_TILE);
}

/* MARK: the memory */

/* Converts x[0 … count), -1 … 1, to inputs of the gates. It reads and writes whole vectors. */
VA_INLINE void va_in_7_bits(const float *x, size_t count, va_quad_input *out) {
  const va_vec zero = va_splat(VA_GATE_INPUT_ZERO);
  for (size_t i = 0; i < count; i += VA_LANES) va_store_quad_inputs(out + i, va_load(x + i) * zero + zero);
}

/* In this order: the whole vectors of the first reach into the second. */
VA_INLINE void va_gate_inputs(va_layers *layers, const va_network *network) {
  va_in_7_bits(layers->dense, VA_DENSE, layers->gate_inputs);
  va_in_7_bits(network->memory, VA_MEMORY, layers->gate_inputs + VA_DENSE);
}

/* The input quads of a gate: those of the dense layer, then those of the memory. */
enum { VA_QUADS_OF_DENSE = VA_DENSE / 4, VA_QUADS_OF_GATE = VA_GATE_INPUTS / 4 };

/* Some vectors of a gate's sums for each of some streams. */
typedef va_quad_sums va_gate_sums[VA_STREAMS_TOGETHER][VA_GATE_TILE];

/* Adds the products of input quad i to sums of a gate. */
VA_INLINE void va_add_quad(const va_weights *w, int gate, size_t i, const va_layers *layers, size_t streams,
                           size_t first, size_t tile, va_gate_sums sums) {
  VA_UNROLL
  for (size_t j = 0; j < tile; j++) {
    va_quad_row row = va_load_quads(VA_QUADS_OF(w, gates)[gate][i] + 4 * VA_LANES * (first + j));
    VA_UNROLL
    for (size_t s = 0; s < streams; s++)
      va_add_quads(&sums[s][j], va_splat_quad(layers[s].gate_inputs + 4 * i), &row);
  }
}

/* The values of some of a gate's outputs, from `at` on, with a bias. */
VA_INLINE va_vec va_gate_value(const va_weights *w, int gate, const va_quad_sums *sums, const float *bias, size_t at) {
  return va_quad_value(sums, w->gate_unit[gate] + at, bias + at);
}

/* The gated recurrent unit: updates `tile` vectors of the memory, from vector `first` on, for some streams.
 *   candidate = tanh(input + reset · memory's part),  memory = update · memory + (1 - update) · candidate */
VA_INLINE void va_remember_tile(const va_weights *w, const va_layers *layers, va_network *const *networks,
                                size_t streams, size_t first, size_t tile) {
  va_gate_sums resets, updates, inputs, memories;
  VA_UNROLL
  for (size_t s = 0; s < streams; s++)
    VA_UNROLL
    for (size_t j = 0; j < tile; j++) resets[s][j] = updates[s][j] = inputs[s][j] = memories[s][j] = (va_quad_sums){0};
  VA_UNROLL_INPUTS
  for (size_t i = 0; i < VA_QUADS_OF_DENSE; i++) {
    va_add_quad(w, VA_RESET, i, layers, streams, first, tile, resets);
    va_add_quad(w, VA_UPDATE, i, layers, streams, first, tile, updates);
    va_add_quad(w, VA_CANDIDATE, i, layers, streams, first, tile, inputs);
  }
  VA_UNROLL_INPUTS
  for (size_t i = VA_QUADS_OF_DENSE; i < VA_QUADS_OF_GATE; i++) {
    va_add_quad(w, VA_RESET, i, layers, streams, first, tile, resets);
    va_add_quad(w, VA_UPDATE, i, layers, streams, first, tile, updates);
    va_add_quad(w, VA_CANDIDATE, i, layers, streams, first, tile, memories);
  }
  VA_UNROLL
  for (size_t s = 0; s < streams; s++)
    VA_UNROLL
    for (size_t j = 0; j < tile; j++) {
      size_t at = (first + j) * VA_LANES;
      va_vec reset = va_sigmoid_lanes(va_gate_value(w, VA_RESET, &resets[s][j], w->gate_bias[VA_RESET], at));
      va_vec recalled = va_gate_value(w, VA_CANDIDATE, &memories[s][j], w->candidate_memory_bias, at);
      va_vec input = va_gate_value(w, VA_CANDIDATE, &inputs[s][j], w->gate_bias[VA_CANDIDATE], at);
      va_vec candidate = va_tanh_lanes(va_rounded(reset * recalled) + input);
      va_vec update = va_sigmoid_lanes(va_gate_value(w, VA_UPDATE, &updates[s][j], w->gate_bias[VA_UPDATE], at));
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

/* Layer by layer for up to VA_STREAMS_AT_ONCE streams: whole groups first, then one by one. Both compute the same
 * sums. */
VA_INLINE void va_step(const va_weights *w, va_network *const *networks, const va_network_input *inputs,
                       va_logits *logits, size_t streams) {
  va_layers layers[VA_STREAMS_AT_ONCE];
  const size_t grouped = streams - streams % VA_STREAMS_TOGETHER, rest = streams - grouped;
  for (size_t s = 0; s < streams; s++) va_filter(w, networks[s], &inputs[s], layers[s].dense_inputs);
  va_dense(w, inputs, layers, grouped, VA_STREAMS_TOGETHER);
  if (rest) va_dense(w, inputs + grouped, layers + grouped, rest, 1);
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
    va_step(w, networks + s, inputs + s, logits + s,
            streams - s < VA_STREAMS_AT_ONCE ? streams - s : VA_STREAMS_AT_ONCE);
}
