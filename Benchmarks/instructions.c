/* Analyses one minute of one stream. Benchmarks/instructions.sh counts its instructions.
 *
 *     instructions RATE_HZ[:REFERENCE_HZ[xCHANNELS]|:smoothed]
 *
 * With a second rate, it analyses the stream beside what a loudspeaker plays, in one channel or more; with `smoothed`,
 * it smooths the results.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <voice_activity.h>

enum { HOPS = 6000, RATE_MAX_HZ = 192000 };

/* A sound that costs as much as a voice, but for its clarity, which is measured only where somebody may speak: a buzz
 * of 120 Hz over noise, on and off twice a second. Silence would be cheaper than real rooms are. */
static float sample(double seconds, uint32_t *noise) {
  *noise = *noise * 1664525u + 1013904223u;
  double hiss = (double)*noise / 4294967296.0 - 0.5;
  double buzz = fmod(seconds, 0.5) < 0.3 ? fmod(seconds * 120, 1) - 0.5 : 0;
  return (float)(0.3 * buzz + 0.01 * hiss);
}

/* Writes 10 ms of that sound, `delay` seconds late. Returns how many samples. */
static size_t make_hop(int hop, uint32_t rate, double delay, float *chunk) {
  static uint32_t noise = 1;
  size_t length = rate / 100;
  for (size_t i = 0; i < length; i++) chunk[i] = sample((double)hop / 100 + (double)i / rate + 1 - delay, &noise);
  return length;
}

/* Makes interleaved channels of one, each quieter than the one before it. */
static void spread(float *frames, size_t length, uint32_t channels) {
  for (size_t i = length; i-- > 0;)
    for (uint32_t channel = channels; channel-- > 0;) frames[i * channels + channel] = frames[i] / (float)(1 + channel);
}

static int fail(va_status_code code, int exit_code) {
  fprintf(stderr, "%s\n", va_status_text(code));
  return exit_code;
}

int main(int count, char **arguments) {
  char *end = "";
  uint32_t rate = count == 2 ? (uint32_t)strtoul(arguments[1], &end, 10) : 0;
  bool is_smoothed = strcmp(end, ":smoothed") == 0;
  uint32_t reference_rate = *end == ':' && !is_smoothed ? (uint32_t)strtoul(end + 1, &end, 10) : 0;
  uint32_t channels = *end == 'x' ? (uint32_t)strtoul(end + 1, NULL, 10) : 1;
  va_config config;
  va_detector *detector;
  va_echo *echo = NULL;
  va_smoother *smoother = NULL;
  va_config_default(&config, rate);
  va_status_code code = va_detector_create(&config, &detector);
  if (code == VA_OK && reference_rate) code = va_echo_create(reference_rate, &echo);
  if (code == VA_OK && is_smoothed) code = va_smoother_create(&config, &smoother);
  if (channels < 1 || channels > VA_ECHO_CHANNELS_MAX) code = VA_ERROR_ARGUMENT;
  if (code != VA_OK) return fail(code, 64);

  static float played[VA_ECHO_CHANNELS_MAX * RATE_MAX_HZ / 100], heard[RATE_MAX_HZ / 100];
  static va_event events[4 * VA_EVENTS_PER_HOP_MAX], smoothed_events[4 * VA_EVENTS_PER_HOP_MAX];
  static va_hop hops[4], smoothed_hops[4];
  for (int hop = 0; hop < HOPS; hop++) {
    if (echo) {
      const size_t length = make_hop(hop, reference_rate, 0, played);
      spread(played, length, channels);
      code = va_echo_push_interleaved(echo, played, length, channels);
    }
    if (code != VA_OK) return fail(code, 70);
    size_t length = make_hop(hop, rate, 0.1, heard), consumed = 0;
    va_output output = {.events = events, .event_capacity = sizeof events / sizeof events[0], .hops = hops,
                        .hop_capacity = 4};
    code = va_detector_process(detector, echo, heard, length, &consumed, &output);
    if (code != VA_OK || consumed != length) return fail(code, 70);
    va_output smoothed = {.events = smoothed_events, .event_capacity = output.event_capacity,
                          .hops = smoothed_hops, .hop_capacity = 4};
    if (smoother) code = va_smoother_process(smoother, &output, &smoothed);
    if (code != VA_OK) return fail(code, 70);
  }
  printf("%d %s %zu\n", HOPS, va_simd_name(), echo ? va_echo_size() : va_detector_size_for(rate));
  va_smoother_destroy(smoother);
  va_echo_destroy(echo);
  va_detector_destroy(detector);
  return 0;
}
