/* hysteresis.h — from posteriors to speech, with two thresholds, an onset debounce and a hangover.
 *
 *   silence ──p ≥ onset──► pending onset ──debounce over──► speech ──p < offset──► hangover ──hangover over──► silence
 *      ▲──────p < onset─────────┘                             ▲──────p ≥ offset──────┘
 *
 * A pure state machine: one posterior in, at most one transition out. Times are hops.
 */
#ifndef VA_HYSTERESIS_H
#define VA_HYSTERESIS_H

#include <stdbool.h>
#include <stdint.h>

#include "voice_activity.h"

typedef struct va_hysteresis {
  float onset_threshold, offset_threshold;
  uint32_t debounce_hops, hangover_hops; /* at least 1: the hop that crosses the threshold counts */
  uint32_t state;                        /* va_speech_state */
  uint32_t run;                          /* hops of the pending onset or of the hangover so far */
  uint64_t onset;                        /* hop at which pending or present speech began; in silence: where the
                                            posterior rose above the offset threshold, if it has */
  uint64_t offset;                       /* end of the last hop at or above the offset threshold */
} va_hysteresis;

/* What a hop changed. After VA_SPEECH_BEGAN, `onset` is where; after VA_SPEECH_ENDED, `offset`. */
typedef enum va_transition { VA_NO_TRANSITION, VA_SPEECH_BEGAN, VA_SPEECH_ENDED } va_transition;

void va_hysteresis_init(va_hysteresis *hysteresis, const va_config *config);

/* Starts anew, in silence. */
void va_hysteresis_reset(va_hysteresis *hysteresis);

/* Decides hop number `hop`. Numbers increase by one. */
va_transition va_hysteresis_step(va_hysteresis *hysteresis, float posterior, uint64_t hop);

/* Leaves hop number `hop` undecided. No speech begins with it. */
void va_hysteresis_pass(va_hysteresis *hysteresis, uint64_t hop);

/* Ends open speech at the end of the stream. */
va_transition va_hysteresis_end(va_hysteresis *hysteresis);

/* True for an onset or an offset, which a hysteresis causes; other events have other causes. */
static inline bool va_event_is_of_speech(const va_event *event) {
  return event->type == VA_EVENT_ONSET || event->type == VA_EVENT_OFFSET;
}

/* Hangover still counts as speech. state: va_speech_state. */
static inline bool va_state_is_speech(uint32_t state) { return state == VA_STATE_SPEECH || state == VA_STATE_HANGOVER; }

static inline bool va_hysteresis_is_speech(const va_hysteresis *hysteresis) {
  return va_state_is_speech(hysteresis->state);
}

/* True if the state of a hop was carried over from the one before: a posterior that is too low would have changed
 * it. */
static inline bool va_hysteresis_carried(const va_hysteresis *h, const va_hop *hop) {
  return hop->state == VA_STATE_SPEECH && !(hop->posterior >= h->offset_threshold);
}

/* Writes the state after a hop into its record. */
static inline void va_hysteresis_record(const va_hysteresis *h, va_hop *hop) {
  const bool is_hangover = h->state == VA_STATE_HANGOVER;
  hop->state = (uint8_t)h->state;
  hop->hangover_left_ms = is_hangover ? (h->hangover_hops - h->run) * VA_HOP_MS : 0;
  hop->flags = (uint8_t)(va_hysteresis_is_speech(h) ? hop->flags | VA_HOP_SPEECH : hop->flags & ~VA_HOP_SPEECH);
}

#endif
