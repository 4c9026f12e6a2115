/* kernels_body.h — the bodies behind kernels.h, included once per lane count (VA_LANES: 4 or 8). */
#include <string.h>

#include "fft_body.h"
#include "kernels.h"
#include "simd.h"
#include "tables.h"

VA_INLINE float va_dot_inline(const float *a, const float *b, size_t count) {
  va_vec sum = va_splat(0), more = va_splat(0);
  size_t i = 0;
  for (; i + 2 * VA_LANES <= count; i += 2 * VA_LANES) {
    sum += va_load(a + i) * va_load(b + i);
    more += va_load(a + i + VA_LANES) * va_load(b + i + VA_LANES);
  }
  for (; i + VA_LANES <= count; i += VA_LANES) sum += va_load(a + i) * va_load(b + i);
  float tail = 0;
  for (; i < count; i++) tail += a[i] * b[i];
  return va_sum(sum + more) + tail;
}

static float va_dot(const float *a, const float *b, size_t count) { return va_dot_inline(a, b, count); }

static void va_decimate(const float *x, const float *taps, size_t count, size_t step, float *out, size_t outputs) {
  for (size_t m = 0; m < outputs; m++) out[m] = va_dot_inline(x + step * m, taps, count);
}

static bool va_below_full_scale(const float *x, size_t count) {
  const va_vec one = va_splat(1);
  va_lanes_i below = one == one;
  size_t i = 0;
  for (; i + VA_LANES <= count; i += VA_LANES) {
    va_vec v = va_load(x + i);
    below &= (v < one) & (-v < one);
  }
  bool all = true;
  for (; i < count; i++) all &= x[i] < 1 && -x[i] < 1;
  for (int lane = 0; lane < VA_LANES; lane++) all &= below[lane] != 0;
  return all;
}

static void va_level_of(const float *x, size_t count, float *sum_of_squares, float *peak) {
  va_vec sum = va_splat(0), top = va_splat(0);
  for (size_t i = 0; i < count; i += VA_LANES) {
    va_vec v = va_load(x + i);
    sum += v * v;
    top = va_max(top, va_max(v, -v));
  }
  *sum_of_squares = va_sum(sum);
  *peak = va_top(top);
}

static void va_power_spectrum_of(const float *x, const float *window, float *power) {
  va_complex256 z;
  for (int i = 0; i < VA_WINDOW / 2; i += VA_LANES) {
    va_vec a = va_load(x + 2 * i) * va_load(window + 2 * i);
    va_vec b = va_load(x + 2 * i + VA_LANES) * va_load(window + 2 * i + VA_LANES);
    va_store(z.re + i, va_evens(a, b));
    va_store(z.im + i, va_odds(a, b));
  }
  va_fft256(&z);
  for (int k = 0; k < VA_WINDOW / 4; k += VA_LANES) {
    va_vec low, high;
    va_real_powers(&z, k, &low, &high);
    va_store(power + k, low);
    va_store(power + VA_WINDOW / 2 - k - VA_LANES + 1, va_reversed(high));
  }
  float re = z.re[128], im = z.im[128]; /* the middle bin, X[128] = conj Z[128] */
  power[VA_WINDOW / 4] = re * re + im * im;
}

static void va_cosine_spectrum_of(const float *x, size_t count, float *out) {
  va_complex256 z;
  memset(&z, 0, sizeof z);
  memcpy(z.re, x, count * sizeof(float));
  va_fft256(&z);
  memcpy(out, z.re, VA_LAGS * sizeof(float));
}

static void va_square_root_of(const float *x, float *y, size_t count) {
  for (size_t i = 0; i < count; i += VA_LANES) va_store(y + i, va_sqrt(va_load(x + i)));
}

static float va_largest(const float *x, size_t count) {
  va_vec top = va_splat(0);
  size_t i = 0;
  for (; i + VA_LANES <= count; i += VA_LANES) top = va_max(top, va_load(x + i));
  float largest = va_top(top);
  for (; i < count; i++) largest = x[i] > largest ? x[i] : largest;
  return largest;
}

const va_kernels VA_KERNELS_NAME = {
    .dot = va_dot,
    .decimate = va_decimate,
    .below_full_scale = va_below_full_scale,
    .level = va_level_of,
    .power_spectrum = va_power_spectrum_of,
    .cosine_spectrum = va_cosine_spectrum_of,
    .largest = va_largest,
    .square_root = va_square_root_of,
};
