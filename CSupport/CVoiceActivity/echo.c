#include "echo.h"

#include <string.h>

#include "memory.h"

_Static_assert(sizeof(va_echo) <= VA_ECHO_SIZE_MAX, "voice_activity.h promises this size");

/* Below this the reference is silent, and nothing is taken out. */
#define VA_SILENT_REFERENCE_DB (-90.0f)

/* What is up to this much louder than the expected echo is echo. More misses users who speak while the far end does;
 * less takes what the prediction misses for a user (Benchmarks/echo). */
#define VA_ECHO_MARGIN_DB 10.0f

/* Where most of at least this many audible bands are above the echo to expect, and do not move with the reference, it
 * is a user, not a louder echo. Errors that raise a gain are then limited to a quarter, so that it learns little of the
 * user. */
#define VA_NEAR_BANDS_MIN 8
#define VA_NEAR_RISE 0.25f

/* Behind an echo canceller, what is left does not resemble the reference: the correlation is low, and few bands are
 * what the path predicts. There nothing is taken out. In rooms that ring on the correlation is as low, but the bands
 * agree. Both are means over 2 s in which the reference is at least so loud, and the second over steps with so many
 * bands. */
#define VA_UNLIKE_FIT 0.1f
#define VA_UNLIKE_EXPLAINED 0.3f
#define VA_UNLIKE_WEIGHT 0.01f
#define VA_PLAYS_DB (-65.0f)
#define VA_EXPLAINED_BANDS_MIN 4

/* The fast correlation of an echo, not of somebody else; and of what moves with the reference rather than by itself. */
#define VA_AGREES 0.3f
#define VA_FOLLOWS 0.1f

/* After so much far-end speech, 1 s, gains have been learned. */
#define VA_LEARNED_STEPS 50

/* MARK: life */

size_t va_echo_size(void) { return sizeof(va_echo); }

/* What is not known yet counts as loud, in dB. */
#define VA_UNKNOWN_OWN_DB 4
#define VA_UNKNOWN_SPILL_DB (-40)

/* Where the reference's scale changes, it follows by at most this. */
#define VA_UNKNOWN_SPAN_DB 24

static void start(va_echo *echo, uint32_t rate_hz) {
  const uint8_t simd = echo->simd;
  memset(echo, 0, sizeof *echo);
  echo->simd = simd;
  echo->since_echo = VA_ECHO_RECENT_STEPS;
  echo->total_peak = VA_BYTE_LEAST_DB;
  for (int band = 0; band < VA_BANDS; band++) {
    echo->path.own[band] = va_path_of_db(VA_UNKNOWN_OWN_DB);
    echo->path.spill[band] = va_path_of_db(VA_UNKNOWN_SPILL_DB);
    echo->path.peak[band] = va_path_of_db((int)VA_BYTE_LEAST_DB);
  }
  va_echo_delay_init(&echo->delay);
  va_echo_tail_init(&echo->tail);
  echo->fit = echo->explained = 1;
  va_reference_init(&echo->reference, rate_hz);
}

