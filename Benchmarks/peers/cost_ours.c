/* This project's core, with everything on that a host asks for: events and a record of every hop. */
#include "cost.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <voice_activity.h>

enum { HOPS_MAX = 4 };

size_t stream_bytes(void) { return va_detector_size_for(RATE_HZ); }

const char *simd_body(void) { return va_simd_name(); }

static void check(va_status_code code) {
  if (code == VA_OK) return;
  fprintf(stderr, "%s\n", va_status_text(code));
  exit(70);
}

static size_t speech_hops_in(const va_output *output) {
  size_t speech = 0;
  for (size_t i = 0; i < output->hop_count; i++) speech += (output->hops[i].flags & VA_HOP_SPEECH) != 0;
  return speech;
}

size_t count_speech_hops(const int16_t *samples, size_t count) {
  static alignas(VA_DETECTOR_ALIGNMENT) unsigned char memory[8192];
  va_event events[HOPS_MAX * VA_EVENTS_PER_HOP_MAX];
  va_hop hops[HOPS_MAX];
  va_output output = {.events = events, .event_capacity = HOPS_MAX * VA_EVENTS_PER_HOP_MAX,
                      .hops = hops, .hop_capacity = HOPS_MAX};
  va_config config;
  va_detector *detector;
  check(va_config_default(&config, RATE_HZ));
  check(va_detector_init(memory, sizeof memory, &config, &detector));

  size_t speech = 0, consumed = 0;
  for (size_t at = 0; at < count; at += consumed) {
    size_t length = count - at < HOP_SAMPLES ? count - at : HOP_SAMPLES;
    check(va_detector_process_s16(detector, NULL, samples + at, length, &consumed, &output));
    speech += speech_hops_in(&output);
  }
  do {
    check(va_detector_flush(detector, NULL, &output));
    speech += speech_hops_in(&output);
  } while (output.more);
  return speech;
}
