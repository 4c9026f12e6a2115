/* echo_save.c — writes what an echo has learned to bytes and restores it, as save.c does a detector. */
#include <float.h>
#include <math.h>

#include "echo.h"
#include "saved.h"

static const va_saved_kind kind = {.magic = 0x63654156u /* "VAec" */, .format = 9};

#define VA_MEAN_MAX 30000.0f /* of sums of VA_BANDS squares of changes */

/* More than the fullest state needs; a test measures it. */
size_t va_echo_saved_size(void) { return VA_ECHO_SAVED_SIZE_MAX; }

static void archive_bytes(va_archive *a, uint8_t *bytes, size_t count, uint8_t most) {
  for (size_t i = 0; i < count; i++) va_archive_u8(a, &bytes[i], most);
}

static void archive_means(va_archive *a, va_echo_means *means) {
  va_archive_floats(a, means->products, VA_ECHO_LAGS, -VA_MEAN_MAX, VA_MEAN_MAX);
  va_archive_floats(a, means->played, VA_ECHO_LAGS, 0, VA_MEAN_MAX);
  va_archive_floats(a, &means->heard, 1, 0, VA_MEAN_MAX);
}

static void archive_short_means(va_archive *a, va_echo_short_means *means) {
  va_archive_i16s(a, means->products, VA_ECHO_LAGS, INT16_MIN, INT16_MAX);
  va_archive_i16s(a, means->played, VA_ECHO_LAGS, 0, INT16_MAX);
  va_archive_floats(a, &means->heard, 1, 0, VA_MEAN_MAX);
}

static void archive_delay(va_archive *a, va_echo_delay *delay) {
  archive_means(a, &delay->slow);
  archive_short_means(a, &delay->fast);
  va_archive_floats(a, &delay->fit, 1, -VA_FIT_MOST, VA_FIT_MOST);
  va_archive_floats(a, &delay->loud, 1, -VA_DB_MAX, VA_DB_MAX);
  va_archive_floats(a, &delay->guessed_at, 1, -VA_DB_MAX, VA_DB_MAX);
  va_archive_u16(a, &delay->active_steps, UINT16_MAX);
  va_archive_u8(a, &delay->since_active, VA_ECHO_LAGS);
  va_archive_u8(a, &delay->lag, VA_ECHO_LAGS - 1);
  va_archive_floats(a, &delay->agreement, 1, -VA_FIT_MOST, VA_FIT_MOST);
  va_archive_bool(a, &delay->is_lost);
}

static void archive_path(va_archive *a, va_echo_path *path) {
  va_archive_i16s(a, path->own, VA_BANDS, -VA_PATH_MAX, VA_PATH_MAX);
  va_archive_i16s(a, path->spill, VA_BANDS, -VA_PATH_MAX, VA_PATH_MAX);
  va_archive_i16s(a, path->peak, VA_BANDS, -VA_PATH_MAX, VA_PATH_MAX);
  archive_bytes(a, path->ringing, VA_BANDS, VA_BYTE_MAX);
  archive_bytes(a, path->tail, VA_BANDS, VA_BYTE_MAX);
  archive_bytes(a, path->own_steps, VA_BANDS, VA_ECHO_STEPS_MAX);
  archive_bytes(a, path->spill_steps, VA_BANDS, VA_ECHO_STEPS_MAX);
}

/* A pool never holds more than the errors of four steps. */
static void archive_gain(va_archive *a, va_echo_gain *gain) {
  const uint32_t most = 4 * VA_BANDS * VA_BYTE_MAX * VA_BYTE_MAX;
  uint32_t count = (uint32_t)gain->pool.count, squares = (uint32_t)gain->pool.squares;
  int16_t sum = (int16_t)gain->pool.sum;
  va_archive_u32(a, &count, 4 * VA_BANDS);
  va_archive_i16s(a, &sum, 1, INT16_MIN, INT16_MAX);
  va_archive_u32(a, &squares, most);
  gain->pool = (va_echo_errors){(int32_t)count, sum, (int32_t)squares};
  va_archive_u8(a, &gain->rising, UINT8_MAX);
  va_archive_floats(a, &gain->learned_db, 1, -VA_DB_MAX, VA_DB_MAX);
  va_archive_floats(a, &gain->suspected_db, 1, 0, VA_DB_MAX);
}

static void archive_tail(va_archive *a, va_echo_tail *tail) {
  va_archive_i16s(a, &tail->level, 1, -VA_PATH_MAX, VA_PATH_MAX);
  va_archive_u8(a, &tail->steps, VA_ECHO_STEPS_MAX);
}

static void archive_octaves(va_archive *a, int8_t *octaves) {
  int16_t wide = *octaves;
  va_archive_i16s(a, &wide, 1, -VA_OCTAVES_MAX, VA_OCTAVES_MAX);
  *octaves = (int8_t)wide;
}

static void archive_powers(va_archive *a, va_played_powers *powers) {
  va_archive_floats(a, &powers->product, 1, -VA_PLAYED_POWER_MAX, VA_PLAYED_POWER_MAX);
  va_archive_floats(a, &powers->even, 1, 0, VA_PLAYED_POWER_MAX);
  va_archive_floats(a, &powers->odd, 1, 0, VA_PLAYED_POWER_MAX);
}