va_status_code va_echo_init(void *memory, size_t size, uint32_t reference_rate_hz, va_echo **echo) {
  if (!memory || !echo || (uintptr_t)memory % VA_DETECTOR_ALIGNMENT || size < sizeof(va_echo)) return VA_ERROR_ARGUMENT;
  if (!va_is_input_rate(reference_rate_hz)) return VA_ERROR_SAMPLE_RATE;
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

/* Takes frames that are not silence. */
static va_status_code push_frames(va_echo *echo, va_played played) {
  if (!echo || (played.count && !played.f32 && !played.s16)) return VA_ERROR_ARGUMENT;
  if (played.channels < 1 || played.channels > VA_ECHO_CHANNELS_MAX) return VA_ERROR_ARGUMENT;
  return push(echo, played);
}

va_status_code va_echo_push(va_echo *echo, const float *samples, size_t count) {
  return push_frames(echo, (va_played){.f32 = samples, .count = count, .channels = 1});
}

va_status_code va_echo_push_s16(va_echo *echo, const int16_t *samples, size_t count) {
  return push_frames(echo, (va_played){.s16 = samples, .count = count, .channels = 1});
}

va_status_code va_echo_push_interleaved(va_echo *echo, const float *frames, size_t count, uint32_t channels) {
  return push_frames(echo, (va_played){.f32 = frames, .count = count, .channels = channels});
}

va_status_code va_echo_push_interleaved_s16(va_echo *echo, const int16_t *frames, size_t count, uint32_t channels) {
  return push_frames(echo, (va_played){.s16 = frames, .count = count, .channels = channels});
}

va_status_code va_echo_push_silence(va_echo *echo, uint64_t count) {
  if (!echo) return VA_ERROR_ARGUMENT;
  return push(echo, (va_played){.count = count, .channels = 1});
}

/* MARK: the microphone */

static int greater(int a, int b) { return a > b ? a : b; }

static bool is_unlike(const va_echo *echo) {
  return echo->delay.active_steps > VA_LEARNED_STEPS && echo->fit < VA_UNLIKE_FIT &&
         echo->explained < VA_UNLIKE_EXPLAINED;
}

/* Returns what the microphone may hear of the reference now: the step at the delay, one earlier and one later, unless
 * there is no delay. Follows the level of all bands, as remove_echo does that of each. */
static va_echo_rows rows_at_delay(va_echo *echo, uint64_t step) {
  const va_reference *r = &echo->reference;
  const int lag = echo->delay.lag;
  const size_t now = va_reference_at(step, lag), previous = va_reference_at(step, lag + 1);
  const size_t next = va_reference_at(step, lag > 0 ? lag - 1 : 0);
  const int side = greater(r->totals[previous], r->totals[next]) - VA_SIDE;
  const int ringing = greater(echo->total_ringing - VA_RING_FALL, 0);
  echo->total_ringing = (uint8_t)greater(greater(r->totals[now], side), ringing);
  const float total_db = va_byte_db(echo->total_ringing), falling = echo->total_peak - VA_PEAK_FALL_DB;
  echo->total_peak = total_db > falling ? total_db : falling;
  echo->total_tail = (uint8_t)greater(echo->total_ringing, echo->total_tail - VA_TAIL_FALL);
  if (echo->gain.learned_db > 0) echo->total_peak -= echo->gain.learned_db;
  return (va_echo_rows){
      .previous = r->levels + VA_BANDS * previous,
      .now = r->levels + VA_BANDS * now,
      .next = r->levels + VA_BANDS * next,
      .total_db = total_db,
      .total_peak_db = echo->total_peak,
      .tail_db = va_path_db(echo->tail.level),
      .change_db = echo->gain.learned_db,
      .margin_db = VA_ECHO_MARGIN_DB + echo->gain.suspected_db,
      .rise = echo->is_near ? VA_NEAR_RISE : 1,
      .extent = va_byte_db(echo->total_tail) < VA_SILENT_REFERENCE_DB ? VA_ECHO_NOWHERE
                : echo->delay.is_lost                                 ? VA_ECHO_EVERYWHERE
                : is_unlike(echo)                                     ? VA_ECHO_LEFT
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

/* Returns the gain from levels that have been raised. What is not known is never louder than at first, nor far
 * softer. */
static int16_t gain_from_raised(int16_t gain, int by_db, uint8_t learned_steps, int unknown_db) {
  const int16_t changed = va_path_raised(gain, -by_db);
  const int16_t most = va_path_of_db(unknown_db), least = va_path_of_db(unknown_db - VA_UNKNOWN_SPAN_DB);
  if (learned_steps > 0) return changed;
  return changed > most ? most : changed < least ? least : changed;
}

/* Follows the reference's scale: its levels have been raised, so the gains from them fall. The least level stands for
 * all below it, and stays. */
static void follow_scale(va_echo *echo) {
  const int octaves = echo->reference.octaves - echo->octaves, by_db = VA_OCTAVE_DB * octaves;
  if (octaves == 0) return;
  va_echo_path *path = &echo->path;
  for (int band = 0; band < VA_BANDS; band++) {
    path->own[band] = gain_from_raised(path->own[band], by_db, path->own_steps[band], VA_UNKNOWN_OWN_DB);
    path->spill[band] = gain_from_raised(path->spill[band], by_db, path->spill_steps[band], VA_UNKNOWN_SPILL_DB);
    if (va_path_db(path->peak[band]) > VA_BYTE_LEAST_DB) path->peak[band] = va_path_raised(path->peak[band], by_db);
    path->ringing[band] = va_byte_raised(path->ringing[band], octaves);
    path->tail[band] = va_byte_raised(path->tail[band], octaves);
  }
  echo->total_ringing = va_byte_raised(echo->total_ringing, octaves);
  echo->total_tail = va_byte_raised(echo->total_tail, octaves);
  if (echo->total_peak > VA_BYTE_LEAST_DB) echo->total_peak = va_raised_db(echo->total_peak, (float)by_db);
  va_echo_delay_raise(&echo->delay, (float)by_db);
  echo->octaves = echo->reference.octaves;
}

void va_echo_begin_step(va_echo *echo) {
  const uint64_t step = echo->steps;
  echo->steps++;
  va_reference_require(&echo->reference, va_kernels_of((va_simd)echo->simd), step);
  follow_scale(echo);
  va_echo_delay_hear(&echo->delay, va_byte_db(echo->reference.totals[va_reference_at(step, 0)]));
}

static void follow_likeness(va_echo *echo, const va_echo_rows *rows, const va_echo_bands *bands) {
  if (rows->total_db < VA_PLAYS_DB || rows->extent == VA_ECHO_EVERYWHERE) return;
  echo->fit += VA_UNLIKE_WEIGHT * (echo->delay.fit - echo->fit);
  if (bands->audible < VA_EXPLAINED_BANDS_MIN) return;
  echo->explained += VA_UNLIKE_WEIGHT * ((float)bands->echo / (float)bands->audible - echo->explained);
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
  va_echo_tail_step(&echo->tail, &bands.tail);
  va_echo_gain_step(&echo->gain, &bands.sound, echo->delay.agreement > VA_FOLLOWS,
                    echo->delay.active_steps > VA_LEARNED_STEPS);
  echo->is_echo = bands.audible > 0 && 3 * bands.echo >= bands.audible;
  echo->is_near =
      bands.audible >= VA_NEAR_BANDS_MIN && 2 * bands.echo < bands.audible && echo->delay.agreement <= VA_AGREES;
  follow_likeness(echo, &rows, &bands);
  count_step(echo, bands.echo > 0 && rows.extent != VA_ECHO_LEFT);
}

float va_echo_power(const va_echo *echo, const va_kernels *kernels) {
  float expected_db[VA_BANDS];
  for (int band = 0; band < VA_BANDS; band++) {
    const float own = va_byte_db(echo->path.ringing[band]) + va_path_db(echo->path.own[band]);
    const float spill = va_byte_db(echo->total_ringing) + va_path_db(echo->path.spill[band]);
    expected_db[band] = own > spill ? own : spill;
  }
  return kernels->total(expected_db, VA_BANDS);
}

bool va_echo_is_recent(const va_echo *echo) { return echo->since_echo < VA_ECHO_RECENT_STEPS; }

void va_echo_pass(va_echo *echo) {
  echo->has_before = false;
  echo->is_echo = echo->is_near = false;
  count_step(echo, false);
  echo->total_ringing = echo->total_tail = 0;
  memset(echo->path.ringing, 0, sizeof echo->path.ringing);
  memset(echo->path.tail, 0, sizeof echo->path.tail);
}

/* MARK: state */

va_status_code va_echo_state(const va_echo *echo, va_echo_status *status) {
  if (!echo || !status) return VA_ERROR_ARGUMENT;
  if (status->struct_size != sizeof *status) return VA_ERROR_STRUCT_SIZE;
  float sum = 0;
  int heard = 0;
  for (int band = 0; band < VA_BANDS; band++) {
    if (echo->path.own_steps[band] == 0) continue;
    sum += va_path_db(echo->path.own[band]);
    heard++;
  }
  *status = (va_echo_status){
      .struct_size = sizeof *status,
      .delay_ms = echo->delay.lag * (uint32_t)(VA_STEP_HOPS * VA_HOP_MS),
      .fit = echo->delay.fit,
      .coupling_db = heard > 0 ? sum / (float)heard + (float)(VA_OCTAVE_DB * echo->octaves) : 0,
      .late_samples = echo->reference.late,
  };
  return VA_OK;
}
