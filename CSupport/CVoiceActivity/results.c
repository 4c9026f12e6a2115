#include "results.h"

#include "level.h"

va_status_code va_open_output(va_output *output) {
  if (!output) return VA_ERROR_ARGUMENT;
  output->event_count = output->hop_count = 0;
  output->more = false;
  if (!output->events) return VA_ERROR_ARGUMENT;
  bool holds_events = output->event_capacity >= VA_EVENTS_PER_HOP_MAX;
  bool holds_hops = !output->hops || output->hop_capacity > 0;
  return holds_events && holds_hops ? VA_OK : VA_ERROR_EVENT_CAPACITY;
}

/* MARK: events */

static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t later(uint64_t a, uint64_t b) { return a < b ? b : a; }

/* The input position at which the newest hop was decided.
 *
 * In PCM, that is the newest sample. The samples of a gap or a level arrive in one call, but count as if they had come
 * one by one, so that the number of calls does not matter: the hop was decided at the first position at which it was
 * complete, but not before the gap or level began or after the stream ended. */
static uint64_t position_of_decision(const va_detector *d) {
  const bool is_level = d->level.to_skip > 0, is_gap = d->gap.length > 0;
  if (!is_level && !is_gap) return va_input_position(d);
  uint64_t begin = is_level ? d->level.position : d->gap.position;
  return earlier(later(va_hop_completion(d), begin), d->end);
}

/* Emits an event at the beginning of a hop. */
static void emit(const va_detector *d, va_output *output, va_event_type type, uint64_t hop) {
  va_append_event(output, (va_event){
                              .type = type,
                              .position = va_hop_start(d->config.sample_rate_hz, hop),
                              .decided_at = position_of_decision(d),
                          });
}

void va_emit_transition(const va_detector *d, va_output *output, va_transition transition) {
  if (transition == VA_SPEECH_BEGAN) emit(d, output, VA_EVENT_ONSET, d->hysteresis.onset);
  if (transition == VA_SPEECH_ENDED) emit(d, output, VA_EVENT_OFFSET, d->hysteresis.offset);
}

void va_emit_mute_change(const va_detector *d, va_output *output, va_mute_change change, uint64_t hop) {
  if (change == VA_MUTED_SPEECH_BEGAN) emit(d, output, VA_EVENT_MUTED_SPEECH_BEGIN, hop);
  if (change == VA_MUTED_SPEECH_ENDED) emit(d, output, VA_EVENT_MUTED_SPEECH_END, hop);
}

void va_close_gap(va_detector *d, va_output *output) {
  if (d->gap.length == 0) return;
  va_append_event(output, (va_event){
                              .type = VA_EVENT_DISCONTINUITY,
                              .position = d->gap.position,
                              .decided_at = d->gap.position + d->gap.length,
                              .length_samples = d->gap.length,
                          });
  d->gap.length = 0;
}

/* MARK: hops */

static uint8_t flags_of(const va_detector *d, const va_waiting_hop *hop) {
  uint32_t flags = 0;
  if (d->mute_gate.muted) flags |= VA_HOP_MUTED;
  if (d->mute_gate.speaking) flags |= VA_HOP_MUTED_SPEECH;
  if (hop->missing) flags |= VA_HOP_MISSING;
  if (va_hop_follows_level(d, hop)) flags |= VA_HOP_LEVEL_ONLY;
  return (uint8_t)flags;
}

va_hop va_hop_record(const va_detector *d, uint64_t hop, float posterior, bool is_echo) {
  const va_waiting_hop *sound = va_waiting_hop_at(d, hop);
  const float level_dbfs = va_reported_db(va_reported_power(d, sound));
  va_hop record = {
      .position = va_hop_start(d->config.sample_rate_hz, hop),
      .posterior = posterior,
      .level_dbfs = level_dbfs,
      .peak_dbfs = sound->missing ? VA_LEVEL_MIN_DB : va_reported_db(sound->peak * sound->peak),
      .noise_floor_dbfs = va_reported_db(d->posterior.noise_floor.power),
      .flags = (uint8_t)(flags_of(d, sound) | (is_echo ? VA_HOP_ECHO : 0)),
      .level_dbov = va_dbov(level_dbfs),
  };
  va_hysteresis_record(&d->hysteresis, &record);
  return record;
}
