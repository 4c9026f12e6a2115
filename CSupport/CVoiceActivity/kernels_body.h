/* kernels_body.h — the functions behind kernels.h. It is included once per number of lanes (VA_LANES: 4, 8 or 16). */
#include <float.h>
#include <string.h>

#include "fast_math_lanes.h"
#include "fft_body.h"
#include "kernels.h"
#include "simd.h"
#include "tables.h"

/* MARK: filters */

VA_INLINE float va_dot(const float *a, const float *b, size_t count) {
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

/* Vectors of outputs that `decimate` computes at a time, many or few. Two sums for each fit into the registers and hide
 * the latency of an addition. A packet of 10 ms at 24 kHz and more makes 16 outputs for one hop and 144 for the
 * next. */
#define VA_DECIMATED_MANY (VA_LANES == 16 ? 9 : 6)
#define VA_DECIMATED_FEW (VA_LANES == 16 ? 3 : 16 / VA_LANES)

/* Splits VA_LANES steps of x by the place in the step: row[n] = x[step · n + place], rows `stride` apart. */
VA_INLINE void va_split_vector(const float *x, size_t step, float *rows, size_t stride) {
  va_vec a = va_load(x);
  if (step == 1) {
    va_store(rows, a);
    return;
  }
  va_vec b = va_load(x + VA_LANES);
  if (step == 2) {
    va_store(rows, va_evens(a, b));
    va_store(rows + stride, va_odds(a, b));
    return;
  }
  va_vec c = va_load(x + 2 * VA_LANES), thirds[3] = VA_THIRDS(a, b, c);
  for (size_t place = 0; place < 3; place++) va_store(rows + stride * place, thirds[place]);
}

/* Splits `count` steps of x likewise, and writes VA_LANES zeros after each row. The last vector overlaps the one before
 * it, so that nothing is read beyond x. */
VA_INLINE void va_split(const float *x, size_t step, size_t count, float *rows, size_t stride) {
  if (count < VA_LANES) {
    for (size_t place = 0; place < step; place++)
      for (size_t n = 0; n < count; n++) rows[stride * place + n] = x[step * n + place];
  } else {
    for (size_t next = 0; next < count; next += VA_LANES) {
      size_t n = next + VA_LANES <= count ? next : count - VA_LANES;
      va_split_vector(x + step * n, step, rows + n, stride);
    }
  }
  for (size_t place = 0; place < step; place++) va_store(rows + stride * place + count, va_splat(0));
}

/* Adds the products of two taps, `distance` apart in their row, each to sums of its own. */
VA_INLINE void va_add_taps(va_vec *sums, va_vec *more, const float *x, const float *taps, size_t step, size_t distance,
                           int vectors) {
  VA_UNROLL
  for (int v = 0; v < vectors; v++) {
    sums[v] += va_splat(taps[0]) * va_load(x + v * VA_LANES);
    more[v] += va_splat(taps[step * distance]) * va_load(x + v * VA_LANES + distance);
  }
}

/* Computes some vectors of outputs, which share the loads of the taps, from the rows of va_split. With 16 lanes, taps
 * are taken in pairs that lie a vector apart: the second one's samples are the first one's for the next vector, which
 * saves half of the loads. Nearly all of these cross two cache lines. */
VA_INLINE void va_decimate_some(const float *rows, size_t stride, const float *taps, const va_tap_range *used,
                                size_t step, float *out, int vectors) {
  va_vec sums[VA_DECIMATED_MANY], more[VA_DECIMATED_MANY];
  VA_UNROLL
  for (int v = 0; v < vectors; v++) sums[v] = more[v] = va_splat(0);
  for (size_t place = 0; place < step; place++) {
    const float *row = rows + stride * place, *tap = taps + place;
    size_t n = used[place].from;
#if VA_LANES == 16
    for (; n + 2 * VA_LANES <= used[place].to; n += VA_LANES)
      for (size_t end = n + VA_LANES; n < end; n++)
        va_add_taps(sums, more, row + n, tap + step * n, step, VA_LANES, vectors);
#endif
    for (; n < used[place].to; n += 2) va_add_taps(sums, more, row + n, tap + step * n, step, 1, vectors);
  }
  VA_UNROLL
  for (int v = 0; v < vectors; v++) va_store(out + v * VA_LANES, sums[v] + more[v]);
}

/* Neighbouring outputs use neighbouring samples of a row, so whole vectors of outputs are computed at once. Each output
 * is summed in the same order, whichever others come with it. If the cutoff divides the rate, every third tap, every
 * second or nearly all are 0 at one place of the step; `used` leaves them out.
 *
 * Vectors may reach beyond the last output: they read the zeros after the rows, and are written to `last` first. */
static void va_decimate(const float *x, const float *taps, const va_tap_range *used, size_t count, size_t step,
                        float *out, size_t outputs) {
  if (outputs == 0) return;
  float rows[VA_STAGE_SPAN + VA_DECIMATED_STEP_MAX * VA_LANES], last[VA_LANES];
  const size_t many = VA_DECIMATED_MANY * VA_LANES, few = VA_DECIMATED_FEW * VA_LANES;
  size_t steps = outputs - 1 + count / step, stride = steps + VA_LANES, m = 0;
  va_split(x, step, steps, rows, stride);
  for (; m + many <= outputs; m += many)
    va_decimate_some(rows + m, stride, taps, used, step, out + m, VA_DECIMATED_MANY);
  for (; m + few <= outputs; m += few)
    va_decimate_some(rows + m, stride, taps, used, step, out + m, VA_DECIMATED_FEW);
  for (; m < outputs; m += VA_LANES) {
    va_decimate_some(rows + m, stride, taps, used, step, last, 1);
    memcpy(out + m, last, (outputs - m < VA_LANES ? outputs - m : VA_LANES) * sizeof(float));
  }
}

/* MARK: input */

/* The bits of magnitudes, as integers, have the order of the magnitudes, and those of NaN are above all. Their upper
 * halves decide: 16-bit integers have instructions for the larger and the smaller one everywhere. */
VA_INLINE va_lanes_i va_magnitude_bits(va_vec x) { return (va_lanes_i)va_magnitude(x); }

/* With INT32_MAX added, the smallest magnitude above 0 becomes the lowest signed integer, and 0 the highest: so 0 is
 * not below VA_SAMPLE_LEAST. */
VA_INLINE va_lanes_i va_above_nothing(va_lanes_i bits) { return (va_lanes_i)((va_lanes_u)bits + INT32_MAX); }

#if VA_LANES == 8
VA_INLINE va_pairs va_greater(va_pairs a, va_pairs b) { return (va_pairs)_mm256_max_epi16((__m256i)a, (__m256i)b); }
VA_INLINE va_pairs va_lesser(va_pairs a, va_pairs b) { return (va_pairs)_mm256_min_epi16((__m256i)a, (__m256i)b); }
#elif VA_LANES == 4 && defined(__SSE2__)
VA_INLINE va_pairs va_greater(va_pairs a, va_pairs b) { return (va_pairs)_mm_max_epi16((__m128i)a, (__m128i)b); }
VA_INLINE va_pairs va_lesser(va_pairs a, va_pairs b) { return (va_pairs)_mm_min_epi16((__m128i)a, (__m128i)b); }
#else
VA_INLINE va_pairs va_greater(va_pairs a, va_pairs b) { return (a & (a > b)) | (b & ~(a > b)); }
VA_INLINE va_pairs va_lesser(va_pairs a, va_pairs b) { return (a & (a < b)) | (b & ~(a < b)); }
#endif

static bool va_copy_clean(const float *x, size_t count, float *out) {
  const va_lanes_i one = va_magnitude_bits(va_splat(1)) >> 16;
  const va_lanes_i least = va_above_nothing(va_magnitude_bits(va_splat(VA_SAMPLE_LEAST)));
  va_pairs highest = {0}, lowest = (va_pairs)va_above_nothing((va_lanes_i){0});
  size_t i = 0;
  while (i + 2 * VA_LANES <= count) {
    VA_UNROLL
    for (int half = 0; half < 2; half++, i += VA_LANES) {
      va_vec some = va_load(x + i);
      va_lanes_i bits = va_magnitude_bits(some);
      va_store(out + i, some);
      highest = va_greater(highest, (va_pairs)bits);
      lowest = va_lesser(lowest, (va_pairs)va_above_nothing(bits));
    }
  }
  bool clean = true;
  for (; i < count; i++) {
    clean &= x[i] == 0 || (fabsf(x[i]) >= VA_SAMPLE_LEAST && fabsf(x[i]) < 1);
    out[i] = x[i];
  }
  va_lanes_i unclean = ((va_lanes_i)highest >> 16 >= one) | ((va_lanes_i)lowest >> 16 <= least >> 16);
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
    lowest -= wide == INT16_MIN; /* a comparison that holds is -1 */
    va_store(out + i, __builtin_convertvector(wide, va_vec) * va_splat(1.0f / 32768));
  }
  for (int lane = 0; lane < VA_LANES; lane++) clipped += (uint32_t)lowest[lane];
  for (; i < count; i++) {
    clipped += samples[i] == INT16_MIN;
    out[i] = (float)samples[i] * (1.0f / 32768);
  }
  return clipped;
}

