/* Analyses one minute of one stream. Benchmarks/instructions.sh counts its instructions.
 *
 *     instructions RATE_HZ
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <voice_activity.h>

enum { HOPS = 6000, RATE_MAX_HZ = 192000 };

/* A sound that costs as much as a voice: a buzz of 120 Hz over noise, on and off twice a second. Silence would be cheaper
 * than real rooms are. */
static float sample(double seconds, uint32_t *noise) {
  *noise = *noise * 1664525u + 1013904223u;
  double hiss = (double)*noise / 4294967296.0 - 0.5;
  double buzz = fmod(seconds, 0.5) < 0.3 ? fmod(seconds * 120, 1) - 0.5 : 0;
  return (float)(0.3 * buzz + 0.01 * hiss);
}

int main(int count, char **arguments) {
  uint32_t rate = count == 2 ? (uint32_t)strtoul(arguments[1], NULL, 10) : 0, noise = 1;
  va_config config;
  va_detector *detector;
  va_config_default(&config, rate);
  va_status_code code = va_detector_create(&config, &detector);
  if (code != VA_OK) return fprintf(stderr, "%s\n", va_status_text(code)), 64;

  static float chunk[RATE_MAX_HZ / 100];
  static va_event events[4 * VA_EVENTS_PER_HOP_MAX];
  uint64_t position = 0;
  for (int hop = 0; hop < HOPS; hop++) {
    size_t length = rate / 100, consumed = 0;
    for (size_t i = 0; i < length; i++) chunk[i] = sample((double)position++ / rate, &noise);
    va_output output = {.events = events, .event_capacity = sizeof events / sizeof events[0]};
    code = va_detector_process(detector, chunk, length, &consumed, &output);
    if (code != VA_OK || consumed != length) return fprintf(stderr, "%s\n", va_status_text(code)), 70;
  }
  printf("%d %s\n", HOPS, va_simd_name());
  va_detector_destroy(detector);
  return 0;
}
