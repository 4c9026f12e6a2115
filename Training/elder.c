/* elder.c — what another version of the detector says of a signal, to teach this one (elder.py). Compiled with that
 * version's sources; of them it uses only what voice_activity.h promises. One thread at a time. */
#include <voice_activity.h>

#if VA_ABI_VERSION < 7 /* the detector knew no echo, or had functions of their own for it */
#define va_detector_process(detector, echo, ...) va_detector_process(detector, __VA_ARGS__)
#endif

enum { EVENTS = 16 * VA_EVENTS_PER_HOP_MAX, HOPS = 16 };

/* The posteriors of the complete hops of `samples` at rate_hz. Returns how many there are; 0 if it takes no such rate. */
size_t va_elder_posteriors(uint32_t rate_hz, const float *samples, size_t count, float *posteriors, size_t capacity) {
  va_config config;
  va_detector *detector;
  va_event events[EVENTS];
  va_hop hops[HOPS];
  va_output output = {.events = events, .event_capacity = EVENTS, .hops = hops, .hop_capacity = HOPS};
  size_t heard = 0;
  va_config_default(&config, rate_hz);
  if (va_detector_create(&config, &detector) != VA_OK) return 0;
  for (size_t done = 0, consumed; done < count || output.more; done += consumed) {
    if (va_detector_process(detector, NULL, samples + done, count - done, &consumed, &output) != VA_OK) break;
    for (size_t i = 0; i < output.hop_count && heard < capacity; i++) posteriors[heard++] = hops[i].posterior;
  }
  va_detector_destroy(detector);
  return heard;
}