static void va_to_16_bits(const float *samples, size_t count, float scale, int16_t *out) {
  VA_UNROLL_BY_8
  for (size_t i = 0; i < count; i += VA_LANES) va_store_16(out + i, va_load(samples + i) * scale);
}

/* Returns the samples, 0 for what is not finite if it cleans. */
VA_INLINE va_vec va_load_cleaned(const float *samples, bool cleans) {
  va_vec some = va_load(samples);
  return cleans ? (va_vec)((va_lanes_i)some & (va_magnitude(some) <= va_splat(FLT_MAX))) : some;
}

VA_INLINE va_lanes_i va_top_bits(va_lanes_i top, va_vec some) {
  va_lanes_i bits = (va_lanes_i)va_magnitude(some);
  return (va_lanes_i)va_select(bits > top, (va_vec)bits, (va_vec)top);
}

/* Magnitudes compare as their bits do, and what is not finite has the largest bits. So it costs nothing to know that
 * all are finite, which they are. */
VA_INLINE int32_t va_scaled_to_16_bits(const float *samples, size_t count, float scale, bool cleans, int16_t *out) {
  const va_vec factor = va_splat(scale * 32768);
  va_lanes_i top = {0};
  VA_UNROLL_BY_4
  for (size_t i = 0; i < count; i += 2 * VA_LANES) {
    va_vec low = va_load_cleaned(samples + i, cleans), high = va_load_cleaned(samples + i + VA_LANES, cleans);
    top = va_top_bits(va_top_bits(top, low), high);
    va_store_16_limited(out + i, low * factor, high * factor);
  }
  int32_t most_bits = 0;
  for (int lane = 0; lane < VA_LANES; lane++) most_bits = top[lane] > most_bits ? top[lane] : most_bits;
  return most_bits;
}

