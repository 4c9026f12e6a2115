#include "speaker_level.h"

#include <math.h>

#include "detector_state.h"
#include "fast_math.h"
#include "level.h"

/* A time constant of 0.32 s. A longer one misses more users who turn away, a shorter one follows the syllables of a
 * television (Benchmarks/echo/television.md). */
#define VA_PRESENT_HOPS 32

/* 6 dB further below. */
#define VA_HARDLY_PART 0.25f

/* MARK: the state machine */

void va_speaker_level_init(va_speaker_level *level, float least) { *level = (va_speaker_level){.least = least}; }

static void learn(va_speaker_level *level) {
  if (level->hops < VA_SPEAKER_MOST_HOPS) level->hops++;
  const float weight = 1 / (float)level->hops, x = level->present;
  level->sum += weight * (x - level->sum);
  level->squares += weight * (x * x - level->squares);
}

va_nearness va_speaker_level_step(va_speaker_level *level, va_speaker_input input) {
  level->present += (input.power - level->present) * (1.0f / VA_PRESENT_HOPS);
  if (!input.muted) {
    if (input.posterior > VA_SURE_POSTERIOR && input.is_sound && !input.is_echo) learn(level);
    return VA_NEAR;
  }
  if (level->hops < VA_SPEAKER_LEAST_HOPS) return VA_NEAR;
  const float present = level->present * level->sum, near = level->squares * level->least;
  return present >= near ? VA_NEAR : present >= near * VA_HARDLY_PART ? VA_HARDLY_NEAR : VA_FAR;
}

/* MARK: decibels */

static float power_of_db(float db) { return va_exp2(db / VA_DB_PER_LOG2); }

float va_speaker_part(float margin_db) { return margin_db <= VA_SPEAKER_MARGIN_MAX_DB ? power_of_db(-margin_db) : 0; }

static bool is_in(float value, float least, float most) { return value >= least && value <= most; } /* false for NaN */

static float limited(float power, float most) { return power < most ? power : most; }

/* MARK: the detector's thread */

va_status_code va_detector_set_speaker_margin(va_detector *d, float margin_db) {
  if (!d || !(is_in(margin_db, 0, VA_SPEAKER_MARGIN_MAX_DB) || margin_db == INFINITY)) return VA_ERROR_ARGUMENT;
  d->speaker_level.least = va_speaker_part(margin_db);
  return VA_OK;
}

va_status_code va_detector_speaker_level(const va_detector *d, float *level_dbfs, uint32_t *learned_ms) {
  if (!d || !level_dbfs || !learned_ms) return VA_ERROR_ARGUMENT;
  const va_speaker_level *level = &d->speaker_level;
  const float db = level->sum > 0 ? va_power_db(level->squares / level->sum) : VA_LEVEL_MIN_DB;
  *level_dbfs = db < VA_LEVEL_MAX_DB ? db : VA_LEVEL_MAX_DB;
  *learned_ms = level->hops * VA_HOP_MS;
  return VA_OK;
}

va_status_code va_detector_set_speaker_level(va_detector *d, float level_dbfs, uint32_t learned_ms) {
  if (!d || !is_in(level_dbfs, VA_LEVEL_MIN_DB, VA_LEVEL_MAX_DB)) return VA_ERROR_ARGUMENT;
  va_speaker_level *level = &d->speaker_level;
  const uint32_t known_ms = learned_ms < VA_SPEAKER_MOST_MS ? learned_ms : VA_SPEAKER_MOST_MS;
  level->hops = (uint16_t)(known_ms / VA_HOP_MS);
  level->sum = level->hops > 0 ? power_of_db(level_dbfs) : 0;
  level->squares = level->sum * level->sum;
  return VA_OK;
}

/* What was heard before the change is part of the present level, too. */
va_status_code va_detector_change_input_gain(va_detector *d, float gain_db) {
  if (!d || !is_in(gain_db, -VA_INPUT_GAIN_MAX_DB, VA_INPUT_GAIN_MAX_DB)) return VA_ERROR_ARGUMENT;
  va_speaker_level *level = &d->speaker_level;
  const float gain = power_of_db(gain_db);
  level->present = limited(level->present * gain, VA_SPEAKER_POWER_MAX);
  level->sum = limited(level->sum * gain, VA_SPEAKER_POWER_MAX);
  level->squares = limited(level->squares * gain * gain, VA_SPEAKER_POWER_MAX * VA_SPEAKER_POWER_MAX);
  return VA_OK;
}
