/* Runs the detector over whole scenes, for methods.py. */
#include <stdalign.h>
#include <voice_activity.h>

#include "../../CSupport/CVoiceActivity/hysteresis.h"
#include "../../CSupport/CVoiceActivity/mute_gate.h"

#define RATE_HZ 16000
#define CHUNK (RATE_HZ / 50) /* what a call's audio callback brings: 20 ms */

typedef struct results {
  float *posteriors;
  uint8_t *flags;
  uint32_t *begins; /* hops that decided the beginning of muted speech */
  size_t hop_count, begin_count;
} results;

static void append(results *to, const va_output *from) {
  for (size_t i = 0; i < from->hop_count; i++, to->hop_count++) {
    to->posteriors[to->hop_count] = from->hops[i].posterior;
    to->flags[to->hop_count] = from->hops[i].flags;
  }
  for (size_t i = 0; i < from->event_count; i++)
    if (from->events[i].type == VA_EVENT_MUTED_SPEECH_BEGIN)
      to->begins[to->begin_count++] = (uint32_t)(from->events[i].position / (RATE_HZ / 100));
}

/* From muted on, with no grace, so that speech is noticed at once: analyses `count` samples at 16 kHz beside as many of
 * the reference, or without one where it is NULL. The arrays of `to` have room for each hop. Returns a
 * va_status_code. */
int detect(const int16_t *samples, const int16_t *reference, size_t count, va_preset preset, results *to);
int detect(const int16_t *samples, const int16_t *reference, size_t count, va_preset preset, results *to) {
  alignas(VA_DETECTOR_ALIGNMENT) unsigned char memory[VA_DETECTOR_SIZE_MAX], echo_memory[VA_ECHO_SIZE_MAX];
  va_event events[4 * VA_EVENTS_PER_HOP_MAX];
  va_hop hops[4];
  va_output output = {.events = events, .event_capacity = 4 * VA_EVENTS_PER_HOP_MAX, .hops = hops, .hop_capacity = 4};
  va_config config;
  va_detector *detector;
  va_echo *echo = NULL;
  va_status_code code = va_config_preset(&config, RATE_HZ, preset);
  if (code != VA_OK) return (int)code;
  config.mute_grace_ms = config.mute_carry_over_ms = 0;
  code = va_detector_init(memory, sizeof memory, &config, &detector);
  if (code != VA_OK) return (int)code;
  va_detector_set_muted(detector, true);
  if (reference) code = va_echo_init(echo_memory, sizeof echo_memory, RATE_HZ, &echo);
  if (code != VA_OK) return (int)code;

  to->hop_count = to->begin_count = 0;
  for (size_t at = 0; at < count;) {
    size_t chunk = count - at < CHUNK ? count - at : CHUNK, taken;
    if (reference) code = va_echo_push_s16(echo, reference + at, chunk);
    if (code != VA_OK) return (int)code;
    do {
      code = va_detector_process_s16(detector, echo, samples + at, chunk, &taken, &output);
      if (code != VA_OK) return (int)code;
      append(to, &output);
      at += taken;
      chunk -= taken;
    } while (chunk > 0 || output.more);
  }
  do {
    code = va_detector_flush(detector, echo, &output);
    if (code != VA_OK) return (int)code;
    append(to, &output);
  } while (output.more);
  return VA_OK;
}

/* Decides the same by posteriors that are given. Returns a va_status_code. */
int decide(const float *posteriors, size_t count, va_preset preset, results *to);
int decide(const float *posteriors, size_t count, va_preset preset, results *to) {
  va_config config;
  va_hysteresis hysteresis;
  va_mute_gate gate;
  va_status_code code = va_config_preset(&config, RATE_HZ, preset);
  if (code != VA_OK) return (int)code;
  config.mute_grace_ms = config.mute_carry_over_ms = 0;
  va_hysteresis_init(&hysteresis, &config);
  va_mute_gate_init(&gate, &config);
  to->hop_count = to->begin_count = 0;
  for (uint32_t hop = 0; hop < count; hop++) {
    va_hysteresis_step(&hysteresis, posteriors[hop], hop);
    bool is_speech = va_hysteresis_is_speech(&hysteresis);
    va_mute_input input = {.hop = hop, .newest = hop, .onset = hysteresis.onset, .is_speech = is_speech, .muted = true,
                           .nearness = VA_NEAR};
    if (va_mute_gate_step(&gate, &input) == VA_MUTED_SPEECH_BEGAN) to->begins[to->begin_count++] = hop;
    to->posteriors[hop] = posteriors[hop];
    to->flags[hop] = (uint8_t)((is_speech ? VA_HOP_SPEECH : 0) | (gate.speaking ? VA_HOP_MUTED_SPEECH : 0));
    to->hop_count++;
  }
  return VA_OK;
}

/* Analyses whole hops with the preset `notice`, muted from sample `muted_from` on, which begins one. margin_db is that
 * of va_detector_set_speaker_margin. `flags` has room for each hop. Returns a va_status_code. */
int flags_of(const float *samples, size_t count, size_t muted_from, float margin_db, uint8_t *flags);
int flags_of(const float *samples, size_t count, size_t muted_from, float margin_db, uint8_t *flags) {
  alignas(VA_DETECTOR_ALIGNMENT) unsigned char memory[VA_DETECTOR_SIZE_MAX];
  va_event events[4 * VA_EVENTS_PER_HOP_MAX];
  va_hop hops[4];
  va_output output = {.events = events, .event_capacity = 4 * VA_EVENTS_PER_HOP_MAX, .hops = hops, .hop_capacity = 4};
  va_config config;
  va_detector *detector;
  va_config_preset(&config, RATE_HZ, VA_PRESET_NOTICE);
  va_status_code code = va_detector_init(memory, sizeof memory, &config, &detector);
  if (code == VA_OK) code = va_detector_set_speaker_margin(detector, margin_db);
  for (size_t at = 0, taken; code == VA_OK && at < count; at += taken) {
    size_t end = at < muted_from ? muted_from : count;
    va_detector_set_muted(detector, at >= muted_from);
    code = va_detector_process(detector, NULL, samples + at, end - at < CHUNK ? end - at : CHUNK, &taken, &output);
    for (size_t i = 0; i < output.hop_count; i++) *flags++ = output.hops[i].flags;
  }
  return (int)code;
}