static float va_clean_to_16_bits(const float *samples, size_t count, float scale, int16_t *out) {
  int32_t top = va_scaled_to_16_bits(samples, count, scale, false, out);
  float peak;
  memcpy(&peak, &top, sizeof peak);
  if (peak <= FLT_MAX) return peak;
  top = va_scaled_to_16_bits(samples, count, scale, true, out);
  memcpy(&peak, &top, sizeof peak);
  return peak;
}

static void va_level_of(const float *x, size_t count, float *sum_of_squares, float *peak) {
  va_vec sum = va_splat(0), top = va_splat(0);
  VA_UNROLL_BY_8
  for (size_t i = 0; i < count; i += VA_LANES) {
    va_vec some = va_load(x + i);
    sum += some * some;
    top = va_max(top, va_magnitude(some));
  }
  *sum_of_squares = va_sum(sum);
  *peak = va_top(top);
}

/* MARK: spectrum */

/* rows: of the transform, 16 for VA_WINDOW samples and 8 for half as many. */
VA_INLINE void va_powers(const va_windowed *x, int rows, float *power) {
  const int points = 16 * rows; /* complex ones */
  va_complex256 z;
  va_fft(x, rows, &z);
  va_vec above_r = va_load_aligned(z.re), above_i = va_load_aligned(z.im);
  for (int k = 0; k < points / 2; k += VA_LANES) {
    va_vec low, high;
    va_real_powers(&z, points, k, &above_r, &above_i, &low, &high);
    va_store(power + k, low);
    va_store(power + points - k - VA_LANES + 1, va_reversed(high));
  }
  float re = z.re[points / 2], im = z.im[points / 2]; /* the middle bin: X[points / 2] = conj Z[points / 2] */
  power[points / 2] = re * re + im * im;
}

