/* echo_body.h — the vector loops of the echo stage (echo.h). It is included once per number of lanes, except 16: 40
 * bands are no multiple of that. */
#include "kernels.h"
#include "simd.h"

/* A level for each number of a va_pairs, and one for each lane. */
typedef uint8_t va_bytes __attribute__((vector_size(VA_LANES * 2)));
typedef uint8_t va_few_bytes __attribute__((vector_size(VA_LANES)));

#define VA_PAIRS_LANES (2 * VA_LANES)
#define VA_CHANGE_VECTORS ((VA_BANDS + VA_PAIRS_LANES - 1) / VA_PAIRS_LANES)
_Static_assert(VA_CHANGE_VECTORS * VA_PAIRS_LANES <= VA_CHANGES_ROOM, "room for whole vectors");
_Static_assert(VA_CHANGE_VECTORS * VA_PAIRS_LANES <= VA_BANDS + VA_BYTES_SPARE, "levels are followed by spare bytes");

/* MARK: the reference's rate */

/* VA_LANES steps of x by the place in the step: split[place][n] = x[step · n + place]. */
VA_INLINE void va_split_steps(const float *x, size_t step, va_vec *split) {
  va_vec a = va_load(x);
  if (step == 1) {
    split[0] = a;
  } else if (step == 2) {
    va_vec b = va_load(x + VA_LANES);
    split[0] = va_evens(a, b);
    split[1] = va_odds(a, b);
  } else {
    va_vec thirds[3] = VA_THIRDS(a, va_load(x + VA_LANES), va_load(x + 2 * VA_LANES));
    memcpy(split, thirds, sizeof thirds);
  }
}

VA_INLINE void va_thin_by(const float *x, size_t step, float *out, size_t outputs) {
  for (size_t m = 0; m < outputs; m += VA_LANES) {
    va_vec first[3], second[3], sum = va_splat(0);
    va_split_steps(x + step * m, step, first);
    va_split_steps(x + step * m + step, step, second);
    VA_UNROLL
    for (size_t place = 0; place < step; place++)
      sum += first[place] * (float)(2 * place + 1) + second[place] * (float)(2 * (step - place) - 1);
    va_store(out + m, sum * (0.5f / (float)(step * step)));
  }
}

void VA_NARROW_NAME(va_thin_out_of)(const float *x, size_t step, float *out, size_t outputs) {
  if (step == 1) va_thin_by(x, 1, out, outputs);
  else if (step == 2) va_thin_by(x, 2, out, outputs);
  else va_thin_by(x, 3, out, outputs);
}

/* MARK: levels and their changes */

VA_INLINE va_vec va_load_bytes(const uint8_t *p) {
  va_few_bytes bytes;
  memcpy(&bytes, p, sizeof bytes);
  return __builtin_convertvector(__builtin_convertvector(bytes, va_lanes_i), va_vec);
}

/* v: 0 … 255, without a fraction, or with one that is cut off. */
VA_INLINE void va_store_bytes(uint8_t *p, va_vec v) {
  va_few_bytes bytes = __builtin_convertvector(__builtin_convertvector(v, va_lanes_i), va_few_bytes);
  memcpy(p, &bytes, sizeof bytes);
}

VA_INLINE va_vec va_between(va_vec v, float least, float most) {
  return va_max(va_min(v, va_splat(most)), va_splat(least));
}

void VA_NARROW_NAME(va_encode_levels_of)(const float *bands_db, float least_db, uint8_t *levels) {
  VA_UNROLL
  for (int band = 0; band < VA_BANDS; band += VA_LANES) {
    va_vec over = va_rounded((va_load(bands_db + band) - least_db) * VA_BYTES_PER_DB) + 0.5f;
    va_store_bytes(levels + band, va_between(over, 0, VA_BYTE_MAX));
  }
}

VA_INLINE va_pairs va_load_levels(const uint8_t *levels) {
  va_bytes bytes;
  memcpy(&bytes, levels, sizeof bytes);
  return __builtin_convertvector(bytes, va_pairs);
}

VA_INLINE va_pairs va_limited(va_pairs change) {
  const va_pairs most = (va_pairs){0} + VA_BYTE_CHANGE_MAX;
  return va_greater(va_lesser(change, most), -most);
}

VA_INLINE int32_t va_sum_of_lanes(va_lanes_i v) {
  int32_t sum = 0;
  for (int lane = 0; lane < VA_LANES; lane++) sum += v[lane];
  return sum;
}

/* Stores the sums of four vectors. */
VA_INLINE void va_store_sums(const va_lanes_i *v, int32_t *sums) {
#if VA_LANES == 8
  __m256i pairs = _mm256_hadd_epi32((__m256i)v[0], (__m256i)v[1]), more = _mm256_hadd_epi32((__m256i)v[2], (__m256i)v[3]);
  __m256i halves = _mm256_hadd_epi32(pairs, more);
  _mm_storeu_si128((__m128i *)sums, _mm_add_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1)));
