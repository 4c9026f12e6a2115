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
 * one. All products except the last are of 16-bit integers, added in 32 bits. The weights then take half the space in
 * the cache, where most of the time is spent, a vector holds twice as many, and every processor computes the same sums.
 * The values between the layers are f32. Training/ makes the weights (weights_generated.c); all detectors share them.
 */
#ifndef VA_NETWORK_H
#define VA_NETWORK_H

#include <stdint.h>

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
#define VA_GATE_INPUTS (VA_DENSE + VA_MEMORY) /* the dense layer's outputs, then the memory */
#define VA_DENSE_INPUTS (VA_FILTER_PLACES * VA_FILTERS + VA_PITCH_INPUTS)

/* The 16-bit numbers that stand for 1 in the inputs and weights of the filters (inputs -2 … 2.5), of the dense layer
 * (inputs 0 … 16, where the filters' outputs are cut off) and of the gates (inputs -1 … 1). No sum can overflow: the
 * largest input times the sum of the magnitudes of an output's weights is below 2^31 (Training/export_weights.py
 * refuses other weights). */
#define VA_FRAME_ONE 8192
#define VA_FRAME_MOST 20480 /* 2.5 */
#define VA_FILTER_WEIGHT_ONE 4096
#define VA_DENSE_INPUT_ONE 2048
#define VA_DENSE_WEIGHT_ONE 2048
#define VA_GATE_INPUT_ONE 32767
#define VA_GATE_WEIGHT_ONE 2048

enum { VA_RESET, VA_UPDATE, VA_CANDIDATE, VA_GATES };

/* Matrices are stored by pairs of inputs: row i holds the weights of inputs 2i and 2i + 1 for each output, output by
 * output. */
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

/* The weights for a microphone, and for one whose echo was taken out just now. They start at a cache line, and so do the
 * rows of their matrices: vectors that cross two lines took a third more time. */
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