static void va_power_spectrum_of(const int16_t *past, float unit, const float *step, const float *window,
                                 float *power) {
  va_windowed x = {.past = past, .unit = unit, .past_rows = VA_PAST / 32, .step = step, .window = window};
  va_powers(&x, 16, power);
}

/* Some lengths are not multiples of 16 lanes. The table with 16 lanes uses the functions with 8, which are therefore
 * not static. */
#if VA_LANES <= 8
#include "bands_body.h"
#include "echo_body.h"
#include "interpolation_body.h"

void VA_NARROW_NAME(va_half_power_spectrum_of)(const int16_t *past, float unit, const float *step, const float *window,
                                               float *power) {
  va_windowed x = {.past = past, .unit = unit, .past_rows = VA_PAST / 64, .step = step, .window = window};
  va_powers(&x, 8, power);
}

#ifdef __wasm__
/* Pages load no transform more for this: the samples of the step become floats first, which changes no bit. */
void VA_NARROW_NAME(va_power_of_16_bits_of)(const int16_t *samples, size_t length, const float *window, float *power) {
  float step[VA_WINDOW - VA_PAST];
  const size_t past = length * VA_PAST / VA_WINDOW;
  for (size_t i = past; i < length; i++) step[i - past] = (float)samples[i];
  if (length == VA_WINDOW) va_power_spectrum_of(samples, 1, step, window, power);
  else VA_NARROW_NAME(va_half_power_spectrum_of)(samples, 1, step, window, power);
}
#else
VA_INLINE void va_powers_of_16_bits(const int16_t *samples, int rows, const float *window, float *power) {
  va_windowed x = {.past = samples, .unit = 1, .past_rows = rows, .window = window};
  va_powers(&x, rows, power);
}

void VA_NARROW_NAME(va_power_of_16_bits_of)(const int16_t *samples, size_t length, const float *window, float *power) {
  if (length == VA_WINDOW) va_powers_of_16_bits(samples, 16, window, power);
  else va_powers_of_16_bits(samples, 8, window, power);
}
#endif
#endif
#include "network_body.h"
#include "pitch_body.h"

const va_kernels VA_KERNELS_NAME = {
    .interpolate = VA_NARROW_NAME(va_interpolate_of),
    .decimate = va_decimate,
    .copy_clean = va_copy_clean,
    .from_16_bits = va_from_16_bits,
    .to_16_bits = va_to_16_bits,
    .clean_to_16_bits = va_clean_to_16_bits,
    .level = va_level_of,
    .power_spectrum = va_power_spectrum_of,
    .power_of_16_bits = VA_NARROW_NAME(va_power_of_16_bits_of),
    .half_power_spectrum = VA_NARROW_NAME(va_half_power_spectrum_of),
    .bands = VA_NARROW_NAME(va_bands_of),
    .smooth_floor = VA_NARROW_NAME(va_smooth_floor_of),
    .find_floor = VA_NARROW_NAME(va_find_floor_of),
    .total = VA_NARROW_NAME(va_total_of),
    .pitches = va_pitches_of,
    .frame = VA_NARROW_NAME(va_frame_of),
    .blend = VA_NARROW_NAME(va_blend_of),
    .thin_out = VA_NARROW_NAME(va_thin_out_of),
    .encode_levels = VA_NARROW_NAME(va_encode_levels_of),
    .level_changes = VA_NARROW_NAME(va_level_changes_of),
    .echo_sums = VA_NARROW_NAME(va_echo_sums_of),
    .echo_fits = VA_NARROW_NAME(va_echo_fits_of),
    .echo_short_fits = VA_NARROW_NAME(va_echo_short_fits_of),
    .remove_echo = VA_NARROW_NAME(va_remove_echo_of),
    .network_steps = va_network_steps_of,
};
