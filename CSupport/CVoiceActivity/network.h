/* network.h — the learned part: from the features of a step, two hops, to the logits of speech in two hops.
 *
 *   3 frames × 80 band features ── 16 filters of 3 frames × 8 bands, every 4 bands, ReLU ──> 9 × 16
 *   these and the pitch ── dense, tanh ──> 40 ── GRU (Cho et al., EMNLP 2014; reset after the product) ──> 64
 *   the last two ── a weighted sum for each hop ──> 2 logits
 *
 * The filters share their weights along the frequency, so that what is learned of one voice holds for a higher one.
 * All products but the last are of 16-bit integers added up in 32 bits: the weights then take half the room in the cache,
 * which is what the time goes into, a vector holds twice as many, and every processor gets the very same sums. The layers'
 * own values are f32. The weights are made by Training/ (weights_generated.c) and shared by all detectors.
 */
#ifndef VA_NETWORK_H
#define VA_NETWORK_H

#include <stdint.h>

#include "tables.h"

#define VA_CHANNELS 2                 /* features of a band: relative to the loudness, and to the noise floor */
#define VA_FRAME (VA_CHANNELS * VA_BANDS)
#define VA_PITCH_INPUTS 2
#define VA_STEP_HOPS 2                /* from one window, and one step of the network, to the next */
#define VA_FILTER_FRAMES 3            /* frames that a filter sees: 72 ms */
#define VA_FILTER_BANDS 8
#define VA_FILTER_STEP 4
#define VA_FILTER_PLACES ((VA_BANDS - VA_FILTER_BANDS) / VA_FILTER_STEP + 1)
#define VA_FILTER_TAPS (VA_FILTER_FRAMES * VA_CHANNELS * VA_FILTER_BANDS)
#define VA_FILTERS 16
#define VA_DENSE 40
#define VA_DENSE_ROW 48               /* VA_DENSE and zeros, up to whole vectors of 16 lanes */
#define VA_MEMORY 64
#define VA_GATE_INPUTS (VA_DENSE + VA_MEMORY) /* the dense layer's outputs, then the memory */
#define VA_DENSE_INPUTS (VA_FILTER_PLACES * VA_FILTERS + VA_PITCH_INPUTS)

/* What 1 is among the 16-bit inputs and weights of the filters (inputs of -2 … 2.5), of the dense layer (below 16, where
 * the filters' outputs are cut) and of the gates (-1 … 1). The largest input times the sum of the magnitudes of an output's
 * weights stays below 2^31 (Training/export_weights.py sees to it), so that no sum can overflow. */
#define VA_FRAME_ONE 8192
#define VA_FRAME_MOST 20480 /* 2.5 */
#define VA_FILTER_WEIGHT_ONE 4096
#define VA_DENSE_INPUT_ONE 2048
#define VA_DENSE_WEIGHT_ONE 2048
#define VA_GATE_INPUT_ONE 32767
#define VA_GATE_WEIGHT_ONE 2048

enum { VA_RESET, VA_UPDATE, VA_CANDIDATE, VA_GATES };

/* Matrices are stored by pairs of inputs: row i holds what inputs 2i and 2i + 1 add to each output, output by output. */
typedef struct va_weights {
  int16_t filter[VA_FILTER_TAPS / 2][2 * VA_FILTERS]; /* taps: frame (oldest first), channel, band */
  float filter_bias[VA_FILTERS];
  int16_t dense[VA_DENSE_INPUTS / 2][2 * VA_DENSE_ROW];
  float dense_bias[VA_DENSE_ROW];
  int16_t gates[VA_GATES][VA_GATE_INPUTS / 2][2 * VA_MEMORY];
  float gate_bias[VA_GATES][VA_MEMORY];
  float candidate_memory_bias[VA_MEMORY]; /* within the product with the reset gate */
  float output_dense[VA_STEP_HOPS][VA_DENSE], output_memory[VA_STEP_HOPS][VA_MEMORY], output_bias[VA_STEP_HOPS];
} va_weights;

/* Begins with a cache line, and so do its rows: a vector across two lines would cost a third more time. */
extern _Alignas(64) const va_weights va_network_weights;

typedef float va_pitch_inputs[VA_PITCH_INPUTS];

/* Of the hops that a step decides, the older one first. */
typedef float va_logits[VA_STEP_HOPS];

/* Streams whose steps are done side by side, so that a weight is loaded once for all. */
#define VA_STREAMS_AT_ONCE 4

typedef struct va_network {
  int16_t frames[VA_FILTER_FRAMES][VA_FRAME]; /* a ring: VA_BANDS relative to the loudness, then VA_BANDS relative to the
                                                 floor */
  uint32_t next;                              /* where the next step's frame goes */
  float memory[VA_MEMORY];
} va_network;

#endif
