/* kernels_body.h — the bodies behind kernels.h, included once per lane count (VA_LANES: 4, 8 or 16). */
#include <string.h>

#include "fast_math_lanes.h"
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

static float va_blend(const float *x, const float *a, const float *b, size_t count, float part) {
  va_vec first = va_splat(0), second = va_splat(0), more_first = va_splat(0), more_second = va_splat(0);
  size_t i = 0;
  for (; i + 2 * VA_LANES <= count; i += 2 * VA_LANES) {
    va_vec some = va_load(x + i), more = va_load(x + i + VA_LANES);
    first += some * va_load(a + i);
    second += some * va_load(b + i);
    more_first += more * va_load(a + i + VA_LANES);
    more_second += more * va_load(b + i + VA_LANES);
  }
  first += more_first;
  second += more_second;
  float tail = 0;
  for (; i < count; i++) tail += x[i] * (a[i] + (b[i] - a[i]) * part);
  return va_sum(first + (second - first) * va_splat(part)) + tail;
}

/* One output, or VA_LANES of them that share the loads of the taps. The additions have the same order in both, so that
 * it does not matter which outputs come together. */
VA_INLINE void va_decimate_some(const float *x, const float *taps, size_t count, size_t step, float *out,
                                size_t outputs) {
  va_vec sums[VA_LANES];
  VA_UNROLL
  for (size_t m = 0; m < outputs; m++) sums[m] = va_splat(0);
  size_t i = 0;
  for (; i + VA_LANES <= count; i += VA_LANES) {
    va_vec some = va_load(taps + i);
    VA_UNROLL
    for (size_t m = 0; m < outputs; m++) sums[m] += va_load(x + step * m + i) * some;
  }
  if (outputs == 1) {
    out[0] = sums[0][0];
    for (int lane = 1; lane < VA_LANES; lane++) out[0] += sums[0][lane];
  } else {
    va_transpose(sums);
    VA_UNROLL
    for (int lane = 1; lane < VA_LANES; lane++) sums[0] += sums[lane];
    va_store(out, sums[0]);
  }
  for (; i < count; i++)
    for (size_t m = 0; m < outputs; m++) out[m] += x[step * m + i] * taps[i];
}

/* The last block overlaps the one before it where the outputs are not whole blocks. */
static void va_decimate(const float *x, const float *taps, size_t count, size_t step, float *out, size_t outputs) {
  if (outputs < VA_LANES) {
    for (size_t m = 0; m < outputs; m++) va_decimate_some(x + step * m, taps, count, step, out + m, 1);
    return;
  }
  for (size_t m = 0; m < outputs; m += VA_LANES) {
    size_t first = m + VA_LANES <= outputs ? m : outputs - VA_LANES;
    va_decimate_some(x + step * first, taps, count, step, out + first, VA_LANES);
  }
}

static bool va_below_full_scale(const float *x, size_t count) {
  const va_vec one = va_splat(1);
  va_lanes_i below = one == one;
  size_t i = 0;
  for (; i + 2 * VA_LANES <= count; i += 2 * VA_LANES)
    below &= (va_magnitude(va_load(x + i)) < one) & (va_magnitude(va_load(x + i + VA_LANES)) < one);
  bool all = true;
  for (; i < count; i++) all &= x[i] < 1 && -x[i] < 1;
  for (int lane = 0; lane < VA_LANES; lane++) all &= below[lane] != 0;
  return all;
}

static uint32_t va_from_16_bits(const int16_t *samples, size_t count, float *out) {
  va_lanes_i lowest = {0};
  size_t i = 0;
  uint32_t clipped = 0;
  for (; i + VA_LANES <= count; i += VA_LANES) {
    va_halves some;
    memcpy(&some, samples + i, sizeof some);
    va_lanes_i wide = __builtin_convertvector(some, va_lanes_i);
    lowest -= wide == INT16_MIN; /* a true comparison is -1 */
    va_store(out + i, __builtin_convertvector(wide, va_vec) * va_splat(1.0f / 32768));
  }
  for (int lane = 0; lane < VA_LANES; lane++) clipped += (uint32_t)lowest[lane];
  for (; i < count; i++) {
    clipped += samples[i] == INT16_MIN;
    out[i] = (float)samples[i] * (1.0f / 32768);
  }
  return clipped;
}

static void va_level_of(const float *x, size_t count, float *sum_of_squares, float *peak) {
  va_vec sum = va_splat(0), top = va_splat(0);
  for (size_t i = 0; i < count; i += 2 * VA_LANES) {
    va_vec a = va_load(x + i), b = va_load(x + i + VA_LANES);
    sum += a * a + b * b;
    top = va_max(top, va_max(va_magnitude(a), va_magnitude(b)));
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

#if VA_LANES <= 8
#include "bands_body.h"
#endif
#include "network_body.h"
#include "pitch_body.h"

const va_kernels VA_KERNELS_NAME = {
    .dot = va_dot,
    .blend = va_blend,
    .decimate = va_decimate,
    .below_full_scale = va_below_full_scale,
    .from_16_bits = va_from_16_bits,
    .level = va_level_of,
    .power_spectrum = va_power_spectrum_of,
    .bands = VA_BANDS_NAME(va_bands_of),
    .total = VA_BANDS_NAME(va_total_of),
    .pitch = va_pitch_of,
    .frame = VA_BANDS_NAME(va_frame_of),
    .network_steps = va_network_steps_of,
};
