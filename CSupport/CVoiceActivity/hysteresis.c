#include "hysteresis.h"

#include "geometry.h"

#define VA_RISE_HOPS (VA_RISE_MAX_MS / VA_HOP_MS)

static uint32_t at_least_one(uint32_t hops) { return hops ? hops : 1; }

void va_hysteresis_init(va_hysteresis *hysteresis, const va_config *config) {
  va_hysteresis_reset(hysteresis);
  hysteresis->onset_threshold = config->onset_threshold;
  hysteresis->offset_threshold = config->offset_threshold;
  hysteresis->debounce_hops = at_least_one(va_hops_of_ms(config->onset_debounce_ms));
  hysteresis->hangover_hops = at_least_one(va_hops_of_ms(config->hangover_ms));
}

void va_hysteresis_reset(va_hysteresis *hysteresis) {
  hysteresis->state = VA_STATE_SILENCE;
  hysteresis->run = 0;
  hysteresis->onset = hysteresis->offset = 0;
}

/* A word begins where the posterior rises, not where it has risen enough to be sure. */
static void follow_rise(va_hysteresis *h, float posterior, uint64_t hop) {
  if (posterior < h->offset_threshold) h->onset = hop + 1;
  else if (h->onset < h->offset) h->onset = hop; /* it was that of the speech before */
}

static va_transition step_in_silence(va_hysteresis *h, float posterior, uint64_t hop) {
  follow_rise(h, posterior, hop);
  if (posterior < h->onset_threshold) {
    h->state = VA_STATE_SILENCE;
    return VA_NO_TRANSITION;
  }
  if (h->state == VA_STATE_SILENCE) {
    h->state = VA_STATE_PENDING_ONSET;
    if (hop - h->onset > VA_RISE_HOPS) h->onset = hop - VA_RISE_HOPS;
    h->run = 0;
  }
  h->run++;
  if (h->run < h->debounce_hops) return VA_NO_TRANSITION;
  h->state = VA_STATE_SPEECH;
  h->offset = hop + 1;
  return VA_SPEECH_BEGAN;
}

static va_transition step_in_speech(va_hysteresis *h, float posterior, uint64_t hop) {
  if (posterior >= h->offset_threshold) {
    h->state = VA_STATE_SPEECH;
    h->offset = hop + 1;
    return VA_NO_TRANSITION;
  }
  if (h->state == VA_STATE_SPEECH) {
    h->state = VA_STATE_HANGOVER;
    h->run = 0;
  }
  h->run++;
  return h->run < h->hangover_hops ? VA_NO_TRANSITION : va_hysteresis_end(h);
}

va_transition va_hysteresis_step(va_hysteresis *hysteresis, float posterior, uint64_t hop) {
  return va_hysteresis_is_speech(hysteresis) ? step_in_speech(hysteresis, posterior, hop)
                                             : step_in_silence(hysteresis, posterior, hop);
}

void va_hysteresis_pass(va_hysteresis *h, uint64_t hop) {
  if (h->state == VA_STATE_SILENCE && h->onset == hop) h->onset = hop + 1;
}

va_transition va_hysteresis_end(va_hysteresis *hysteresis) {
  bool was_speech = va_hysteresis_is_speech(hysteresis);
  hysteresis->state = VA_STATE_SILENCE;
  return was_speech ? VA_SPEECH_ENDED : VA_NO_TRANSITION;
}