static void archive_mix(va_archive *a, va_played_mix *mix, uint32_t rate_hz) {
  archive_powers(a, &mix->present);
  archive_powers(a, &mix->mean);
  va_archive_u16(a, &mix->filled, (uint16_t)(rate_hz / 100 - 1));
  va_archive_bool(a, &mix->is_inverted);
}

/* Everything that indexes an array or ends a loop is bounded. */
static void archive_reference(va_archive *a, va_reference *r, uint64_t steps) {
  va_archive_u64(a, &r->position, VA_POSITION_MAX);
  va_archive_u64(a, &r->missed, r->position);
  va_archive_u64(a, &r->late, VA_POSITION_MAX);
  va_archive_u64(a, &r->steps, steps + 1 + VA_REFERENCE_AHEAD_STEPS);
  va_archive_require(a, r->steps >= steps);
  va_archive_u32(a, &r->phase, r->rate_hz - 1);
  va_archive_u8(a, &r->average_fill, (uint8_t)(r->averaged - 1));
  va_archive_u8(a, &r->kept, VA_REFERENCE_PAST);
  va_archive_u16(a, &r->fill, VA_WINDOW - VA_PAST - 1);
  va_archive_u16(a, &r->silent, UINT16_MAX);
  va_archive_floats(a, &r->average, 1, -FLT_MAX, INFINITY);
  va_archive_floats(a, r->past, VA_REFERENCE_PAST, -FLT_MAX, INFINITY);
  va_archive_floats(a, &r->peak, 1, 0, FLT_MAX);
  va_archive_floats(a, &r->loudest, 1, 0, FLT_MAX);
  va_archive_floats(a, &r->softest, 1, 0, FLT_MAX);
  archive_octaves(a, &r->octaves);
  va_archive_i16s(a, r->samples, VA_PAST + r->fill, INT16_MIN, INT16_MAX);
  for (size_t i = 0; i < sizeof r->energies / sizeof r->energies[0]; i++) va_archive_u16(a, &r->energies[i], INT16_MAX);
  archive_bytes(a, r->totals, VA_REFERENCE_STEPS, VA_BYTE_MAX);
  archive_bytes(a, r->levels, VA_REFERENCE_STEPS * VA_BANDS, VA_BYTE_MAX);
  archive_mix(a, &r->mix, r->rate_hz);
  va_archive_require(a, va_reference_is_consistent(r, steps));
}

static void archive_all(va_archive *a, va_echo *echo) {
  va_archive_u64(a, &echo->steps, VA_POSITION_MAX / (VA_SAMPLE_RATE_MAX_HZ / VA_HOPS_PER_SECOND * VA_STEP_HOPS));
  va_archive_bool(a, &echo->is_echo);
  va_archive_bool(a, &echo->is_near);
  va_archive_bool(a, &echo->has_before);
  va_archive_u8(a, &echo->since_echo, VA_ECHO_RECENT_STEPS);
  archive_octaves(a, &echo->octaves);
  va_archive_u8(a, &echo->total_ringing, VA_BYTE_MAX);
  va_archive_u8(a, &echo->total_tail, VA_BYTE_MAX);
  va_archive_floats(a, &echo->fit, 1, -VA_FIT_MOST, VA_FIT_MOST);
  va_archive_floats(a, &echo->explained, 1, 0, 1);
  va_archive_floats(a, &echo->total_peak, 1, -VA_DB_MAX, VA_DB_MAX);
  archive_bytes(a, echo->before, VA_BANDS, VA_BYTE_MAX);
  archive_delay(a, &echo->delay);
  archive_path(a, &echo->path);
  archive_gain(a, &echo->gain);
  archive_tail(a, &echo->tail);
  archive_reference(a, &echo->reference, echo->steps);
}

va_status_code va_echo_save(const va_echo *echo, void *bytes, size_t capacity, size_t *size) {
  if (!echo || !bytes || !size || capacity < VA_ECHO_SAVED_SIZE_MAX) return VA_ERROR_ARGUMENT;
  va_echo copy = *echo; /* archive_all takes an echo that it may write to, for both directions */
  va_reference_tidy(&copy.reference);
  va_archive fields = va_saved_open(bytes, capacity);
  va_archive_u32(&fields, &copy.reference.rate_hz, UINT32_MAX);
  archive_all(&fields, &copy);
  return va_saved_close(kind, &fields, size);
}

va_status_code va_echo_restore(void *memory, size_t memory_size, const void *bytes, size_t size, va_echo **echo) {
  uint32_t rate_hz = 0;
  va_echo *restored;
  va_archive fields;
  if (!memory || !bytes || !echo) return VA_ERROR_ARGUMENT;
  va_status_code code = va_saved_read(kind, bytes, size, &fields);
  if (code != VA_OK) return code;
  va_archive_u32(&fields, &rate_hz, UINT32_MAX);
  code = va_echo_init(memory, memory_size, rate_hz, &restored);
  if (code != VA_OK) return code == VA_ERROR_ARGUMENT ? code : VA_ERROR_SAVED_DATA;
  archive_all(&fields, restored);
  if (!va_saved_is_whole(&fields)) return VA_ERROR_SAVED_DATA;
  *echo = restored;
  return VA_OK;
}
