#include "c_detector_cost.h"

#include <stdlib.h>
#include <voice_activity.h>

enum { EVENT_CAPACITY = 16, HOP_CAPACITY = 32 };

static void take(const va_output *output, detector_heard *heard) {
  heard->events += output->event_count;
  for (size_t i = 0; i < output->hop_count; i++) heard->speech_hops += output->hops[i].flags & VA_HOP_SPEECH;
}

detector_heard c_detector_run(uint32_t rate_hz, const float *samples, const int16_t *samples_s16, size_t count,
                              size_t chunk, bool wants_hops) {
  detector_heard heard = {0, 0};
  va_config config;
  va_detector *detector;
  va_event events[EVENT_CAPACITY];
  va_hop hops[HOP_CAPACITY];
  va_output output = {.events = events, .event_capacity = EVENT_CAPACITY};
  if (wants_hops) output.hops = hops, output.hop_capacity = HOP_CAPACITY;
  va_config_default(&config, rate_hz);
  if (va_detector_create(&config, &detector) != VA_OK) abort();
  for (size_t done = 0; done + chunk <= count;) {
    size_t consumed;
    va_status_code code = samples
                              ? va_detector_process(detector, NULL, samples + done, chunk, &consumed, &output)
                              : va_detector_process_s16(detector, NULL, samples_s16 + done, chunk, &consumed, &output);
    if (code != VA_OK || consumed != chunk) abort();
    take(&output, &heard);
    done += chunk;
  }
  va_detector_destroy(detector);
  return heard;
}
