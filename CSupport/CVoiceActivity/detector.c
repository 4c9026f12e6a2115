/* detector.c — the only place that knows the order of the stages. */
#include "detector_state.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bands.h"
#include "kernels.h"
#include "results.h"
#include "status.h"

_Static_assert(sizeof(va_detector) <= 8192, "a stream's state is promised to fit in 8 KiB");
_Static_assert(_Alignof(va_detector) <= VA_DETECTOR_ALIGNMENT, "the promised alignment must do");

#define VA_LONGEST_MS 3600000u

/* A hop whose mean square is below -100 dBFS holds no more than the dither of silence. */
#define VA_SILENT_SUM (VA_HOP * 1e-10f)

/* Missing hops that one call decides before it returns to the caller: 10 s of gap, about 0.2 ms of work. */
#define VA_GAP_HOPS_PER_CALL 1000

/* Hops without a whole window after which the features start anew: half a second. */
#define VA_FORGET_HOPS 50

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

static void start(va_detector *d, const va_config *config, uint32_t simd) {
  memset(d, 0, offsetof(va_detector, status)); /* other threads may be looking at the status */
  va_publish_start(d);
  d->config = *config;
  d->simd = simd;
  d->end = UINT64_MAX;
  va_resampler_init(&d->resampler, config->sample_rate_hz);
  d->usable_bands = (uint32_t)va_bands_usable(va_resampler_pass_hz(&d->resampler));
  va_framer_init(&d->framer);
  va_posterior_init(&d->posterior);
  va_hysteresis_init(&d->hysteresis, config);
  va_mute_gate_init(&d->mute_gate, config);
}

