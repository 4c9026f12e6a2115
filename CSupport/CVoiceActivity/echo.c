#include "echo.h"

#include <string.h>

#include "memory.h"

_Static_assert(sizeof(va_echo) <= VA_ECHO_SIZE_MAX, "voice_activity.h promises this size");

/* Below this the reference is silent, and nothing is taken out. */
#define VA_SILENT_REFERENCE_DB (-90.0f)

/* Where most of at least this many audible bands are above the echo to expect, and do not move with the reference, it is
 * a user, not a louder echo. Errors that raise a gain are then limited to a quarter, so that it learns little of the user. */
#define VA_NEAR_BANDS_MIN 8
#define VA_NEAR_RISE 0.25f

/* MARK: life */

size_t va_echo_size(void) { return sizeof(va_echo); }

static void start(va_echo *echo, uint32_t rate_hz) {
  const uint8_t simd = echo->simd;
  memset(echo, 0, sizeof *echo);
  echo->simd = simd;
  echo->since_echo = VA_ECHO_RECENT_STEPS;
  echo->total_peak = VA_BYTE_LEAST_DB;
  for (int band = 0; band < VA_BANDS; band++) {
    echo->path.own[band] = 4; /* what is not known yet counts as loud */
    echo->path.spill[band] = -40;
    echo->path.peak[band] = VA_BYTE_LEAST_DB;
  }
  va_echo_delay_init(&echo->delay);
  va_reference_init(&echo->reference, rate_hz);
}

va_status_code va_echo_init(void *memory, size_t size, uint32_t reference_rate_hz, va_echo **echo) {
  if (!memory || !echo || (uintptr_t)memory % VA_DETECTOR_ALIGNMENT || size < sizeof(va_echo)) return VA_ERROR_ARGUMENT;
  if (reference_rate_hz < VA_SAMPLE_RATE_MIN_HZ || reference_rate_hz > VA_SAMPLE_RATE_MAX_HZ) return VA_ERROR_SAMPLE_RATE;
  *echo = memory;
  (*echo)->simd = (uint8_t)va_simd_detect();
  start(*echo, reference_rate_hz);
  return VA_OK;
}

va_status_code va_echo_create(uint32_t reference_rate_hz, va_echo **echo) {
  if (!echo) return VA_ERROR_ARGUMENT;
  void *memory;
  va_status_code code = va_allocate(sizeof(va_echo), &memory);
  if (code != VA_OK) return code;
  code = va_echo_init(memory, sizeof(va_echo), reference_rate_hz, echo);
  if (code != VA_OK) va_release(memory);
  return code;
}

void va_echo_destroy(va_echo *echo) { va_release(echo); }

void va_echo_reset(va_echo *echo) { start(echo, echo->reference.rate_hz); }

/* MARK: the reference */

static va_status_code push(va_echo *echo, va_played played) {
  if (!va_reference_accepts(&echo->reference, echo->steps, played.count)) return VA_ERROR_REFERENCE_EARLY;
  va_reference_push(&echo->reference, va_kernels_of((va_simd)echo->simd), played);
  return VA_OK;
}

va_status_code va_echo_push(va_echo *echo, const float *samples, size_t count) {
  if (!echo || (count && !samples)) return VA_ERROR_ARGUMENT;
  return push(echo, (va_played){.f32 = samples, .count = count});
}

va_status_code va_echo_push_s16(va_echo *echo, const int16_t *samples, size_t count) {
  if (!echo || (count && !samples)) return VA_ERROR_ARGUMENT;
  return push(echo, (va_played){.s16 = samples, .count = count});
}

va_status_code va_echo_push_silence(va_echo *echo, uint64_t count) {
  if (!echo) return VA_ERROR_ARGUMENT;
  return push(echo, (va_played){.count = count});
}

/* MARK: the microphone */

static int greater(int a, int b) { return a > b ? a : b; }

/* Returns what the microphone may hear of the reference now: the step at the delay, one earlier and one later, unless
 * there is no delay. Follows the level of all bands, as remove_echo does that of each. */
