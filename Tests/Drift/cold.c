/* cold.c — detectors that have heard nothing yet: soon as good as others, and quiet in the meantime. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drift.h"
#include "trace.h"

enum { STARTS = 10, KNOWN = 10 * RATE_HZ, COLD = RATE_HZ / 2, BETWEEN = 7 * RATE_HZ + 37 };

/* A recording from its first labelled hop on. */
static recording from_first_speech(const recording *r) {
  size_t hop = 0;
  while (hop < r->count / HOP && !r->is_speech[hop]) hop++;
  return (recording){r->name, r->samples + hop * HOP, r->count - hop * HOP, r->is_speech + hop};
}

/* Half a second of noise, then speech 15 dB above it: a detector that starts with it against one that heard 10 s of
 * the noise before. `noise` begins with those 10 s. */
static likeness start_cold(const float *noise, const recording *speech, float gain) {
  size_t length = KNOWN + COLD + speech->count, hops = (COLD + speech->count) / HOP - TAIL / HOP;
  float *mixed = allocate(length * sizeof *mixed);
  memcpy(mixed, noise, length * sizeof *mixed);
  for (size_t n = 0; n < speech->count; n++) mixed[KNOWN + COLD + n] += gain * speech->samples[n];
  va_detector *cold = make_detector(), *warm = make_detector();
  trace of_cold = make_trace(hops), of_warm = make_trace(hops);
  play(cold, mixed + KNOWN, length - KNOWN, 0, &of_cold);
  play(warm, mixed, length, KNOWN, &of_warm);
  likeness l = compare(&of_cold, &of_warm, COLD / HOP, hops);
  va_detector_destroy(cold), va_detector_destroy(warm);
  free_trace(&of_cold), free_trace(&of_warm), free(mixed);
  return l;
}

int prove_warm(const recording *first) {
  int failures = 0;
  recording speech = from_first_speech(first);
  float gain = gain_of_db(-40 + 15 - speech_level_dbfs(&speech));
  printf("\n%-34s %24s %14s\n", "cold starts in noise at -40 dBFS", "equal decisions, worst", "settled after");
  for (colour c = WHITE; c <= PINK; c++) {
    float *noise = make_noise(c, STARTS * BETWEEN + KNOWN + COLD + speech.count, -40);
    likeness worst = {1, 1, 0};
    for (size_t i = 0; i < STARTS; i++) {
      likeness l = start_cold(noise + i * BETWEEN, &speech, gain);
      worst.equal_decisions = fmin(worst.equal_decisions, l.equal_decisions);
      worst.settled_s = fmax(worst.settled_s, l.settled_s);
    }
    bool good = worst.equal_decisions >= 0.98;
    printf("%-34s %22.2f %% %12.2f s%s\n", colour_names[c], 100 * worst.equal_decisions, worst.settled_s,
           good ? "" : "  FAILED");
    failures += !good;
    free(noise);
  }
  return failures ? fail("half a second of noise is too short to warm up") : 0;
}

/* Alarms in the first half second of noise: one may come, a tenth of a second long and what the hangover adds. */
typedef struct alarms {
  size_t onsets, hops;
} alarms;

static alarms start_in(const float *noise) {
  trace heard = make_trace(COLD / HOP);
  alarms found = {0, 0};
  va_detector *detector = make_detector();
  play(detector, noise, COLD + TAIL, 0, &heard);
  for (size_t hop = 0; hop < heard.count; hop++) {
    found.hops += heard.decisions[hop];
    found.onsets += heard.decisions[hop] && (hop == 0 || !heard.decisions[hop - 1]);
  }
  va_detector_destroy(detector);
  free_trace(&heard);
  return found;
}

int prove_no_alarms(void) {
  va_config config;
  va_config_default(&config, RATE_HZ);
  const size_t longest = (100 + config.hangover_ms) / VA_HOP_MS;
  int failures = 0;
  printf("\n%-34s %24s %14s\n", "the first half second of noise", "starts with an alarm", "longest");
  for (colour c = WHITE; c < COLOURS; c++)
    for (float level = -60; level <= -20; level += 20) {
      float *noise = make_noise(c, STARTS * BETWEEN + COLD + TAIL, level);
      size_t with_alarm = 0, onsets = 0, hops = 0;
      for (size_t i = 0; i < STARTS; i++) {
        alarms found = start_in(noise + i * BETWEEN);
        with_alarm += found.onsets > 0;
        onsets = found.onsets > onsets ? found.onsets : onsets;
        hops = found.hops > hops ? found.hops : hops;
      }
      bool good = onsets <= 1 && hops <= longest;
      printf("%-6s at %.0f dBFS %33zu of %d %11zu ms%s\n", colour_names[c], level, with_alarm, STARTS,
             hops * VA_HOP_MS, good ? "" : "  FAILED");
      failures += !good;
      free(noise);
    }
  return failures ? fail("noise alone raises alarms when the detector starts") : 0;
}
