/* echo_body.h — the vector loops of the echo stage (echo.h). It is included once per number of lanes, except 16: 40
 * bands are not a multiple of that. */
#include "kernels.h"
#include "simd.h"

/* A level for each number of a va_pairs. */
typedef uint8_t va_bytes __attribute__((vector_size(VA_LANES * 2)));

#define VA_PAIRS_LANES (2 * VA_LANES)
#define VA_CHANGE_VECTORS ((VA_BANDS + VA_PAIRS_LANES - 1) / VA_PAIRS_LANES)
_Static_assert(VA_CHANGE_VECTORS * VA_PAIRS_LANES <= VA_CHANGES_ROOM, "room for whole vectors");
_Static_assert(VA_CHANGE_VECTORS * VA_PAIRS_LANES <= VA_BANDS + VA_BYTES_SPARE, "levels are followed by spare bytes");

/* MARK: the reference's rate */

/* The triangle at every sample: sorting the samples first takes longer. */
VA_INLINE va_vec va_under_triangle(const float *x) {
  return va_load(x) + va_load(x + 3) + (va_load(x + 1) + va_load(x + 2)) * 3;
}

VA_INLINE void va_thin_by_2(const float *x, float *out, size_t outputs) {
  for (size_t m = 0; m < outputs; m += VA_LANES) {
    va_vec low = va_under_triangle(x + 2 * m), high = va_under_triangle(x + 2 * m + VA_LANES);
    va_store(out + m, va_evens(low, high) * 0.125f);
  }
}

VA_INLINE void va_thin_by_3(const float *x, float *out, size_t outputs) {
  for (size_t m = 0; m < outputs; m += VA_LANES) {
    const float *y = x + 3 * m + 3;
    va_vec first[3] = VA_THIRDS(va_load(y - 3), va_load(y - 3 + VA_LANES), va_load(y - 3 + 2 * VA_LANES));
    va_vec second[3] = VA_THIRDS(va_load(y), va_load(y + VA_LANES), va_load(y + 2 * VA_LANES));
    va_vec outer = first[0] + second[2], middle = first[1] + second[1], inner = first[2] + second[0];
    va_store(out + m, (outer + middle * 3 + inner * 5) * (1.0f / 18));
  }
}

