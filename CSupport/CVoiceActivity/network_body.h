/* network_body.h — one step of network.h, included once per lane count. */
#include "fast_math_lanes.h"
#include "network.h"

/* sums[0 … outputs) += x[0 … inputs) · weights, where row i of weights stands at i · outputs. Outputs, a constant, fit
 * into the registers. */
VA_INLINE void va_accumulate(va_vec *sums, const float *x, const float *weights, size_t inputs, size_t outputs) {
  VA_UNROLL_BY_8
  for (size_t i = 0; i < inputs; i++) {
    va_vec value = va_splat(x[i]);
    VA_UNROLL
    for (size_t j = 0; j < outputs / VA_LANES; j++) sums[j] += value * va_load(weights + i * outputs + j * VA_LANES);
  }
}

VA_INLINE void va_load_all(va_vec *v, const float *p, size_t count) {
  VA_UNROLL
  for (size_t j = 0; j < count / VA_LANES; j++) v[j] = va_load(p + j * VA_LANES);
}

/* The filters at one place: three hops, two channels, eight bands each. */
VA_INLINE void va_filters(const va_weights *w, const va_network *n, size_t place, float *out) {
  va_vec sums[VA_FILTERS / VA_LANES];
  const float *weights = w->filter[0];
  va_load_all(sums, w->filter_bias, VA_FILTERS);
  for (uint32_t hop = 1; hop <= VA_FILTER_HOPS; hop++) {
    const float *frame = n->frames[(n->next + hop) % VA_FILTER_HOPS];
    for (size_t channel = 0; channel < VA_CHANNELS; channel++) {
      const float *bands = frame + channel * VA_BANDS + place * VA_FILTER_STEP;
      va_accumulate(sums, bands, weights, VA_FILTER_BANDS, VA_FILTERS);
      weights += VA_FILTER_BANDS * VA_FILTERS;
    }
  }
  VA_UNROLL
  for (size_t j = 0; j < VA_FILTERS / VA_LANES; j++) va_store(out + j * VA_LANES, va_max(sums[j], va_splat(0)));
}

/* A gate's sums before its nonlinearity, of the input or of the memory. */
VA_INLINE void va_gate(va_vec *sums, const float *bias, const float *x, const float *weights, size_t inputs) {
  va_load_all(sums, bias, VA_MEMORY);
  va_accumulate(sums, x, weights, inputs, VA_MEMORY);
}

/* h' = z · h + (1 - z) · tanh(candidate), z = sigmoid(update), candidate = input + sigmoid(reset) · memory */
VA_INLINE void va_remember(const va_weights *w, const float *dense, float *memory) {
  float reset[VA_MEMORY], candidate[VA_MEMORY];
  va_vec sums[VA_MEMORY / VA_LANES];
  va_gate(sums, w->gate_bias[0], dense, w->gate_input[0][0], VA_DENSE);
  va_accumulate(sums, memory, w->gate_memory[0][0], VA_MEMORY, VA_MEMORY);
  for (size_t j = 0; j < VA_MEMORY / VA_LANES; j++) va_store(reset + j * VA_LANES, va_sigmoid_lanes(sums[j]));
  va_gate(sums, w->candidate_memory_bias, memory, w->gate_memory[2][0], VA_MEMORY);
  for (size_t j = 0; j < VA_MEMORY / VA_LANES; j++)
    va_store(candidate + j * VA_LANES, sums[j] * va_load(reset + j * VA_LANES));
  va_gate(sums, w->gate_bias[2], dense, w->gate_input[2][0], VA_DENSE);
  for (size_t j = 0; j < VA_MEMORY / VA_LANES; j++)
    va_store(candidate + j * VA_LANES, va_tanh_lanes(sums[j] + va_load(candidate + j * VA_LANES)));
  va_gate(sums, w->gate_bias[1], dense, w->gate_input[1][0], VA_DENSE);
  va_accumulate(sums, memory, w->gate_memory[1][0], VA_MEMORY, VA_MEMORY);
  for (size_t j = 0; j < VA_MEMORY / VA_LANES; j++) {
    va_vec fresh = va_load(candidate + j * VA_LANES), old = va_load(memory + j * VA_LANES);
    va_store(memory + j * VA_LANES, fresh + va_sigmoid_lanes(sums[j]) * (old - fresh));
  }
}

static float va_network_step_of(const va_weights *w, va_network *n, const float *pitch) {
  float filtered[VA_DENSE_INPUTS], dense[VA_DENSE];
  va_vec sums[VA_DENSE / VA_LANES];
  for (size_t place = 0; place < VA_FILTER_PLACES; place++) va_filters(w, n, place, filtered + place * VA_FILTERS);
  for (size_t i = 0; i < VA_PITCH_INPUTS; i++) filtered[VA_FILTER_PLACES * VA_FILTERS + i] = pitch[i];
  va_load_all(sums, w->dense_bias, VA_DENSE);
  va_accumulate(sums, filtered, w->dense[0], VA_DENSE_INPUTS, VA_DENSE);
  for (size_t j = 0; j < VA_DENSE / VA_LANES; j++) va_store(dense + j * VA_LANES, va_tanh_lanes(sums[j]));
  va_remember(w, dense, n->memory);
  n->next = (n->next + 1) % VA_FILTER_HOPS;
  return w->output_bias + va_dot_inline(w->output_dense, dense, VA_DENSE) +
         va_dot_inline(w->output_memory, n->memory, VA_MEMORY);
}
