#include "trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

trace make_trace(size_t limit) {
  return (trace){allocate(limit * sizeof(float)), allocate(limit * sizeof(bool)), 0, limit};
}

void free_trace(trace *t) {
  free(t->posteriors);
  free(t->decisions);
}

/* MARK: detectors */

va_detector *make_detector(void) {
  va_config config;
  va_detector *detector;
  va_config_default(&config, RATE_HZ);
  va_status_code code = va_detector_create(&config, &detector);
  if (code == VA_OK) return detector;
  fprintf(stderr, "drift: %s\n", va_status_text(code));
  exit(1);
}

va_detector *copy_detector(const va_detector *detector) {
  va_detector *copy = make_detector();
  memcpy((void *)copy, (const void *)detector, va_detector_size());
  return copy;
}

static void add(trace *heard, const va_output *output, uint64_t from) {
  for (size_t i = 0; i < output->hop_count; i++) {
    const va_hop *hop = &output->hops[i];
    if (hop->position < from || heard->count == heard->limit) continue;
    heard->posteriors[heard->count] = hop->posterior;
    heard->decisions[heard->count++] = hop->flags & VA_HOP_SPEECH;
  }
}

void play(va_detector *detector, const float *samples, size_t count, uint64_t from, trace *heard) {
  va_event events[8];
  va_hop hops[16];
  va_output output = {.events = events, .event_capacity = 8, .hops = heard ? hops : NULL, .hop_capacity = 16};
  for (size_t done = 0, consumed; done < count || output.more; done += consumed) {
    va_detector_process(detector, NULL, samples + done, count - done, &consumed, &output);
    if (heard) add(heard, &output, from);
  }
}

void lose(va_detector *detector, uint64_t count) {
  va_event events[8];
  va_output output = {.events = events, .event_capacity = 8};
  size_t consumed;
  va_detector_push_gap(detector, NULL, count, &output);
  while (output.more) va_detector_process(detector, NULL, NULL, 0, &consumed, &output);
}

/* MARK: comparison */

likeness compare(const trace *a, const trace *b, size_t from, size_t to) {
  const double hops = (double)(to - from);
  size_t decisions = 0, posteriors = 0, settled = from;
  for (size_t hop = from; hop < to; hop++) {
    bool agree = fabsf(a->posteriors[hop] - b->posteriors[hop]) <= 1e-3f;
    decisions += a->decisions[hop] == b->decisions[hop];
    posteriors += agree;
    if (!agree) settled = hop + 1;
  }
  return (likeness){(double)decisions / hops, (double)posteriors / hops, (double)(settled - from) * HOP / RATE_HZ};
}

typedef struct scored {
  float posterior;
  bool is_speech;
} scored;

static int by_posterior(const void *a, const void *b) {
  float x = ((const scored *)a)->posterior, y = ((const scored *)b)->posterior;
  return (x > y) - (x < y);
}

double auc(const trace *t, const bool *is_speech) {
  scored *hops = allocate(t->count * sizeof *hops);
  for (size_t i = 0; i < t->count; i++) hops[i] = (scored){t->posteriors[i], is_speech[i]};
  qsort(hops, t->count, sizeof *hops, by_posterior);
  double pairs = 0, others = 0, speech = 0; /* pairs in the right order; hops below the present posterior */
  for (size_t i = 0, j; i < t->count; i = j) {
    double tied_speech = 0, tied_others = 0;
    for (j = i; j < t->count && hops[j].posterior == hops[i].posterior; j++)
      hops[j].is_speech ? tied_speech++ : tied_others++;
    pairs += tied_speech * (others + tied_others / 2);
    others += tied_others;
    speech += tied_speech;
  }
  free(hops);
  return pairs / (speech * others);
}
