/* detector.c — creates and ends detectors, takes their samples, gaps and levels, and converts the user's level. */
#include "detector_state.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "bands.h"
#include "level.h"
#include "memory.h"
#include "results.h"
#include "status.h"
#include "stream.h"

_Static_assert(sizeof(va_detector) <= VA_DETECTOR_SIZE_MAX, "voice_activity.h promises this size");
_Static_assert(_Alignof(va_detector) <= VA_DETECTOR_ALIGNMENT, "voice_activity.h promises this alignment");

/* MARK: life */

size_t va_detector_size(void) { return sizeof(va_detector); }

size_t va_detector_size_for(uint32_t sample_rate_hz) { return va_detector_bytes(va_resampler_stages(sample_rate_hz)); }

/* Returns the part of a power that is margin_db below it. margin_db: 0 … INFINITY. */
static float part_below(float margin_db) { return margin_db < INFINITY ? va_power_of_db(-margin_db) : 0; }

/* Initialises everything except the configuration and the mute flag, which other threads may be reading. So is the
 * status, whose fields va_publish_start stores one by one. least: va_speaker_level's. */
static void start(va_detector *d, va_simd simd, float least) {
  const size_t size = va_detector_size_for(d->config.sample_rate_hz);
  memset((char *)d + VA_DETECTOR_PRIVATE, 0, size - VA_DETECTOR_PRIVATE);
  va_publish_start(d);
  d->simd = (uint8_t)simd;
  d->end = VA_NO_END;
  va_resampler_init(&d->resampler, d->config.sample_rate_hz);
  const uint32_t rate_hz = va_analysis_rate_hz(d->config.sample_rate_hz);
  const float pass_hz = rate_hz == VA_HALF_RATE_HZ ? VA_HALF_PASS_HZ : va_resampler_pass_hz(&d->resampler);
  d->usable_bands = (uint8_t)va_bands_usable(pass_hz);
  va_framer_init(&d->framer, rate_hz);
  va_posterior_init(&d->posterior);
  va_speaker_level_init(&d->speaker_level, least);
  va_clarity_init(&d->clarity);
  va_hysteresis_init(&d->hysteresis, &d->config);
  va_mute_gate_init(&d->mute_gate, &d->config);
}

/* The caller's memory becomes a va_detector by being written as one, as malloc's does: its size and alignment fit, and
 * the caller does not access it as another type while the detector lives. */
va_status_code va_detector_init(void *memory, size_t size, const va_config *config, va_detector **detector) {
  if (!memory || !config || !detector) return VA_ERROR_ARGUMENT;
  if ((uintptr_t)memory % VA_DETECTOR_ALIGNMENT || size < va_detector_bytes(0)) return VA_ERROR_ARGUMENT;
  va_status_code code = va_config_check(config);
  if (code != VA_OK) return code;
  if (size < va_detector_size_for(config->sample_rate_hz)) return VA_ERROR_ARGUMENT;
  *detector = memory;
  (*detector)->config = *config;
  start(*detector, va_simd_detect(), part_below(VA_SPEAKER_MARGIN_DB));
  va_detector_set_muted(*detector, false);
  return VA_OK;
}

va_status_code va_detector_create(const va_config *config, va_detector **detector) {
  if (!config || !detector) return VA_ERROR_ARGUMENT;
  void *memory;
  /* All of it, since a program may copy va_detector_size() bytes. */
  va_status_code code = va_allocate(sizeof(va_detector), &memory);
  if (code != VA_OK) return code;
  code = va_detector_init(memory, sizeof(va_detector), config, detector);
  if (code != VA_OK) va_release(memory);
  return code;
}

void va_detector_destroy(va_detector *detector) { va_release(detector); }

void va_detector_reset(va_detector *d) { start(d, (va_simd)d->simd, d->speaker_level.least); }

va_status_code va_detector_config(const va_detector *d, va_config *config) {
  if (!d || !config) return VA_ERROR_ARGUMENT;
  if (config->struct_size != sizeof *config) return VA_ERROR_STRUCT_SIZE;
  *config = d->config;
  return VA_OK;
}

/* MARK: the user's own level */

static bool is_in(float value, float least, float most) { return value >= least && value <= most; } /* false for NaN */

va_status_code va_detector_set_speaker_margin(va_detector *d, float margin_db) {
  if (!d || !(is_in(margin_db, 0, VA_SPEAKER_MARGIN_MAX_DB) || margin_db == INFINITY)) return VA_ERROR_ARGUMENT;
  d->speaker_level.least = part_below(margin_db);
  return VA_OK;
}

