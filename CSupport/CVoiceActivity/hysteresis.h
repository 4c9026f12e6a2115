/* hysteresis.h — from posteriors to speech and its segments: two thresholds, onset debounce and hangover.
 *
 *   silence ──p ≥ onset──► pendingOnset ──for the debounce──► speech ──p < offset──► hangover ──for it──► silence
 *      ▲──────p < onset────────┘                               ▲──────p ≥ offset──────┘
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
  uint32_t debounce_hops, hangover_hops; /* at least 1: the hop itself */
  uint32_t state;                        /* va_speech_state */
  uint32_t run;                          /* hops in pendingOnset or in hangover so far */
  uint64_t onset;                        /* hop at which pending or present speech began */
  uint64_t offset;                       /* end of the last hop at or above the offset threshold */
} va_hysteresis;

/* What a hop changed. */
typedef enum va_transition { VA_NO_TRANSITION, VA_SPEECH_BEGAN, VA_SPEECH_ENDED } va_transition;

void va_hysteresis_init(va_hysteresis *hysteresis, const va_config *config);

/* Decides hop number `hop`; they follow each other, and those left out change nothing. After VA_SPEECH_BEGAN `onset`, after
 * VA_SPEECH_ENDED `offset` tell where. */
va_transition va_hysteresis_step(va_hysteresis *hysteresis, float posterior, uint64_t hop);

/* The end of the stream. */
va_transition va_hysteresis_end(va_hysteresis *hysteresis);

bool va_hysteresis_is_speech(const va_hysteresis *hysteresis);

/* Whole hops in a number of milliseconds, rounded up. */
uint32_t va_hops_of_ms(uint32_t milliseconds);

#endif
