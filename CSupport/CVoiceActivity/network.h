/* network.h — the learned part: from the features of a step, two hops, to the logits of speech in two hops.
 *
 *   3 frames × 80 band features ── 16 filters of 3 frames × 8 bands, every 4 bands, ReLU ──> 9 × 16
 *   these and the pitch ── dense, tanh ──> 40 ── GRU (Cho et al., EMNLP 2014; reset after the product) ──> 64
 *   both of these ── a weighted sum for each hop ──> 2 logits
 *
 * While bands are taken out because they are only echo (echo.h), speech has holes and what is left of the echo can look
 * like speech. The network then runs with a second set of weights, which was trained further on such frames. The memory
 * is the same one, so that it lasts from one set to the other.
 *
 * The filters share their weights along the frequency axis, so that what is learned from one voice holds for a higher
 * one. Nearly all products are of integers, added in 32 bits: of 16 bits in the filters, of 8 in the dense layer and
 * the gates. The weights then take little of the cache, where most of the time is spent, a vector holds many, and every
 * processor computes the same sums of the same inputs. The values between the layers are f32. Training/ makes the
 * weights (weights_generated.c); all detectors share them.
 */
#ifndef VA_NETWORK_H
#define VA_NETWORK_H

#include <stdint.h>

#include "cpu.h"
#include "geometry.h"

#define VA_CHANNELS 2                 /* features of a band: relative to the loudness, and to the noise floor */
#define VA_FRAME (VA_CHANNELS * VA_BANDS)
#define VA_PITCH_INPUTS 2
#define VA_FILTER_FRAMES 3            /* frames that a filter covers: 72 ms */
#define VA_FILTER_BANDS 8
#define VA_FILTER_STEP 4
#define VA_FILTER_PLACES ((VA_BANDS - VA_FILTER_BANDS) / VA_FILTER_STEP + 1)
#define VA_FILTER_TAPS (VA_FILTER_FRAMES * VA_CHANNELS * VA_FILTER_BANDS)
#define VA_FILTERS 16
#define VA_DENSE 40
#define VA_DENSE_ROW 48               /* VA_DENSE, padded with zeros to whole vectors of 16 lanes */
#define VA_MEMORY 64
#define VA_FILTERED (VA_FILTER_PLACES * VA_FILTERS) /* outputs of the filters: place by place */
#define VA_GATE_INPUTS (VA_DENSE + VA_MEMORY)       /* the dense layer's outputs, then the memory */

/* The 16-bit numbers that stand for 1 in the inputs (-2 … 2.5) and weights of the filters. No sum can overflow: the
 * largest input times the sum of the magnitudes of an output's weights is below 2^31 (Training/export_weights.py
 * refuses other weights). */
#define VA_FRAME_ONE 8192
#define VA_FRAME_MOST 20480 /* 2.5 */
#define VA_FILTER_WEIGHT_ONE 4096

/* The other integer inputs are 0 … VA_QUAD_MOST. In the dense layer VA_DENSE_INPUT_ONE stands for 1, so that the
 * filters' outputs are cut off at 7.9. In the gates VA_GATE_INPUT_ZERO stands for 0, and as much more or less for ±1.
 * Weights are -127 … 127, in a unit for each output. */
#define VA_QUAD_MOST 127
#define VA_DENSE_INPUT_ONE 16
#define VA_GATE_INPUT_ZERO 63

enum { VA_RESET, VA_UPDATE, VA_CANDIDATE, VA_GATES };

/* Matrices are stored by pairs or quads of inputs: row i holds the weights of inputs 2i and 2i + 1, or 4i … 4i + 3, for
 * each output, output by output. Quads are there in the forms that the architecture needs (cpu.h). */
typedef struct va_weights {
  int16_t filter[VA_FILTER_TAPS / 2][2 * VA_FILTERS]; /* taps: frame (oldest first), channel, band */
  float filter_bias[VA_FILTERS];
#if VA_MULTIPLIES_BYTES
  int8_t dense[VA_FILTERED / 4][4 * VA_DENSE_ROW], gates[VA_GATES][VA_GATE_INPUTS / 4][4 * VA_MEMORY];
#endif
#if VA_MULTIPLIES_16_BITS
  int16_t wide_dense[VA_FILTERED / 4][4 * VA_DENSE_ROW], wide_gates[VA_GATES][VA_GATE_INPUTS / 4][4 * VA_MEMORY];
#endif
  float dense_unit[VA_DENSE_ROW], gate_unit[VA_GATES][VA_MEMORY]; /* what a product of 1 and 1 stands for */
  float dense_bias[VA_DENSE_ROW], dense_pitch[VA_PITCH_INPUTS][VA_DENSE_ROW];
  float gate_bias[VA_GATES][VA_MEMORY];
  float candidate_memory_bias[VA_MEMORY]; /* within the product with the reset gate */
  float output_dense[VA_STEP_HOPS][VA_DENSE], output_memory[VA_STEP_HOPS][VA_MEMORY], output_bias[VA_STEP_HOPS];
} va_weights;

/* The weights for a microphone, and for one whose echo was taken out just now. They start at a cache line, and so do
 * the rows of their matrices: vectors that cross two lines took a third more time. */
extern _Alignas(64) const va_weights va_network_weights, va_network_weights_beside_echo;

/* What a step of the network sees of its window. */
typedef struct va_network_input {
  int16_t frame[VA_FRAME]; /* VA_BANDS features relative to the loudness, then VA_BANDS relative to the floor */
  float pitch[VA_PITCH_INPUTS];
} va_network_input;

/* The logits of the hops that a step decides, the older one first. */
typedef float va_logits[VA_STEP_HOPS];

/* Streams that take their steps together, so that each weight is loaded once for all of them. */
#define VA_STREAMS_AT_ONCE 4

typedef struct va_network {
  int16_t frames[VA_FILTER_FRAMES - 1][VA_FRAME]; /* of the steps before: a ring */
  uint32_t next;                                  /* the oldest of them, which the newest frame replaces */
  float memory[VA_MEMORY];
} va_network;

#endif
