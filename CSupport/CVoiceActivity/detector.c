/* detector.c — a detector's life, and the calls that bring it sound. */
#include "detector_state.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bands.h"
#include "level.h"
#include "results.h"
#include "status.h"
#include "stream.h"

_Static_assert(sizeof(va_detector) <= 8192, "a stream's state is promised to fit in 8 KiB");
_Static_assert(_Alignof(va_detector) <= VA_DETECTOR_ALIGNMENT, "the promised alignment must do");
_Static_assert(offsetof(va_detector, config) == 0, "start clears what is behind it");

#define VA_LONGEST_MS 3600000u

/* MARK: life */

static va_status_code check(const va_config *config) {
  if (config->struct_size != sizeof *config) return VA_ERROR_STRUCT_SIZE;
  if (config->sample_rate_hz < VA_RATE_MIN_HZ || config->sample_rate_hz > VA_RATE_MAX_HZ)
    return VA_ERROR_SAMPLE_RATE;
  bool ordered = config->offset_threshold > 0 && config->offset_threshold <= config->onset_threshold &&
                 config->onset_threshold < 1; /* false with NaN */
  if (!ordered) return VA_ERROR_THRESHOLD;
  const uint32_t durations[] = {config->onset_debounce_ms,    config->hangover_ms,
                                config->mute_grace_ms,        config->mute_carry_over_ms,
                                config->muted_speech_hold_ms, config->muted_speech_release_ms};
  for (size_t i = 0; i < sizeof durations / sizeof durations[0]; i++)
    if (durations[i] > VA_LONGEST_MS) return VA_ERROR_DURATION;
  return VA_OK;
}

size_t va_detector_size(void) { return sizeof(va_detector); }

/* All but the configuration and the mute flag, which other threads may be looking at, as at the status. */
static void start(va_detector *d, uint32_t simd) {
  memset((char *)d + sizeof d->config, 0, offsetof(va_detector, status) - sizeof d->config);
  va_publish_start(d);
  d->simd = simd;
  d->end = UINT64_MAX;
  va_resampler_init(&d->resampler, d->config.sample_rate_hz);
  d->usable_bands = (uint32_t)va_bands_usable(va_resampler_pass_hz(&d->resampler));
  va_framer_init(&d->framer);
  va_posterior_init(&d->posterior);
  va_hysteresis_init(&d->hysteresis, &d->config);
  va_mute_gate_init(&d->mute_gate, &d->config);
}

va_status_code va_detector_init(void *memory, size_t size, const va_config *config, va_detector **detector) {
  if (!memory || !config || !detector || size < sizeof(va_detector)) return VA_ERROR_ARGUMENT;
  if ((uintptr_t)memory % VA_DETECTOR_ALIGNMENT) return VA_ERROR_ARGUMENT;
  va_status_code code = check(config);
  if (code != VA_OK) return code;
  *detector = memory;
  (*detector)->config = *config;
  start(*detector, va_simd_detect());
  va_detector_set_muted(*detector, false);
  return VA_OK;
}

va_status_code va_detector_create(const va_config *config, va_detector **detector) {
  if (!config || !detector) return VA_ERROR_ARGUMENT;
  size_t size = (sizeof(va_detector) + VA_DETECTOR_ALIGNMENT - 1) / VA_DETECTOR_ALIGNMENT * VA_DETECTOR_ALIGNMENT;
  void *memory = aligned_alloc(VA_DETECTOR_ALIGNMENT, size);
  if (!memory) return VA_ERROR_MEMORY;
  va_status_code code = va_detector_init(memory, size, config, detector);
  if (code != VA_OK) free(memory);
  return code;
}

void va_detector_destroy(va_detector *detector) { free(detector); }

void va_detector_reset(va_detector *d) { start(d, d->simd); }

va_status_code va_detector_config(const va_detector *d, va_config *config) {
  if (!d || !config) return VA_ERROR_ARGUMENT;
  if (config->struct_size != sizeof *config) return VA_ERROR_STRUCT_SIZE;
  *config = d->config;
  return VA_OK;
}

/* MARK: sound */

static va_status_code process(va_detector *d, va_input input, size_t *consumed, va_output *output) {
  va_status_code code = va_open_output(output);
  if (consumed) *consumed = 0;
  if (!d || !consumed || (input.count && !input.f32 && !input.s16) || d->end != UINT64_MAX) return VA_ERROR_ARGUMENT;
  if (code != VA_OK) return code;
  va_stream_take(d, &input, output);
  *consumed = input.done;
  return VA_OK;
}

va_status_code va_detector_process(va_detector *detector, const float *samples, size_t count, size_t *consumed,
                                   va_output *output) {
  return process(detector, (va_input){.f32 = samples, .count = count}, consumed, output);
}

va_status_code va_detector_process_s16(va_detector *detector, const int16_t *samples, size_t count,
                                       size_t *consumed, va_output *output) {
  return process(detector, (va_input){.s16 = samples, .count = count}, consumed, output);
}

va_status_code va_detector_push_gap(va_detector *d, uint64_t count, va_output *output) {
  va_status_code code = va_open_output(output);
  if (!d || d->end != UINT64_MAX || count > VA_GAP_MAX) return VA_ERROR_ARGUMENT;
  if (code != VA_OK) return code;
  va_stream_miss(d, count);
  va_stream_take(d, &(va_input){.count = 0}, output);
  return VA_OK;
}

va_status_code va_detector_push_level(va_detector *d, uint64_t count, uint8_t level_dbov, bool voice,
                                      va_output *output) {
  va_status_code code = va_open_output(output);
  if (!d || d->end != UINT64_MAX || count > VA_GAP_MAX || level_dbov > VA_DBOV_MAX) return VA_ERROR_ARGUMENT;
  if (code != VA_OK) return code;
  va_input nothing = {.count = 0};
  va_stream_take(d, &nothing, output); /* what waits would else come after what is told */
  if (count && (!va_stream_is_drained(d) || !va_has_room(output))) return output->more = true, VA_ERROR_OUTPUT_FULL;
  if (count == 0) return VA_OK;
  va_close_gap(d, output);
  va_stream_tell(d, count, va_rms_of_dbov(level_dbov), voice);
  va_stream_take(d, &nothing, output);
  return VA_OK;
}

va_status_code va_detector_flush(va_detector *d, va_output *output) {
  va_status_code code = va_open_output(output);
  if (!d) return VA_ERROR_ARGUMENT;
  if (code != VA_OK || d->flushed) return code;
  if (d->end == UINT64_MAX) d->end = d->position;
  if (!va_stream_finish(d, output) || !va_has_room(output)) return VA_OK;
  va_close_gap(d, output);
  va_emit_transition(d, output, va_hysteresis_end(&d->hysteresis));
  uint64_t last = d->hops - VA_LOOKAHEAD_HOPS;
  va_mute_input unmuted = {.hop = last, .newest = last};
  va_emit_mute_change(d, output, va_mute_gate_step(&d->mute_gate, unmuted), last);
  va_publish_end(d);
  d->flushed = true;
  return VA_OK;
}
