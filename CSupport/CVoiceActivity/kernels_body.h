/* kernels_body.h — the bodies behind kernels.h, included once per lane count (VA_LANES: 4, 8 or 16). */
#include <string.h>

#include "fast_math_lanes.h"
#include "fft_body.h"
#include "kernels.h"
#include "simd.h"
#include "tables.h"

/* Vectors of outputs whose sums, two each, fit into the registers and hide the latency of an addition. A packet of 10 ms
 * at 24 kHz and more brings 16 outputs to a hop and 144 to the next one. */
#define VA_DECIMATED_AT_ONCE (VA_LANES == 16 ? 9 : 6)
#define VA_DECIMATED_FEW (VA_LANES == 16 ? 3 : 16 / VA_LANES)

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

/* apart[length · of + n] = x[step · n + of], n < count, and VA_LANES zeros behind each. The last vectors overlap. */
VA_INLINE void va_set_apart(const float *x, size_t step, size_t count, float *apart, size_t length) {
  if (count < VA_LANES) {
    for (size_t of = 0; of < step; of++)
      for (size_t n = 0; n < count; n++) apart[length * of + n] = x[step * n + of];
  } else {
    for (size_t next = 0; next < count; next += VA_LANES) {
      size_t n = next + VA_LANES <= count ? next : count - VA_LANES;
      va_vec a = va_load(x + step * n), b = va_load(x + step * n + (step > 1) * VA_LANES);
      if (step == 3) {
        va_vec c = va_load(x + 3 * n + 2 * VA_LANES), thirds[3] = VA_THIRDS(a, b, c);
        for (size_t of = 0; of < 3; of++) va_store(apart + length * of + n, thirds[of]);
      } else if (step == 2) {
        va_store(apart + n, va_evens(a, b));
        va_store(apart + length + n, va_odds(a, b));
      } else {
        va_store(apart + n, a);
      }
    }
  }
  for (size_t of = 0; of < step; of++) va_store(apart + length * of + count, va_splat(0));
}

/* Adds what two taps give, `apart` outputs from each other, to sums of their own. */
VA_INLINE void va_add_taps(va_vec *sums, va_vec *others, const float *x, const float *taps, size_t step, size_t apart,
                           int vectors) {
  VA_UNROLL
  for (int v = 0; v < vectors; v++) {
    sums[v] += va_splat(taps[0]) * va_load(x + v * VA_LANES);
    others[v] += va_splat(taps[step * apart]) * va_load(x + v * VA_LANES + apart);
  }
}

/* Some vectors of outputs, which share each tap. Of two taps a vector apart one's samples are the other's for the next
 * vector: half of the loads, of which nearly each of 16 lanes lies across two cache lines. */
VA_INLINE void va_decimate_some(const float *apart, size_t length, const float *taps, const va_tap_range *used,
                                size_t step, float *out, int vectors) {
  va_vec sums[VA_DECIMATED_AT_ONCE], others[VA_DECIMATED_AT_ONCE];
  VA_UNROLL
  for (int v = 0; v < vectors; v++) sums[v] = others[v] = va_splat(0);
  for (size_t of = 0; of < step; of++) {
    const float *x = apart + length * of, *tap = taps + of;
    size_t n = used[of].from;
#if VA_LANES == 16
    for (; n + 2 * VA_LANES <= used[of].to; n += VA_LANES)
      for (size_t end = n + VA_LANES; n < end; n++) va_add_taps(sums, others, x + n, tap + step * n, step, VA_LANES, vectors);
#endif
    for (; n < used[of].to; n += 2) va_add_taps(sums, others, x + n, tap + step * n, step, 1, vectors);
  }
  VA_UNROLL
  for (int v = 0; v < vectors; v++) va_store(out + v * VA_LANES, sums[v] + others[v]);
}

/* Outputs that are neighbours use neighbours of every step-th sample, once these stand apart. Every output is added up
 * in the same order, so that it does not matter which ones come together. Of a kernel that is cut at a whole part of its
 * rate, every third, second or almost any tap is 0. */
static void va_decimate(const float *x, const float *taps, const va_tap_range *used, size_t count, size_t step, float *out,
                        size_t outputs) {
  if (outputs == 0) return;
  float apart[VA_DECIMATED_SPAN + VA_DECIMATED_STEP_MAX * VA_LANES], last[VA_LANES];
  size_t samples = outputs - 1 + count / step, length = samples + VA_LANES, m = 0;
  va_set_apart(x, step, samples, apart, length);
  for (; m + VA_DECIMATED_AT_ONCE * VA_LANES <= outputs; m += VA_DECIMATED_AT_ONCE * VA_LANES)
    va_decimate_some(apart + m, length, taps, used, step, out + m, VA_DECIMATED_AT_ONCE);
  for (; m + VA_DECIMATED_FEW * VA_LANES <= outputs; m += VA_DECIMATED_FEW * VA_LANES)
    va_decimate_some(apart + m, length, taps, used, step, out + m, VA_DECIMATED_FEW);
  for (; m < outputs; m += VA_LANES) {
    va_decimate_some(apart + m, length, taps, used, step, last, 1);
    memcpy(out + m, last, (outputs - m < VA_LANES ? outputs - m : VA_LANES) * sizeof(float));
  }
}

/* As whole numbers the bits of magnitudes stand in their order, NaN's above all. Moved on by INT32_MAX they still do, the
 * lowest number being the least magnitude; but 0 becomes the greatest. */
VA_INLINE va_lanes_i va_unclean(va_vec x) {
  const va_lanes_i one = (va_lanes_i)va_splat(1), bits = (va_lanes_i)va_magnitude(x);
  const va_lanes_u least = (va_lanes_u)va_splat(VA_SAMPLE_LEAST) + INT32_MAX;
  return (bits >= one) | ((va_lanes_i)((va_lanes_u)bits + INT32_MAX) < (va_lanes_i)least);
}

static bool va_is_clean(const float *x, size_t count) {
  va_lanes_i unclean = {0};
  size_t i = 0;
  for (; i + 2 * VA_LANES <= count; i += 2 * VA_LANES)
    unclean |= va_unclean(va_load(x + i)) | va_unclean(va_load(x + i + VA_LANES));
  bool clean = true;
  for (; i < count; i++) clean &= x[i] == 0 || (fabsf(x[i]) >= VA_SAMPLE_LEAST && fabsf(x[i]) < 1);
  for (int lane = 0; lane < VA_LANES; lane++) clean &= unclean[lane] == 0;
  return clean;
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
    .is_clean = va_is_clean,
    .from_16_bits = va_from_16_bits,
    .level = va_level_of,
    .power_spectrum = va_power_spectrum_of,
    .bands = VA_BANDS_NAME(va_bands_of),
    .total = VA_BANDS_NAME(va_total_of),
    .pitches = va_pitches_of,
    .frame = VA_BANDS_NAME(va_frame_of),
    .network_steps = va_network_steps_of,
};