static va_echo_rows rows_at_delay(va_echo *echo, uint64_t step) {
  const va_reference *r = &echo->reference;
  const uint64_t now = step - echo->delay.lag; /* wraps at the start: the rows before the first are silent */
  const uint64_t previous = now - 1, next = now + (echo->delay.lag > 0 ? 1 : 0);
  const int side = greater(r->totals[va_reference_at(previous)], r->totals[va_reference_at(next)]) - VA_SIDE;
  const int ringing = greater(echo->total_ringing - VA_RING_FALL, 0);
  echo->total_ringing = (uint8_t)greater(greater(r->totals[va_reference_at(now)], side), ringing);
  const float total_db = va_byte_db(echo->total_ringing), falling = echo->total_peak - VA_PEAK_FALL_DB;
  echo->total_peak = total_db > falling ? total_db : falling;
  return (va_echo_rows){
      .previous = va_reference_row(r, previous),
      .now = va_reference_row(r, now),
      .next = va_reference_row(r, next),
      .total_db = total_db,
      .total_peak_db = echo->total_peak,
      .rise = echo->is_near ? VA_NEAR_RISE : 1,
      .extent = total_db < VA_SILENT_REFERENCE_DB ? VA_ECHO_NOWHERE
                : echo->delay.is_lost             ? VA_ECHO_EVERYWHERE
                                                  : VA_ECHO_EXPECTED,
  };
}

/* Correlates the changes of the newest step. */
static void find_delay(va_echo *echo, const va_kernels *kernels, uint64_t step, const float *bands_db) {
  uint8_t levels[VA_BANDS + VA_BYTES_SPARE] = {0};
  int16_t changes[VA_CHANGES_ROOM];
  int32_t sums[VA_ECHO_LANES];
  kernels->encode_levels(bands_db, VA_BYTE_LEAST_DB, levels);
  int32_t energy = kernels->level_changes(levels, echo->has_before ? echo->before : levels, changes);
  memcpy(echo->before, levels, sizeof levels);
  echo->has_before = true;
  kernels->echo_sums(echo->reference.levels, step, changes, sums);
  va_echo_delay_step(&echo->delay, kernels, sums, va_reference_energies(&echo->reference, echo->steps), (float)energy);
}

void va_echo_begin_step(va_echo *echo) {
  const uint64_t step = echo->steps;
  echo->steps++;
  va_reference_require(&echo->reference, va_kernels_of((va_simd)echo->simd), step);
  va_echo_delay_hear(&echo->delay, va_byte_db(echo->reference.totals[va_reference_at(step)]));
}

static void count_step(va_echo *echo, bool has_echo) {
  if (has_echo) echo->since_echo = 0;
  else if (echo->since_echo < VA_ECHO_RECENT_STEPS) echo->since_echo++;
}

void va_echo_measure(va_echo *echo, const va_kernels *kernels, float *bands_db, const float *floor_db) {
  const uint64_t step = echo->steps - 1;
  find_delay(echo, kernels, step, bands_db);
  va_echo_rows rows = rows_at_delay(echo, step);
  va_echo_bands bands = kernels->remove_echo(&echo->path, &rows, bands_db, floor_db);
  echo->is_echo = bands.audible > 0 && 3 * bands.echo >= bands.audible;
  echo->is_near = bands.audible >= VA_NEAR_BANDS_MIN && 2 * bands.echo < bands.audible && !echo->delay.agrees;
  count_step(echo, bands.echo > 0);
}

float va_echo_power(const va_echo *echo, const va_kernels *kernels) {
  float expected_db[VA_BANDS];
  for (int band = 0; band < VA_BANDS; band++) {
    const float own = va_byte_db(echo->path.ringing[band]) + echo->path.own[band];
    const float spill = va_byte_db(echo->total_ringing) + echo->path.spill[band];
    expected_db[band] = own > spill ? own : spill;
  }
  return kernels->total(expected_db, VA_BANDS);
}

bool va_echo_is_recent(const va_echo *echo) { return echo->since_echo < VA_ECHO_RECENT_STEPS; }

void va_echo_pass(va_echo *echo) {
  echo->has_before = false;
  echo->is_echo = echo->is_near = false;
  count_step(echo, false);
  echo->total_ringing = 0;
  memset(echo->path.ringing, 0, sizeof echo->path.ringing);
}

/* MARK: state */

va_status_code va_echo_state(const va_echo *echo, va_echo_status *status) {
  if (!echo || !status) return VA_ERROR_ARGUMENT;
  if (status->struct_size != sizeof *status) return VA_ERROR_STRUCT_SIZE;
  float sum = 0;
  int heard = 0;
  for (int band = 0; band < VA_BANDS; band++) {
    if (echo->path.own_steps[band] == 0) continue;
    sum += echo->path.own[band];
    heard++;
  }
  *status = (va_echo_status){
      .struct_size = sizeof *status,
      .delay_ms = echo->delay.lag * (uint32_t)(VA_STEP_HOPS * VA_HOP_MS),
      .fit = echo->delay.fit,
      .coupling_db = heard > 0 ? sum / (float)heard : 0,
      .late_samples = echo->reference.late,
  };
  return VA_OK;
}