va_status_code va_detector_speaker_level(const va_detector *d, float *level_dbfs, uint32_t *learned_ms) {
  if (!d || !level_dbfs || !learned_ms) return VA_ERROR_ARGUMENT;
  *level_dbfs = va_reported_db(va_speaker_level_power(&d->speaker_level));
  *learned_ms = d->speaker_level.hops * VA_HOP_MS;
  return VA_OK;
}

va_status_code va_detector_set_speaker_level(va_detector *d, float level_dbfs, uint32_t learned_ms) {
  if (!d || !is_in(level_dbfs, VA_LEVEL_MIN_DB, VA_LEVEL_MAX_DB)) return VA_ERROR_ARGUMENT;
  va_clarity_init(&d->clarity); /* of another user, or another place */
  va_speaker_level_replace(&d->speaker_level, va_power_of_db(level_dbfs), learned_ms / VA_HOP_MS);
  return VA_OK;
}

va_status_code va_detector_change_input_gain(va_detector *d, float gain_db) {
  if (!d || !is_in(gain_db, -VA_INPUT_GAIN_MAX_DB, VA_INPUT_GAIN_MAX_DB)) return VA_ERROR_ARGUMENT;
  va_speaker_level_amplify(&d->speaker_level, va_power_of_db(gain_db));
  d->rises = VA_RISES_MOST; /* a gain that falls is not a voice that ends */
  return VA_OK;
}

/* MARK: samples
 *
 * Each call opens the output first: after any error it is empty. */

static va_status_code process(va_detector *d, va_input input, size_t *consumed, va_output *output) {
  va_status_code code = va_open_output(output);
  if (consumed) *consumed = 0;
  if (!d || !consumed || (input.count && !input.f32 && !input.s16) || va_is_ended(d)) return VA_ERROR_ARGUMENT;
  if (code != VA_OK) return code;
  va_stream_process(d, &input, output);
  *consumed = input.done;
  return VA_OK;
}

va_status_code va_detector_process(va_detector *detector, va_echo *echo, const float *samples, size_t count,
                                   size_t *consumed, va_output *output) {
  return process(detector, (va_input){.f32 = samples, .count = count, .echo = echo}, consumed, output);
}

va_status_code va_detector_process_s16(va_detector *detector, va_echo *echo, const int16_t *samples, size_t count,
                                       size_t *consumed, va_output *output) {
  return process(detector, (va_input){.s16 = samples, .count = count, .echo = echo}, consumed, output);
}

/* MARK: gaps and levels */

/* Decides what is waiting, as far as the output has room. */
static void drain(va_detector *d, va_echo *echo, va_output *output) {
  va_stream_process(d, &(va_input){.echo = echo}, output);
}

va_status_code va_detector_push_gap(va_detector *d, va_echo *echo, uint64_t count, va_output *output) {
  va_status_code code = va_open_output(output);
  if (!d || va_is_ended(d) || count > VA_GAP_MAX) return VA_ERROR_ARGUMENT;
  if (code != VA_OK) return code;
  va_stream_add_gap(d, count);
  drain(d, echo, output);
  return VA_OK;
}

va_status_code va_detector_push_level(va_detector *d, uint64_t count, uint8_t level_dbov, bool voice,
                                      va_output *output) {
  va_status_code code = va_open_output(output);
  if (!d || va_is_ended(d) || count > VA_GAP_MAX || level_dbov > VA_DBOV_MAX) return VA_ERROR_ARGUMENT;
  if (code != VA_OK) return code;
  drain(d, NULL, output); /* earlier results come first */
  if (count == 0) return VA_OK;
  if (!va_stream_is_drained(d) || !va_has_room(output)) {
    output->more = true;
    return VA_ERROR_OUTPUT_FULL;
  }
  va_close_gap(d, output);
  va_stream_add_level(d, count, va_rms_of_dbov(level_dbov), voice);
  drain(d, NULL, output);
  return VA_OK;
}

/* MARK: the end */

va_status_code va_detector_flush(va_detector *d, va_echo *echo, va_output *output) {
  va_status_code code = va_open_output(output);
  if (!d) return VA_ERROR_ARGUMENT;
  if (code != VA_OK || d->flushed) return code;
  if (!va_is_ended(d)) d->end = d->position;
  bool finished = va_stream_finish(d, echo, output);
  if (!finished) return VA_OK;
  if (!va_has_room(output)) {
    output->more = true;
    return VA_OK;
  }
  va_close_gap(d, output);
  va_emit_transition(d, output, va_hysteresis_end(&d->hysteresis));
  va_emit_mute_change(d, output, va_mute_gate_end(&d->mute_gate), va_decided_hops(d));
  va_publish_end(d);
  d->flushed = true;
  return VA_OK;
}
