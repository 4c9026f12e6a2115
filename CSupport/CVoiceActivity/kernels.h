/* kernels.h — the vector loops of the core.
 *
 * One body (kernels_body.h) is compiled twice: with 4 lanes for the baseline of the architecture and with 8
 * lanes for AVX2 and FMA. A detector picks its table once, by index. Both tables compute the same formulas;
 * they differ in the order of additions and in FMA's single rounding, at most 1e-5 of the result's scale.
 */
#ifndef VA_KERNELS_H
#define VA_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "cpu.h"

/* Length of the analysis window in samples at 16 kHz (32 ms), and of its half spectrum, DC … Nyquist:
 * 512 / 2 + 1. */
#define VA_WINDOW 512
#define VA_BINS 257

/* Points of the cosine spectrum: lags 0, 2, … 256 samples at 16 kHz. */
#define VA_LAGS 129

typedef struct va_kernels {
  /* Sum of a[i] · b[i], i < count; count is a multiple of 4. */
  float (*dot)(const float *a, const float *b, size_t count);

  /* out[m] = sum of x[step · m + i] · taps[i], m < outputs, i < count; count is a multiple of 4. */
  void (*decimate)(const float *x, const float *taps, size_t count, size_t step, float *out, size_t outputs);

  /* True if the magnitude of every x[0 … count) is below 1; false with NaN. */
  bool (*below_full_scale)(const float *x, size_t count);

  /* Sum of squares and largest magnitude of x[0 … count), count a multiple of 8. */
  void (*level)(const float *x, size_t count, float *sum_of_squares, float *peak);

  /* Power spectrum of x · window:  power[k] = |sum_n x[n] w[n] exp(-2πi kn/512)|², k = 0 … 256. No scaling.
   * x, window: 512 floats; power: 257 floats. */
  void (*power_spectrum)(const float *x, const float *window, float *power);

  /* out[m] = sum_k x[k] cos(2πkm/256), k < count <= 256, m = 0 … 128. With x taken at bins of 31.25 Hz, m is a
   * lag of 2m samples at 16 kHz. */
  void (*cosine_spectrum)(const float *x, size_t count, float *out);

  /* The largest of x[0 … count) and 0; count is a multiple of 4. */
  float (*largest)(const float *x, size_t count);

  /* y[i] = sqrt(x[i]), i < count, x >= 0; count is a multiple of 8. */
  void (*square_root)(const float *x, float *y, size_t count);
} va_kernels;

extern const va_kernels va_kernels_portable;
#if defined(__x86_64__)
extern const va_kernels va_kernels_avx2;
#endif

/* The table of an index; the portable one for an index that this build does not have. */
static inline const va_kernels *va_kernels_of(va_simd simd) {
#if defined(__x86_64__)
  if (simd == VA_SIMD_AVX2) return &va_kernels_avx2;
#endif
  (void)simd;
  return &va_kernels_portable;
}

#endif
