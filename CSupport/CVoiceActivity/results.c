#include "results.h"

#include "level.h"

uint64_t va_hop_start(const va_detector *d, uint64_t hop) {
  const uint32_t hops_per_second = 1000 / VA_HOP_MS;
  uint64_t rate = d->config.sample_rate_hz;
  uint64_t rest = (hop % hops_per_second * rate + hops_per_second - 1) / hops_per_second;
  return hop / hops_per_second * rate + rest;
}

va_status_code va_open_output(va_output *output) {
  if (!output || !output->events || output->event_capacity < VA_EVENTS_PER_HOP_MAX)
    return output && output->events ? VA_ERROR_EVENT_CAPACITY : VA_ERROR_ARGUMENT;
  if (output->hops && output->hop_capacity == 0) return VA_ERROR_EVENT_CAPACITY;
  output->event_count = output->hop_count = 0;
  output->more = false;
  return VA_OK;
}

bool va_has_room(va_output *output) {
  bool room = output->event_count + VA_EVENTS_PER_HOP_MAX <= output->event_capacity &&
              (!output->hops || output->hop_count < output->hop_capacity);
  output->more = !room;
  return room;
}

/* What the detector had heard when it decided the newest hop. Samples that were not heard count as if they had come hop
 * by hop, so that it does not matter in how many pieces they were told of. */
static uint64_t known_at(const va_detector *d) {
  uint64_t now = d->position < d->end ? d->position : d->end;
  if (d->gap.length == 0 && d->told.owed_16k == 0) return now;
  uint64_t hop_end = va_hop_start(d, d->hops + 1), unheard = d->told.owed_16k ? d->told.position : d->gap.position;
  if (hop_end < unheard) hop_end = unheard;
  return hop_end < d->end ? hop_end : d->end;
}

static void emit(const va_detector *d, va_output *output, va_event_type type, uint64_t position, uint64_t length) {
  uint64_t now = known_at(d);
  output->events[output->event_count++] =
      (va_event){.type = type, .position = position, .decided_at = now, .length_samples = length};
}

void va_emit_transition(const va_detector *d, va_output *output, va_transition transition) {
  if (transition == VA_SPEECH_BEGAN)
    emit(d, output, VA_EVENT_ONSET, va_hop_start(d, d->hysteresis.onset), 0);
  else if (transition == VA_SPEECH_ENDED)
    emit(d, output, VA_EVENT_OFFSET, va_hop_start(d, d->hysteresis.offset), 0);
}

void va_emit_mute_change(const va_detector *d, va_output *output, va_mute_change change, uint64_t hop) {
  if (change == VA_MUTE_NO_CHANGE) return;
  bool began = change == VA_MUTED_SPEECH_BEGAN;
  emit(d, output, began ? VA_EVENT_MUTED_SPEECH_BEGIN : VA_EVENT_MUTED_SPEECH_END, va_hop_start(d, hop), 0);
}

void va_close_gap(va_detector *d, va_output *output) {
  if (d->gap.length == 0) return;
  emit(d, output, VA_EVENT_DISCONTINUITY, d->gap.position, d->gap.length);
  d->gap.length = 0;
}

/* The promised range: the resampler and the noise floor's bias can go a little beyond it. */
static float in_range(float db) { return db < VA_LEVEL_MAX_DB ? db : VA_LEVEL_MAX_DB; }

va_hop va_hop_record(const va_detector *d, uint64_t hop, float posterior) {
  const va_waiting_hop *heard = &d->waiting[hop % VA_WAITING];
  const va_hysteresis *h = &d->hysteresis;
  float level = heard->missing ? VA_LEVEL_MIN_DB : in_range(va_power_db(heard->sum_of_squares * (1.0f / VA_HOP)));
  float peak = heard->missing ? VA_LEVEL_MIN_DB : in_range(va_power_db(heard->peak * heard->peak));
  uint32_t flags = (va_hysteresis_is_speech(h) ? VA_HOP_SPEECH : 0u) | (d->mute_gate.muted ? VA_HOP_MUTED : 0u) |
                   (d->mute_gate.speaking ? VA_HOP_MUTED_SPEECH : 0u) | (heard->missing ? VA_HOP_MISSING : 0u) |
                   (va_is_told(heard) ? VA_HOP_TOLD : 0u);
  return (va_hop){
      .position = va_hop_start(d, hop),
      .posterior = posterior,
      .level_dbfs = level,
      .peak_dbfs = peak,
      .noise_floor_dbfs = in_range(d->posterior.noise_floor.dbfs),
      .state = (uint8_t)h->state,
      .flags = (uint8_t)flags,
      .level_dbov = va_dbov(level),
      .hangover_left_ms = h->state == VA_STATE_HANGOVER ? (h->hangover_hops - h->run) * VA_HOP_MS : 0,
  };
}
