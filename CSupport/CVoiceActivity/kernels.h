/* kernels.h — the vector loops of the core.
 *
 * One body (kernels_body.h) is compiled three times: with 4 lanes for the baseline of the architecture, with 8 for
 * AVX2 and FMA, with 16 for AVX-512 with its integer products (VNNI). A detector picks its table once, by index. All
 * tables compute the same formulas; they differ in the order of additions and in FMA's single rounding, at most 1e-5 of
 * the result's scale.
 */
#ifndef VA_KERNELS_H
#define VA_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "cpu.h"
#include "level.h"
#include "network.h"

/* Length of the analysis window in samples at 16 kHz (32 ms), and of its half spectrum, DC … Nyquist:
 * 512 / 2 + 1. */
#define VA_WINDOW 512
#define VA_BINS 257

/* How periodic a window is, and with which period. */
typedef struct va_pitch {
  float periodicity; /* 0 … 1: near 0.1 for noise, 0.3 … 0.7 for a voiced sound, 1 for a pure tone */
  float lag;         /* of the peak, in steps of 2 samples at 16 kHz: 20 … 127, 400 … 63 Hz */
} va_pitch;

typedef float va_pitch_powers[VA_PITCH_BINS];

/* What a band of 16-bit silence with dither would hold, in dBFS; nothing below it carries information. */
#define VA_BAND_FLOOR_DB (-110.0f)

/* How many samples `decimate` looks at, at most, and how far apart its outputs may be. */
#define VA_DECIMATED_SPAN 576
#define VA_DECIMATED_STEP_MAX 3

/* Of the taps that stand at the same place in a step, those that are not 0: from … to - 1, an even number. */
typedef struct va_tap_range {
  uint8_t from, to;
} va_tap_range;

typedef struct va_kernels {
  /* Sum of a[i] · b[i], i < count; count is a multiple of 4. */
  float (*dot)(const float *a, const float *b, size_t count);

  /* The dots of x with a and with b, blended: the first plus `part` of the way to the second. */
  float (*blend)(const float *x, const float *a, const float *b, size_t count, float part);

  /* out[m] = sum of x[step · m + i] · taps[i], m < outputs, i < count. step: 1 … VA_DECIMATED_STEP_MAX; count: a multiple
   * of 2 · step; no more than VA_DECIMATED_SPAN samples of x are used. used: for each place in a step. */
  void (*decimate)(const float *x, const float *taps, const va_tap_range *used, size_t count, size_t step, float *out,
                   size_t outputs);

  /* True if every x[0 … count) is 0 or of a magnitude from VA_SAMPLE_LEAST to below 1; false with NaN. */
  bool (*is_clean)(const float *x, size_t count);

  /* out[i] = samples[i] / 32768. Returns how many are -32768: the only one whose float reaches full scale. */
  uint32_t (*from_16_bits)(const int16_t *samples, size_t count, float *out);

  /* Sum of squares and largest magnitude of x[0 … count), count a multiple of 32. */
  void (*level)(const float *x, size_t count, float *sum_of_squares, float *peak);

  /* Power spectrum of x · window:  power[k] = |sum_n x[n] w[n] exp(-2πi kn/512)|², k = 0 … 256. No scaling.
   * x, window: 512 floats; power: 257 floats. */
  void (*power_spectrum)(const float *x, const float *window, float *power);

  /* bands_db[b] = 10 log10(sum of the power in the triangular band b), at least VA_BAND_FLOOR_DB. Returns the
   * bands' powers together. power: 257 floats; bands_db: VA_BANDS floats. */
  float (*bands)(const float *power, float *bands_db);

  /* Powers of the first `count` of VA_BANDS levels in dB, added up. */
  float (*total)(const float *bands_db, size_t count);

  /* How periodic some windows are, from the lowest bins of their power. The same, bit for bit, for a window alone and
   * among others; cheapest for multiples of VA_STREAMS_AT_ONCE. */
  void (*pitches)(const va_pitch_powers *powers, va_pitch *pitches, size_t windows);

  /* frame[b] of the VA_FRAME features: the bands in dBFS over the loudness and over their floors, scaled to about
   * -2 … 2.5 (speech_features.h), times VA_FRAME_ONE. */
  void (*frame)(const float *bands_db, const float *floor_db, float loudness_db, int16_t *frame);

  /* One step of the network (network.h) of some streams, whose next frames are written: their logits. The same, bit for
   * bit, for a stream alone and among others; cheapest for multiples of VA_STREAMS_AT_ONCE. */
  void (*network_steps)(const va_weights *weights, va_network *const *networks, const va_pitch_inputs *pitch,
                        va_logits *logits, size_t streams);
} va_kernels;

/* From bands_body.h. */
#define VA_DECLARE_BANDS(body)                                        \
  float va_bands_of_##body(const float *power, float *bands_db);      \
  float va_total_of_##body(const float *bands_db, size_t count);      \
  void va_frame_of_##body(const float *bands_db, const float *floor_db, float loudness_db, int16_t *frame);
VA_DECLARE_BANDS(portable)
VA_DECLARE_BANDS(avx2)
#undef VA_DECLARE_BANDS

extern const va_kernels va_kernels_portable;
#if defined(__x86_64__)
extern const va_kernels va_kernels_avx2, va_kernels_avx512;
#endif

/* The table of an index; the portable one for an index that this build does not have. */
static inline const va_kernels *va_kernels_of(va_simd simd) {
#if defined(__x86_64__)
  if (simd == VA_SIMD_AVX512) return &va_kernels_avx512;
  if (simd == VA_SIMD_AVX2) return &va_kernels_avx2;
#endif
  (void)simd;
  return &va_kernels_portable;
}

#endif
