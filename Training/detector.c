/* detector.c — what the detector says of a signal (detector.py). */
#include <voice_activity.h>

enum { EVENTS = 64, HOPS = 16, SMOOTHED = 64 };

typedef struct posteriors {
  float *each;
  size_t count, capacity;
} posteriors;

static void keep(posteriors *kept, const va_output *output) {
  for (size_t i = 0; i < output->hop_count && kept->count < kept->capacity; i++)
    kept->each[kept->count++] = output->hops[i].posterior;
}

static void smooth(va_smoother *smoother, const va_output *results, posteriors *kept) {
  va_event events[EVENTS];
  va_hop hops[SMOOTHED];
  va_output output = {.events = events, .event_capacity = EVENTS, .hops = hops, .hop_capacity = SMOOTHED};
  do {
    if (va_smoother_process(smoother, results, &output) != VA_OK) return;
    keep(kept, &output);
  } while (output.more);
}

/* The posteriors of the complete hops of `samples` at rate_hz, and the smoothed ones: room for `capacity` of each.
 * Returns how many there are; 0 if the detector takes no such rate. */
size_t va_training_posteriors(uint32_t rate_hz, const float *samples, size_t count, float *live, float *smoothed,
                              size_t capacity) {
  va_config config;
  va_detector *detector = NULL;
  va_smoother *smoother = NULL;
  va_event events[EVENTS];
  va_hop hops[HOPS];
  va_output output = {.events = events, .event_capacity = EVENTS, .hops = hops, .hop_capacity = HOPS};
  posteriors heard = {live, 0, capacity}, decided = {smoothed, 0, capacity};
  va_config_default(&config, rate_hz);
  if (va_detector_create(&config, &detector) == VA_OK && va_smoother_create(&config, &smoother) == VA_OK) {
    for (size_t done = 0, consumed; done < count || output.more; done += consumed) {
      if (va_detector_process(detector, NULL, samples + done, count - done, &consumed, &output) != VA_OK) break;
      keep(&heard, &output);
      smooth(smoother, &output, &decided);
    }
    smooth(smoother, NULL, &decided);
  }
  va_detector_destroy(detector);
  va_smoother_destroy(smoother);
  return heard.count == decided.count ? heard.count : 0;
}
