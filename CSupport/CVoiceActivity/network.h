/* network.h — the learned part: from the features of a hop to the logit of speech.
 *
 *   3 frames × 80 band features ── 16 filters of 3 hops × 8 bands, every 4 bands, ReLU ──> 9 × 16
 *   these and the pitch ── dense, tanh ──> 40 ── GRU (Cho et al., EMNLP 2014; reset after the product) ──> 64
 *   the last two ── one weighted sum ──> logit
 *
 * The filters share their weights along the frequency, so that what is learned of one voice holds for a higher one.
 * All numbers are f32: with 8 lanes a multiply-add of f32 costs no more than one of 16-bit integers, and nothing is
 * lost. The weights are made by Training/ (weights_generated.c) and shared by all detectors.
 */
#ifndef VA_NETWORK_H
#define VA_NETWORK_H

#include <stdint.h>

#include "tables.h"

#define VA_CHANNELS 2                 /* features of a band: relative to the loudness, and to the noise floor */
#define VA_FRAME (VA_CHANNELS * VA_BANDS)
#define VA_PITCH_INPUTS 2
#define VA_FILTER_HOPS 3              /* hops that a filter sees */
#define VA_FILTER_BANDS 8
#define VA_FILTER_STEP 4
#define VA_FILTER_PLACES ((VA_BANDS - VA_FILTER_BANDS) / VA_FILTER_STEP + 1)
#define VA_FILTER_TAPS (VA_FILTER_HOPS * VA_CHANNELS * VA_FILTER_BANDS)
#define VA_FILTERS 16
#define VA_DENSE 40
#define VA_MEMORY 64
#define VA_DENSE_INPUTS (VA_FILTER_PLACES * VA_FILTERS + VA_PITCH_INPUTS)

/* Matrices are stored input by input: row i holds what input i adds to each output. */
typedef struct va_weights {
  float filter[VA_FILTER_TAPS][VA_FILTERS]; /* taps: hop (oldest first), channel, band */
  float filter_bias[VA_FILTERS];
  float dense[VA_DENSE_INPUTS][VA_DENSE];
  float dense_bias[VA_DENSE];
  /* Gates: 0 reset, 1 update, 2 candidate. */
  float gate_input[3][VA_DENSE][VA_MEMORY];
  float gate_memory[3][VA_MEMORY][VA_MEMORY];
  float gate_bias[3][VA_MEMORY];
  float candidate_memory_bias[VA_MEMORY]; /* within the product with the reset gate */
  float output_dense[VA_DENSE], output_memory[VA_MEMORY], output_bias;
} va_weights;

extern const va_weights va_network_weights;

typedef struct va_network {
  float frames[VA_FILTER_HOPS][VA_FRAME]; /* frame of hop n at n % VA_FILTER_HOPS: VA_BANDS relative to the loudness,
                                             then VA_BANDS relative to the floor */
  uint32_t next;                          /* where the next hop's frame goes */
  float memory[VA_MEMORY];
} va_network;

#endif