va_status_code va_detector_init(void *memory, size_t size, const va_config *config, va_detector **detector) {
  if (!memory || !config || !detector || size < sizeof(va_detector)) return VA_ERROR_ARGUMENT;
  if ((uintptr_t)memory % VA_DETECTOR_ALIGNMENT) return VA_ERROR_ARGUMENT;
  va_status_code code = check(config);
  if (code != VA_OK) return code;
  *detector = memory;
  start(*detector, config, va_simd_detect());
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

void va_detector_reset(va_detector *d) {
  va_config config = d->config;
  start(d, &config, d->simd);
}

/* MARK: analysis */

/* The window's evidence. Nothing is measured, and nothing learned, of a window with a hole or of silence. A lost
 * packet leaves the features' memory alone; behind a longer gap it would be of something else. */
static float measure(va_detector *d) {
  float loudest = 0;
  if (!va_framer_is_whole(&d->framer)) {
    if (++d->hops_unheard == VA_FORGET_HOPS) va_posterior_forget(&d->posterior);
    return 0;
  }
  d->hops_unheard = 0;
  for (int i = 0; i < VA_WAITING; i++)
    loudest = d->waiting[i].sum_of_squares > loudest ? d->waiting[i].sum_of_squares : loudest;
  if (loudest < VA_SILENT_SUM) return 0;
  return va_posterior_step(&d->posterior, va_kernels_of((va_simd)d->simd), d->framer.samples, (int)d->usable_bands);
}

static void decide(va_detector *d, uint64_t hop, float posterior, va_output *output) {
  if (d->waiting[hop % VA_WAITING].missing) posterior = 0;
  va_emit_transition(d, output, va_hysteresis_step(&d->hysteresis, posterior, hop));
  va_mute_input heard = {
      .hop = hop,
      .newest = d->hops,
      .onset = d->hysteresis.onset,
      .is_speech = va_hysteresis_is_speech(&d->hysteresis),
      .muted = va_is_muted(d),
  };
  va_emit_mute_change(d, output, va_mute_gate_step(&d->mute_gate, heard), hop);
  va_hop record = va_hop_record(d, hop, posterior);
  va_publish_hop(d, &record, hop + 1);
  if (output->hops) output->hops[output->hop_count++] = record;
}

/* One complete hop: measures the window that ends with it, decides the hop that waited for it. */
static void analyse_hop(va_detector *d, va_output *output) {
  va_waiting_hop *newest = &d->waiting[d->hops % VA_WAITING];
  const float *samples = d->framer.samples + VA_WINDOW - VA_HOP;
  va_kernels_of((va_simd)d->simd)->level(samples, VA_HOP, &newest->sum_of_squares, &newest->peak);
  newest->missing = d->framer.hop_has_gap;
  float posterior = measure(d);
  if (d->hops >= VA_LOOKAHEAD_HOPS) decide(d, d->hops - VA_LOOKAHEAD_HOPS, posterior, output);
  va_framer_advance(&d->framer);
  d->hops++;
}

/* Analyses complete hops and skips missing ones until the framer can take samples; false if the output is full, or
 * if a long gap has taken enough of this call's time: then output->more is set. */
static bool drain(va_detector *d, va_output *output) {
  for (uint32_t hops = 0;;) {
    if (va_framer_room(&d->framer) == 0) {
      if (!va_has_room(output)) return false;
      if (d->owed_16k > 0 && hops++ == VA_GAP_HOPS_PER_CALL) return !(output->more = true);
      analyse_hop(d, output);
    } else if (d->owed_16k > 0) {
      size_t skipped = va_framer_skip(&d->framer, d->owed_16k);
      d->owed_16k -= skipped;
      d->position_16k += skipped;
    } else {
      return true;
    }
  }
}

/* How many of `count` input samples can go on without completing more than the hop in progress. */
static size_t portion(const va_detector *d, size_t count) {
  size_t wanted = va_resampler_input_for(&d->resampler, va_framer_room(&d->framer));
  return count < wanted ? count : wanted;
}

/* Clean samples, as many as `portion` allows, into the framer. */
static void feed(va_detector *d, const float *samples, size_t count) {
  float *tail = va_framer_tail(&d->framer);
  size_t framed = va_resampler_process(&d->resampler, va_kernels_of((va_simd)d->simd), samples, count, tail);
  va_framer_commit(&d->framer, framed);
  d->position += count;
  d->position_16k += framed;
}

/* One of the two is NULL. */
static va_status_code process(va_detector *d, const float *f32, const int16_t *s16, size_t count,
                              size_t *consumed, va_output *output) {
  if (!d || !consumed || (count && !f32 && !s16) || d->end != UINT64_MAX) return VA_ERROR_ARGUMENT;
  va_status_code code = va_open_output(output);
  if (code != VA_OK) return code;
  const va_kernels *kernels = va_kernels_of((va_simd)d->simd);
  size_t done = 0;
  while (drain(d, output) && done < count) {
    float clean[VA_STAGE_HISTORY];
    if (d->gap.length && !va_has_room(output)) break;
    va_close_gap(d, output);
    size_t part = portion(d, count - done);
    if (f32 && kernels->below_full_scale(f32 + done, part)) {
      feed(d, f32 + done, part);
    } else {
      va_publish_counts(d, s16 ? va_sanitize_s16(s16 + done, part, clean) : va_sanitize(f32 + done, part, clean), 0);
      feed(d, clean, part);
    }
    done += part;
  }
  *consumed = done;
  return VA_OK;
}

/* MARK: the stream */

va_status_code va_detector_process(va_detector *detector, const float *samples, size_t count, size_t *consumed,
                                   va_output *output) {
  return process(detector, samples, NULL, count, consumed, output);
}

va_status_code va_detector_process_s16(va_detector *detector, const int16_t *samples, size_t count,
                                       size_t *consumed, va_output *output) {
  return process(detector, NULL, samples, count, consumed, output);
}

va_status_code va_detector_push_gap(va_detector *d, uint64_t count, va_output *output) {
  if (!d || d->end != UINT64_MAX || count > VA_GAP_MAX) return VA_ERROR_ARGUMENT;
  va_status_code code = va_open_output(output);
  if (code != VA_OK) return code;
  if (count) {
    if (d->gap.length == 0) d->gap.position = d->position;
    d->gap.length += count;
    d->position += count;
    d->owed_16k = va_resampler_restart(&d->resampler, d->position) - d->position_16k;
    va_publish_counts(d, (va_input_counts){0}, count);
  }
  drain(d, output);
  return VA_OK;
}

/* Silence until every whole hop of the stream is decided; false if the output is full. */
static bool flush_hops(va_detector *d, va_output *output) {
  const uint64_t hops_per_second = 1000 / VA_HOP_MS, rate = d->config.sample_rate_hz;
  const uint64_t whole = d->end / rate * hops_per_second + d->end % rate * hops_per_second / rate;
  static const float silence[VA_STAGE_HISTORY];
  while (drain(d, output)) {
    if (d->hops >= whole + VA_LOOKAHEAD_HOPS) return true;
    feed(d, silence, portion(d, VA_STAGE_HISTORY));
  }
  return false;
}

va_status_code va_detector_flush(va_detector *d, va_output *output) {
  if (!d) return VA_ERROR_ARGUMENT;
  va_status_code code = va_open_output(output);
  if (code != VA_OK || d->flushed) return code;
  if (d->end == UINT64_MAX) d->end = d->position;
  if (!flush_hops(d, output) || !va_has_room(output)) return VA_OK;
  va_close_gap(d, output);
  va_emit_transition(d, output, va_hysteresis_end(&d->hysteresis));
  uint64_t last = d->hops - VA_LOOKAHEAD_HOPS;
  va_mute_input unmuted = {.hop = last, .newest = last};
  va_emit_mute_change(d, output, va_mute_gate_step(&d->mute_gate, unmuted), last);
  va_publish_end(d);
  d->flushed = true;
  return VA_OK;
}