#else
  for (int i = 0; i < 4; i++) sums[i] = va_sum_of_lanes(v[i]);
#endif
}

int32_t VA_NARROW_NAME(va_level_changes_of)(const uint8_t *levels, const uint8_t *before, int16_t *changes) {
  va_lanes_i squares = {0};
  for (int i = 0; i < VA_CHANGE_VECTORS; i++) {
    const int band = VA_PAIRS_LANES * i;
    va_pairs some = va_limited(va_load_levels(levels + band) - va_load_levels(before + band));
    memcpy(changes + band, &some, sizeof some);
  }
  for (int band = VA_BANDS; band < VA_CHANGES_ROOM; band++) changes[band] = 0;
  for (int i = 0; i < VA_CHANGE_VECTORS; i++) {
    va_pairs some = va_load_pairs(changes + VA_PAIRS_LANES * i);
    squares = va_add_products(squares, some, some);
  }
  return va_sum_of_lanes(squares);
}

/* MARK: the delay */

/* Each row is loaded once: what comes before a step is the next lag's own. */
void VA_NARROW_NAME(va_echo_sums_of)(const uint8_t *levels, uint64_t step, const int16_t *changes, int32_t *sums) {
  va_pairs heard[VA_CHANGE_VECTORS], row[VA_CHANGE_VECTORS];
  va_lanes_i four[4];
  VA_UNROLL
  for (int i = 0; i < VA_CHANGE_VECTORS; i++) {
    heard[i] = va_load_pairs(changes + VA_PAIRS_LANES * i);
    row[i] = va_load_levels(levels + VA_BANDS * (step % VA_REFERENCE_STEPS) + VA_PAIRS_LANES * i);
  }
  VA_UNROLL_BY_4
  for (uint32_t lag = 0; lag < VA_ECHO_LAGS; lag++) {
    const uint8_t *before = levels + VA_BANDS * ((step - lag - 1) % VA_REFERENCE_STEPS);
    va_lanes_i sum = {0};
    VA_UNROLL
    for (int i = 0; i < VA_CHANGE_VECTORS; i++) {
      va_pairs previous = va_load_levels(before + VA_PAIRS_LANES * i);
      sum = va_add_products(sum, va_limited(row[i] - previous), heard[i]);
      row[i] = previous;
    }
    four[lag % 4] = sum;
    if (lag % 4 == 3) va_store_sums(four, sums + lag - 3);
  }
  for (uint32_t lag = VA_ECHO_LAGS & ~3u; lag < VA_ECHO_LANES; lag++)
    sums[lag] = lag < VA_ECHO_LAGS ? va_sum_of_lanes(four[lag % 4]) : 0;
}

/* Energies: sums of VA_BANDS squares of at most VA_BYTE_CHANGE_MAX. */
_Static_assert(VA_BANDS * VA_BYTE_CHANGE_MAX * VA_BYTE_CHANGE_MAX <= INT16_MAX, "they are loaded as signed integers");
VA_INLINE va_vec va_load_energies(const uint16_t *p) {
  va_halves v;
  memcpy(&v, p, sizeof v);
  return va_floats_of(v);
}

VA_INLINE va_vec va_mean(va_vec mean, va_vec x, va_vec weight) { return mean + va_rounded(weight * (x - mean)); }

float VA_NARROW_NAME(va_echo_fits_of)(va_echo_means *means, const int32_t *sums, const uint16_t *energies, float energy,
                                      float weight, float least, float *fits) {
  const va_vec part = va_splat(weight), heard = va_mean(va_splat(means->heard), va_splat(energy), part);
  va_vec most = va_splat(-1);
  means->heard = heard[0];
  VA_UNROLL
  for (int lag = 0; lag < VA_ECHO_LANES; lag += VA_LANES) {
    va_lanes_i some;
    memcpy(&some, sums + lag, sizeof some);
    va_vec product = va_mean(va_load(means->products + lag), __builtin_convertvector(some, va_vec), part);
    va_vec played = va_mean(va_load(means->played + lag), va_load_energies(energies + lag), part);
    va_store(means->products + lag, product);
    va_store(means->played + lag, played);
    va_vec fit = product / va_sqrt(va_rounded(played * heard) + least);
    va_store(fits + lag, fit);
    most = va_max(fit, most);
  }
  return va_top(most);
}

/* MARK: the path */

/* What is up to this much louder than the expected echo is echo. More misses users who speak while the far end does;
 * less takes what the prediction misses for a user (Benchmarks/echo). */
#define VA_ECHO_MARGIN_DB 10.0f

/* A band this far above its noise floor is audible. */
#define VA_AUDIBLE_DB 3.0f

/* `own` is learned where the reference is loud: at most VA_OWN_SPAN_DB below its peak, above VA_OWN_LEAST_DB, and
 * not drowned by the spill. */
#define VA_OWN_SPAN_DB 25.0f
#define VA_OWN_LEAST_DB (-75.0f)
#define VA_OWN_BELOW_SPILL_DB 3.0f

