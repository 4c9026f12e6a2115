/* detector.c — the only place that knows the order of the stages. */
#include "detector_state.h"

#include <stdlib.h>
#include <string.h>

#include "bands.h"
#include "kernels.h"

_Static_assert(sizeof(va_detector) <= 8192, "a stream's state is promised to fit in 8 KiB");
_Static_assert(_Alignof(va_detector) <= VA_DETECTOR_ALIGNMENT, "the promised alignment must do");

#define VA_LONGEST_MS 3600000u

/* A hop whose mean square is below -100 dBFS holds no more than the dither of silence. */
#define VA_SILENT_SUM (VA_HOP * 1e-10f)

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

static void start(va_detector *d, const va_config *config, uint32_t simd, bool muted) {
  memset(d, 0, sizeof *d);
  d->config = *config;
  d->simd = simd;
  d->end = UINT64_MAX;
  va_resampler_init(&d->resampler, config->sample_rate_hz);
  d->usable_bands = (uint32_t)va_bands_usable(va_resampler_pass_hz(&d->resampler));
  va_framer_init(&d->framer);
  va_noise_floor_init(&d->noise_floor);
  va_features_init(&d->features);
  va_hysteresis_init(&d->hysteresis, config);
  va_mute_gate_init(&d->mute_gate, config);
  atomic_store_explicit(&d->status.muted, muted, memory_order_relaxed);
}

va_status_code va_detector_init(void *memory, size_t size, const va_config *config, va_detector **detector) {
  if (!memory || !config || !detector || size < sizeof(va_detector)) return VA_ERROR_ARGUMENT;
  if ((uintptr_t)memory % VA_DETECTOR_ALIGNMENT) return VA_ERROR_ARGUMENT;
  va_status_code code = check(config);
  if (code != VA_OK) return code;
  *detector = memory;
  start(*detector, config, va_simd_detect(), false);
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
  start(d, &config, d->simd, atomic_load_explicit(&d->status.muted, memory_order_relaxed));
}

/* MARK: results */

/* First input sample of a hop: hop · rate / 100, rounded up, without overflow. */
static uint64_t hop_start(const va_detector *d, uint64_t hop) {
  const uint32_t hops_per_second = 1000 / VA_HOP_MS;
  uint64_t rate = d->config.sample_rate_hz;
  uint64_t rest = (hop % hops_per_second * rate + hops_per_second - 1) / hops_per_second;
  return hop / hops_per_second * rate + rest;
}

static va_status_code open_output(va_output *output) {
  if (!output || !output->events || output->event_capacity < VA_EVENTS_PER_HOP_MAX)
    return output && output->events ? VA_ERROR_EVENT_CAPACITY : VA_ERROR_ARGUMENT;
  if (output->hops && output->hop_capacity == 0) return VA_ERROR_EVENT_CAPACITY;
  output->event_count = output->hop_count = 0;
  output->more = false;
  return VA_OK;
}

/* True if all that one hop can bring still fits. */
static bool has_room(va_output *output) {
  bool room = output->event_count + VA_EVENTS_PER_HOP_MAX <= output->event_capacity &&
              (!output->hops || output->hop_count < output->hop_capacity);
  output->more = !room;
  return room;
}

static void emit(const va_detector *d, va_output *output, va_event_type type, uint64_t position, uint64_t length) {
  uint64_t now = d->position < d->end ? d->position : d->end;
  output->events[output->event_count++] =
      (va_event){.type = type, .position = position, .decided_at = now, .length_samples = length};
}

static void emit_transition(const va_detector *d, va_output *output, va_transition transition) {
  if (transition == VA_SPEECH_BEGAN)
    emit(d, output, VA_EVENT_ONSET, hop_start(d, d->hysteresis.onset), 0);
  else if (transition == VA_SPEECH_ENDED)
    emit(d, output, VA_EVENT_OFFSET, hop_start(d, d->hysteresis.offset), 0);
}

static void emit_mute_change(const va_detector *d, va_output *output, va_mute_change change, uint64_t hop) {
  if (change == VA_MUTE_NO_CHANGE) return;
  bool began = change == VA_MUTED_SPEECH_BEGAN;
  emit(d, output, began ? VA_EVENT_MUTED_SPEECH_BEGIN : VA_EVENT_MUTED_SPEECH_END, hop_start(d, hop), 0);
}