void VA_NARROW_NAME(va_thin_out_of)(const float *x, size_t step, float *out, size_t outputs) {
  if (step == 2) va_thin_by_2(x, out, outputs);
  else va_thin_by_3(x, out, outputs);
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
  __m256i pairs = _mm256_hadd_epi32((__m256i)v[0], (__m256i)v[1]);
  __m256i more = _mm256_hadd_epi32((__m256i)v[2], (__m256i)v[3]);
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
  uint32_t at = (uint32_t)(step % VA_REFERENCE_STEPS);
  VA_UNROLL
  for (int i = 0; i < VA_CHANGE_VECTORS; i++) {
    heard[i] = va_load_pairs(changes + VA_PAIRS_LANES * i);
    row[i] = va_load_levels(levels + VA_BANDS * at + VA_PAIRS_LANES * i);
  }
  VA_UNROLL_BY_4
  for (uint32_t lag = 0; lag < VA_ECHO_LAGS; lag++) {
    at = at > 0 ? at - 1 : VA_REFERENCE_STEPS - 1;
    const uint8_t *before = levels + VA_BANDS * at;
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

VA_INLINE va_vec va_load_mean(const void *means, bool is_short, int lag) {
  return is_short ? va_load_16((const int16_t *)means + lag) : va_load((const float *)means + lag);
}

VA_INLINE void va_store_mean(void *means, bool is_short, int lag, va_vec mean) {
  if (is_short) va_store_16((int16_t *)means + lag, mean);
  else va_store((float *)means + lag, mean);
}

/* Takes a step into the means of an array of each, and computes the fits. */
VA_INLINE float va_fits_by_lag(void *products, void *played, bool is_short, const int32_t *sums,
                               const uint16_t *energies, va_vec heard, va_vec weight, float least, float *fits) {
  va_vec most = va_splat(-1);
  VA_UNROLL
  for (int lag = 0; lag < VA_ECHO_LANES; lag += VA_LANES) {
    va_lanes_i some;
    memcpy(&some, sums + lag, sizeof some);
    va_vec product = va_mean(va_load_mean(products, is_short, lag), __builtin_convertvector(some, va_vec), weight);
    va_vec square = va_mean(va_load_mean(played, is_short, lag), va_load_energies(energies + lag), weight);
    va_store_mean(products, is_short, lag, product);
    va_store_mean(played, is_short, lag, square);
    va_vec fit = product / va_sqrt(va_rounded(square * heard) + least);
    va_store(fits + lag, fit);
    most = va_max(fit, most);
  }
  return va_top(most);
}

VA_INLINE va_vec va_heard(float *heard, float energy, va_vec weight) {
  const va_vec mean = va_mean(va_splat(*heard), va_splat(energy), weight);
  *heard = mean[0];
  return mean;
}

float VA_NARROW_NAME(va_echo_fits_of)(va_echo_means *means, const int32_t *sums, const uint16_t *energies, float energy,
                                      float weight, float least, float *fits) {
  const va_vec part = va_splat(weight), heard = va_heard(&means->heard, energy, part);
  return va_fits_by_lag(means->products, means->played, false, sums, energies, heard, part, least, fits);
}

float VA_NARROW_NAME(va_echo_short_fits_of)(va_echo_short_means *means, const int32_t *sums, const uint16_t *energies,
                                            float energy, float weight, float least, float *fits) {
  const va_vec part = va_splat(weight), heard = va_heard(&means->heard, energy, part);
  return va_fits_by_lag(means->products, means->played, true, sums, energies, heard, part, least, fits);
}

/* MARK: the path */

/* A band this far above its noise floor is audible. */
#define VA_AUDIBLE_DB 3.0f

/* `own` is learned where the reference is loud: at most VA_OWN_SPAN_DB below its peak, above VA_OWN_LEAST_DB, and
 * not drowned by the spill. Errors are counted there, too, but a peak of seconds ago does not matter: the reference's
 * own volume may have changed. What rings on in a room, VA_SOUND_SPAN_DB below or less, is the sound's own; what is
 * VA_TAIL_SPAN_DB below or more is the room's. */
#define VA_OWN_SPAN_DB 25.0f
#define VA_OWN_LEAST_DB (-75.0f)
#define VA_OWN_BELOW_SPILL_DB 3.0f
#define VA_SOUND_SPAN_DB 4.0f
#define VA_TAIL_SPAN_DB 6.0f

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

/* Errors that are counted are limited to this. */
#define VA_COUNTED_ERROR_MAX_DB 60.0f

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

typedef struct va_errors_of_lanes {
  va_lanes_i count, sum, squares;
} va_errors_of_lanes;

/* Counts errors in half dB where `counts`. */
VA_INLINE void va_count_errors(va_errors_of_lanes *errors, va_lanes_i counts, va_lanes_i halves) {
  const va_lanes_i some = counts & halves;
  errors->count -= counts;
  errors->sum += some;
  errors->squares += some * some;
}

VA_INLINE va_echo_errors va_sums_of_errors(const va_errors_of_lanes *errors) {
  const va_lanes_i four[] = {errors->count, errors->sum, errors->squares, errors->count};
  int32_t sums[4];
  va_store_sums(four, sums);
  return (va_echo_errors){sums[0], sums[1], sums[2]};
}

/* MARK: what rings on */

VA_INLINE uint8_t va_louder_byte(uint8_t a, uint8_t b) { return a > b ? a : b; }
VA_INLINE uint8_t va_lower_byte(uint8_t level, uint8_t by) { return (uint8_t)(va_louder_byte(level, by) - by); }

/* Updates what may be heard of the reference now. Compilers make vectors of the loop: the arrays that it writes are not
 * those of the rows. */
VA_INLINE void va_ring_on(va_echo_path *path, const va_echo_rows *rows) {
  uint8_t ringing[VA_BANDS], tail[VA_BANDS];
  for (int band = 0; band < VA_BANDS; band++) {
    const uint8_t side = va_lower_byte(va_louder_byte(rows->next[band], rows->previous[band]), VA_SIDE);
    const uint8_t on = va_lower_byte(path->ringing[band], VA_RING_FALL);
    ringing[band] = va_louder_byte(va_louder_byte(rows->now[band], side), on);
    tail[band] = va_louder_byte(va_lower_byte(path->tail[band], VA_TAIL_FALL), ringing[band]);
  }
  memcpy(path->ringing, ringing, sizeof ringing);
  memcpy(path->tail, tail, sizeof tail);
}

VA_INLINE va_vec va_load_levels_db(const uint8_t *levels) {
  return va_load_bytes(levels) * (1 / VA_BYTES_PER_DB) + VA_BYTE_LEAST_DB;
}

/* Gains and peaks of bands become dB exactly, and are rounded when they are stored. Peaks are those of bytes. */
VA_INLINE va_vec va_load_path(const int16_t *p) { return va_load_16(p) * (1.0f / VA_PATH_UNITS_PER_DB); }

VA_INLINE void va_store_peak(int16_t *p, va_vec db) { va_store_16(p, db * VA_PATH_UNITS_PER_DB); }

VA_INLINE void va_store_gain(int16_t *p, va_vec db) {
  va_store_peak(p, va_between(db, -VA_PATH_MAX_DB, VA_PATH_MAX_DB));
}

/* Pages do not load ten copies of the loop. */
#ifdef __wasm__
#define VA_UNROLL_PATH
#else
#define VA_UNROLL_PATH VA_UNROLL
#endif

va_echo_bands VA_NARROW_NAME(va_remove_echo_of)(va_echo_path *path, const va_echo_rows *rows, float *bands_db,
                                                const float *floor_db) {
  const va_lanes_i none = {0}, all = ~none;
  const va_lanes_i somewhere = rows->extent == VA_ECHO_NOWHERE ? none : all;
  const va_lanes_i everywhere = rows->extent == VA_ECHO_EVERYWHERE ? all : none;
  const va_lanes_i taken_out = rows->extent == VA_ECHO_LEFT ? none : all;
  const bool is_loud = rows->total_db > rows->total_peak_db - VA_SPILL_SPAN_DB && rows->total_db > VA_SPILL_LEAST_DB;
  const va_lanes_i loud = is_loud ? all : none;
  const float own_rise = VA_ERROR_MAX_DB * rows->rise, spill_rise = VA_SPILL_RISE_MAX_DB * rows->rise;
  const float dropped = rows->change_db > 0 ? rows->change_db : 0; /* a louder echo may be a softer reference */
  va_ring_on(path, rows);
  va_lanes_i audible_bands = none, echo_bands = none;
  va_errors_of_lanes sound = {none, none, none}, room = sound;
  VA_UNROLL_PATH
  for (int band = 0; band < VA_BANDS; band += VA_LANES) {
    va_vec far = va_load_levels_db(path->ringing + band), tail = va_load_levels_db(path->tail + band); /* exactly */
    va_vec peak = va_max(va_load_path(path->peak + band) - (VA_PEAK_FALL_DB + dropped), far);
    va_store_peak(path->peak + band, peak);

    /* The echo to expect, and what is not above it. */
    va_vec level = va_load(bands_db + band), floor = va_load(floor_db + band);
    va_vec own_gain = va_load_path(path->own + band) + rows->change_db;
    va_vec spill_gain = va_load_path(path->spill + band) + rows->change_db;
    va_vec own = far + own_gain, spill = rows->total_db + spill_gain, rings = tail + own_gain;
    va_lanes_i is_echo = somewhere &
                         (everywhere | (level <= va_max(va_max(own, rings + rows->tail_db), spill) + rows->margin_db));
    va_lanes_i audible = level > floor + VA_AUDIBLE_DB;
    va_store(bands_db + band, va_select(is_echo & taken_out, va_min(level, floor), level));
    audible_bands -= audible;
    echo_bands -= audible & is_echo;

    /* What this step says of the path. */
    va_lanes_i is_own = (far > va_splat(VA_OWN_LEAST_DB)) & (own > spill - VA_OWN_BELOW_SPILL_DB);
    va_lanes_i learns_own = is_own & (far > peak - VA_OWN_SPAN_DB);
    va_lanes_i learns_spill = loud & ~learns_own;
    va_lanes_i counts = audible & (tail > va_splat(VA_OWN_LEAST_DB)) & (rings > spill - VA_OWN_BELOW_SPILL_DB);
    va_vec error = va_between(level - rings, -VA_COUNTED_ERROR_MAX_DB, VA_COUNTED_ERROR_MAX_DB);
    va_lanes_i halves = __builtin_convertvector(2 * error, va_lanes_i);
    va_count_errors(&sound, counts & (far > tail - VA_SOUND_SPAN_DB), halves);
    va_count_errors(&room, counts & (far < tail - VA_TAIL_SPAN_DB), halves);
    va_vec weight = va_count_step(path->own_steps + band, learns_own, VA_OWN_START, VA_OWN_WEIGHT);
    va_vec learned = own_gain + va_rounded(weight * va_gain_error(level, own, audible, own_rise));
    va_store_gain(path->own + band, va_select(learns_own, learned, own_gain));
    weight = va_count_step(path->spill_steps + band, learns_spill, VA_SPILL_START, VA_SPILL_WEIGHT);
    learned = spill_gain + va_rounded(weight * va_gain_error(level, spill, audible, spill_rise));
    va_store_gain(path->spill + band, va_select(learns_spill, va_min(learned, va_splat(VA_SPILL_MAX_DB)), spill_gain));
  }
  return (va_echo_bands){
      .audible = va_sum_of_lanes(audible_bands),
      .echo = va_sum_of_lanes(echo_bands),
      .sound = va_sums_of_errors(&sound),
      .tail = va_sums_of_errors(&room),
  };
}