/* Otherwise `spill` is learned, while the whole reference is loud. */
#define VA_SPILL_SPAN_DB 12.0f
#define VA_SPILL_LEAST_DB (-60.0f)
#define VA_SPILL_MAX_DB (-12.0f)

/* A step weighs 1 / (steps + the first constant), but at least the second. Errors of a step are limited. */
#define VA_OWN_START 1
#define VA_OWN_WEIGHT 0.06f
#define VA_SPILL_START 4
#define VA_SPILL_WEIGHT 0.05f
#define VA_ERROR_MAX_DB 6.0f
#define VA_SPILL_RISE_MAX_DB 3.0f

/* Counts a step where `learns`. Returns its weight. */
VA_INLINE va_vec va_count_step(uint8_t *steps, va_lanes_i learns, float start, float least) {
  va_vec before = va_load_bytes(steps), now = va_min(before + 1, va_splat(VA_ECHO_STEPS_MAX));
  va_store_bytes(steps, va_select(learns, now, before));
  return va_max(1 / (now + start), va_splat(least));
}

/* The error of a gain. A band that is not audible says only that the echo is not louder than that. */
VA_INLINE va_vec va_gain_error(va_vec level, va_vec expected, va_lanes_i audible, float most) {
  va_vec error = level - expected;
  return va_between(va_select(audible, error, va_min(error, va_splat(0))), -VA_ERROR_MAX_DB, most);
}

va_echo_bands VA_NARROW_NAME(va_remove_echo_of)(va_echo_path *path, const va_echo_rows *rows, float *bands_db,
                                                const float *floor_db) {
  const va_lanes_i none = {0}, all = ~none;
  const va_lanes_i somewhere = rows->extent == VA_ECHO_NOWHERE ? none : all;
  const va_lanes_i everywhere = rows->extent == VA_ECHO_EVERYWHERE ? all : none;
  const bool is_loud = rows->total_db > rows->total_peak_db - VA_SPILL_SPAN_DB && rows->total_db > VA_SPILL_LEAST_DB;
  const va_lanes_i loud = is_loud ? all : none;
  const float own_rise = VA_ERROR_MAX_DB * rows->rise, spill_rise = VA_SPILL_RISE_MAX_DB * rows->rise;
  va_lanes_i audible_bands = none, echo_bands = none;
  VA_UNROLL
  for (int band = 0; band < VA_BANDS; band += VA_LANES) {
    /* The reference that may be heard now. Bytes become dB without rounding. */
    va_vec side = va_max(va_load_bytes(rows->next + band), va_load_bytes(rows->previous + band)) - VA_SIDE;
    va_vec ringing = va_max(va_load_bytes(path->ringing + band) - VA_RING_FALL, va_splat(0));
    va_vec far = va_max(va_max(va_load_bytes(rows->now + band), side), ringing);
    va_store_bytes(path->ringing + band, far);
    far = far * (1 / VA_BYTES_PER_DB) + VA_BYTE_LEAST_DB;
    va_vec peak = va_max(va_load(path->peak + band) - VA_PEAK_FALL_DB, far);
    va_store(path->peak + band, peak);

    /* The echo to expect, and what is not above it. */
    va_vec level = va_load(bands_db + band), floor = va_load(floor_db + band);
    va_vec own_gain = va_load(path->own + band), spill_gain = va_load(path->spill + band);
    va_vec own = far + own_gain, spill = rows->total_db + spill_gain;
    va_lanes_i is_echo = somewhere & (everywhere | (level <= va_max(own, spill) + VA_ECHO_MARGIN_DB));
    va_lanes_i audible = level > floor + VA_AUDIBLE_DB;
    va_store(bands_db + band, va_select(is_echo, va_min(level, floor), level));
    audible_bands -= audible;
    echo_bands -= audible & is_echo;

    /* What this step says of the path. */
    va_lanes_i learns_own = (far > peak - VA_OWN_SPAN_DB) & (far > va_splat(VA_OWN_LEAST_DB)) &
                            (own > spill - VA_OWN_BELOW_SPILL_DB);
    va_lanes_i learns_spill = loud & ~learns_own;
    va_vec weight = va_count_step(path->own_steps + band, learns_own, VA_OWN_START, VA_OWN_WEIGHT);
    va_vec learned = own_gain + va_rounded(weight * va_gain_error(level, own, audible, own_rise));
    va_store(path->own + band, va_select(learns_own, learned, own_gain));
    weight = va_count_step(path->spill_steps + band, learns_spill, VA_SPILL_START, VA_SPILL_WEIGHT);
    learned = spill_gain + va_rounded(weight * va_gain_error(level, spill, audible, spill_rise));
    va_store(path->spill + band, va_select(learns_spill, va_min(learned, va_splat(VA_SPILL_MAX_DB)), spill_gain));
  }
  return (va_echo_bands){.audible = va_sum_of_lanes(audible_bands), .echo = va_sum_of_lanes(echo_bands)};
}