/* The gap is over: tells of it. */
static void close_gap(va_detector *d, va_output *output) {
  if (d->gap.length == 0) return;
  emit(d, output, VA_EVENT_DISCONTINUITY, d->gap.position, d->gap.length);
  d->gap.length = 0;
}

static va_hop hop_record(const va_detector *d, uint64_t hop, float posterior) {
  const va_waiting_hop *heard = &d->waiting[hop % VA_WAITING];
  const va_hysteresis *h = &d->hysteresis;
  float level = heard->missing ? VA_LEVEL_MIN_DB : va_power_db(heard->sum_of_squares * (1.0f / VA_HOP));
  float peak = heard->missing ? VA_LEVEL_MIN_DB : va_power_db(heard->peak * heard->peak);
  uint32_t flags = (va_hysteresis_is_speech(h) ? VA_HOP_SPEECH : 0u) | (d->mute_gate.muted ? VA_HOP_MUTED : 0u) |
                   (d->mute_gate.speaking ? VA_HOP_MUTED_SPEECH : 0u) | (heard->missing ? VA_HOP_MISSING : 0u);
  return (va_hop){
      .position = hop_start(d, hop),
      .posterior = posterior,
      .level_dbfs = level,
      .peak_dbfs = peak,
      .noise_floor_dbfs = va_noise_floor_dbfs(&d->noise_floor, (int)d->usable_bands),
      .state = (uint8_t)h->state,
      .flags = (uint8_t)flags,
      .level_dbov = va_dbov(level),
      .hangover_left_ms = h->state == VA_STATE_HANGOVER ? (h->hangover_hops - h->run) * VA_HOP_MS : 0,
  };
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

#define VA_STORE(field, value) atomic_store_explicit(&d->status.field, value, memory_order_relaxed)
#define VA_LOAD(field) atomic_load_explicit(&d->status.field, memory_order_relaxed)

static void publish(va_detector *d, const va_hop *record, uint64_t hop) {
  VA_STORE(state, record->state);
  VA_STORE(posterior, bits_of(record->posterior));
  VA_STORE(level_dbfs, bits_of(record->level_dbfs));
  VA_STORE(noise_floor_dbfs, bits_of(record->noise_floor_dbfs));
  VA_STORE(muted_speech, (record->flags & VA_HOP_MUTED_SPEECH) != 0);
  VA_STORE(hops, hop + 1);
}

/* MARK: analysis */

/* The window's evidence. Nothing is measured, and nothing learned, of a window with a hole or of silence. */
static float measure(va_detector *d) {
  const va_kernels *kernels = va_kernels_of((va_simd)d->simd);
  float power[VA_BINS], bands_db[VA_BANDS], loudest = 0;
  if (!va_framer_is_whole(&d->framer)) {
    va_features_init(&d->features);
    return 0;
  }
  for (int i = 0; i < VA_WAITING; i++)
    loudest = d->waiting[i].sum_of_squares > loudest ? d->waiting[i].sum_of_squares : loudest;
  if (loudest < VA_SILENT_SUM) return 0;
  kernels->power_spectrum(d->framer.samples, va_window, power);
  va_bands_db(power, bands_db);
  va_noise_floor_update(&d->noise_floor, bands_db);
  va_features features = va_features_measure(&d->features, kernels, power, bands_db, d->noise_floor.floor,
                                             (int)d->usable_bands);
  return va_posterior(&features);
}

static void decide(va_detector *d, uint64_t hop, float posterior, va_output *output) {
  if (d->waiting[hop % VA_WAITING].missing) posterior = 0;
  emit_transition(d, output, va_hysteresis_step(&d->hysteresis, posterior, hop));
  va_mute_input heard = {
      .hop = hop,
      .newest = d->hops,
      .onset = d->hysteresis.onset,
      .is_speech = va_hysteresis_is_speech(&d->hysteresis),
      .muted = VA_LOAD(muted),
  };
  emit_mute_change(d, output, va_mute_gate_step(&d->mute_gate, heard), hop);
  va_hop record = hop_record(d, hop, posterior);
  publish(d, &record, hop);
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

/* Analyses complete hops and skips missing ones until the framer can take samples; false if the output is full. */
static bool drain(va_detector *d, va_output *output) {
  for (;;) {
    if (va_framer_room(&d->framer) == 0) {
      if (!has_room(output)) return false;
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

static void add_counts(va_detector *d, va_input_counts counts) {
  if (counts.clipped) VA_STORE(clipped_samples, VA_LOAD(clipped_samples) + counts.clipped);
  if (counts.non_finite) VA_STORE(non_finite_samples, VA_LOAD(non_finite_samples) + counts.non_finite);
}

/* One of the two is NULL. */
static va_status_code process(va_detector *d, const float *f32, const int16_t *s16, size_t count,
                              size_t *consumed, va_output *output) {
  if (!d || !consumed || (count && !f32 && !s16) || d->end != UINT64_MAX) return VA_ERROR_ARGUMENT;
  va_status_code code = open_output(output);
  if (code != VA_OK) return code;
  size_t done = 0;
  while (drain(d, output) && done < count) {
    float clean[VA_STAGE_HISTORY];
    if (d->gap.length && !has_room(output)) break;
    close_gap(d, output);
    size_t part = portion(d, count - done);
    add_counts(d, s16 ? va_sanitize_s16(s16 + done, part, clean) : va_sanitize(f32 + done, part, clean));
    feed(d, clean, part);
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
  if (!d || d->end != UINT64_MAX) return VA_ERROR_ARGUMENT;
  va_status_code code = open_output(output);
  if (code != VA_OK) return code;
  if (count) {
    if (d->gap.length == 0) d->gap.position = d->position;
    d->gap.length += count;
    d->position += count;
    d->owed_16k = va_resampler_restart(&d->resampler, d->position) - d->position_16k;
    VA_STORE(missing_samples, VA_LOAD(missing_samples) + count);
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
  va_status_code code = open_output(output);
  if (code != VA_OK || d->flushed) return code;
  if (d->end == UINT64_MAX) d->end = d->position;
  if (!flush_hops(d, output) || !has_room(output)) return VA_OK;
  close_gap(d, output);
  emit_transition(d, output, va_hysteresis_end(&d->hysteresis));
  uint64_t last = d->hops - VA_LOOKAHEAD_HOPS;
  va_mute_input unmuted = {.hop = last, .newest = last};
  emit_mute_change(d, output, va_mute_gate_step(&d->mute_gate, unmuted), last);
  VA_STORE(state, VA_STATE_SILENCE);
  VA_STORE(muted_speech, false);
  d->flushed = true;
  return VA_OK;
}

/* MARK: other threads */

void va_detector_set_muted(va_detector *d, bool muted) { VA_STORE(muted, muted); }

va_status_code va_detector_status(const va_detector *d, va_status *status) {
  if (!d || !status) return VA_ERROR_ARGUMENT;
  if (status->struct_size != sizeof *status) return VA_ERROR_STRUCT_SIZE;
  uint32_t state = VA_LOAD(state);
  bool muted = VA_LOAD(muted);
  float level = VA_LOAD(hops) ? float_of(VA_LOAD(level_dbfs)) : VA_LEVEL_MIN_DB;
  *status = (va_status){
      .struct_size = sizeof *status,
      .state = state,
      .is_speech = state == VA_STATE_SPEECH || state == VA_STATE_HANGOVER,
      .is_muted = muted,
      .is_muted_speech = muted && VA_LOAD(muted_speech),
      .level_dbov = va_dbov(level),
      .posterior = float_of(VA_LOAD(posterior)),
      .level_dbfs = level,
      .noise_floor_dbfs = VA_LOAD(hops) ? float_of(VA_LOAD(noise_floor_dbfs)) : VA_LEVEL_MIN_DB,
      .hops = VA_LOAD(hops),
      .clipped_samples = VA_LOAD(clipped_samples),
      .non_finite_samples = VA_LOAD(non_finite_samples),
      .missing_samples = VA_LOAD(missing_samples),
  };
  return VA_OK;
}
