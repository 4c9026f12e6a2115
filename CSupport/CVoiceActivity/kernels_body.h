/* kernels_body.h — the bodies behind kernels.h, included once per lane count (VA_LANES: 4 or 8). */
#include <string.h>

#include "band_layout_generated.h"
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

/* VA_LANES bands at a time: their weighted sums, lane by lane, transposed and added. */
static float va_bands_of(const float *power, float *bands_db) {
  static const int first[VA_BANDS] = VA_BAND_FIRST, blocks[VA_BANDS] = VA_BAND_BLOCKS;
  const float *weights = va_band_weights;
  va_vec total = va_splat(0);
  VA_UNROLL
  for (int band = 0; band < VA_BANDS; band += VA_LANES) {
    va_vec sums[VA_LANES];
    VA_UNROLL
    for (int i = 0; i < VA_LANES; i++) {
      sums[i] = va_splat(0);
      VA_UNROLL
      for (int at = 0; at < blocks[band + i] * VA_BAND_BLOCK; at += VA_LANES)
        sums[i] += va_load(power + first[band + i] + at) * va_load(weights + at);
      weights += blocks[band + i] * VA_BAND_BLOCK;
    }
    va_transpose(sums);
    va_vec sum = sums[0];
    VA_UNROLL
    for (int i = 1; i < VA_LANES; i++) sum += sums[i];
    total += sum;
    va_store(bands_db + band, va_max(va_log2_lanes(sum) * VA_DB_PER_LOG2, va_splat(VA_BAND_FLOOR_DB)));
  }
  return va_sum(total);
}

static float va_total_of(const float *bands_db, size_t count) {
  float total = 0, powers[VA_BANDS];
  for (size_t i = 0; i < VA_BANDS; i += VA_LANES)
    va_store(powers + i, va_exp2_lanes(va_load(bands_db + i) * (1 / VA_DB_PER_LOG2)));
  for (size_t i = 0; i < count; i++) total += powers[i];
  return total;
}

/* Centres and spans in dB that bring speech to about -1 … 1. */
static void va_frame_of(const float *bands_db, const float *floor_db, float loudness_db, float *frame) {
  for (int band = 0; band < VA_BANDS; band += VA_LANES) {
    va_vec level = va_load(bands_db + band);
    va_vec relative = (level - (loudness_db - 25)) * (1.0f / 20);
    va_vec over_floor = (level - va_load(floor_db + band) - 8) * (1.0f / 12);
    va_store(frame + band, va_max(va_min(relative, va_splat(2)), va_splat(-2)));
    va_store(frame + VA_BANDS + band, va_max(va_min(over_floor, va_splat(2.5f)), va_splat(-1)));
  }
}

#include "network_body.h"
#include "pitch_body.h"

const va_kernels VA_KERNELS_NAME = {
    .dot = va_dot,
    .decimate = va_decimate,
    .below_full_scale = va_below_full_scale,
    .level = va_level_of,
    .power_spectrum = va_power_spectrum_of,
    .bands = va_bands_of,
    .total = va_total_of,
    .pitch = va_pitch_of,
    .frame = va_frame_of,
    .network_step = va_network_step_of,
};
