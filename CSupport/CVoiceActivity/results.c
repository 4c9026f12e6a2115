#include "results.h"

#include "level.h"

uint64_t va_hop_start(const va_detector *d, uint64_t hop) {
  const uint32_t hops_per_second = 1000 / VA_HOP_MS;
  uint64_t rate = d->config.sample_rate_hz;
  uint64_t rest = (hop % hops_per_second * rate + hops_per_second - 1) / hops_per_second;
  return hop / hops_per_second * rate + rest;
}

va_status_code va_open_output(va_output *output) {
  if (!output) return VA_ERROR_ARGUMENT;
  output->event_count = output->hop_count = 0;
  output->more = false;
  if (!output->events) return VA_ERROR_ARGUMENT;
  bool fits = output->event_capacity >= VA_EVENTS_PER_HOP_MAX && (!output->hops || output->hop_capacity > 0);
  return fits ? VA_OK : VA_ERROR_EVENT_CAPACITY;
}

bool va_has_room(va_output *output) {
  bool room = output->event_count + VA_EVENTS_PER_HOP_MAX <= output->event_capacity &&
              (!output->hops || output->hop_count < output->hop_capacity);
  output->more = !room;
  return room;
}

/* The input position that was reached when the newest hop was decided. Samples that were not heard count as if they had
 * come one by one, so that it does not matter in how many pieces they were reported. */
static uint64_t known_at(const va_detector *d) {
  uint64_t now = d->position < d->end ? d->position : d->end;
  if (d->gap.length == 0 && d->told.owed_16k == 0) return now;
  uint64_t complete = va_resampler_input_before(&d->resampler, (d->hops + 1) * VA_HOP);
  uint64_t unheard = d->told.owed_16k ? d->told.position : d->gap.position;
  if (complete < unheard) complete = unheard;
  return complete < d->end ? complete : d->end;
}

static void append(va_output *output, va_event event) { output->events[output->event_count++] = event; }

static void emit(const va_detector *d, va_output *output, va_event_type type, uint64_t position) {
  append(output, (va_event){.type = type, .position = position, .decided_at = known_at(d)});
}

void va_emit_transition(const va_detector *d, va_output *output, va_transition transition) {
  if (transition == VA_SPEECH_BEGAN)
    emit(d, output, VA_EVENT_ONSET, va_hop_start(d, d->hysteresis.onset));
  else if (transition == VA_SPEECH_ENDED)
    emit(d, output, VA_EVENT_OFFSET, va_hop_start(d, d->hysteresis.offset));
}

void va_emit_mute_change(const va_detector *d, va_output *output, va_mute_change change, uint64_t hop) {
  if (change == VA_MUTE_NO_CHANGE) return;
  bool began = change == VA_MUTED_SPEECH_BEGAN;
  emit(d, output, began ? VA_EVENT_MUTED_SPEECH_BEGIN : VA_EVENT_MUTED_SPEECH_END, va_hop_start(d, hop));
}

void va_close_gap(va_detector *d, va_output *output) {
  if (d->gap.length == 0) return;
  append(output, (va_event){
                     .type = VA_EVENT_DISCONTINUITY,
                     .position = d->gap.position,
                     .decided_at = d->gap.position + d->gap.length,
                     .length_samples = d->gap.length,
                 });
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
