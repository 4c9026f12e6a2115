/* bits.c — the posteriors of a recording as the native core gives them, to compare with the module's.
 *
 *     bits RATE [beside] < samples
 *
 * The samples are 32-bit floats, one channel. It prints the bits of each hop's posterior, a line each. With `beside`, a
 * loudspeaker plays the same as the microphone hears. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <voice_activity.h>

enum { CHUNK = 480, EVENTS = 64, HOPS = 64 };

static void print(const va_output *output) {
  for (size_t i = 0; i < output->hop_count; i++) {
    uint32_t bits;
    memcpy(&bits, &output->hops[i].posterior, sizeof bits);
    printf("%08" PRIx32 "\n", bits);
  }
}

int main(int argc, char **argv) {
  va_config config;
  va_detector *detector;
  va_echo *echo = NULL;
  va_config_default(&config, argc >= 2 ? (uint32_t)atoi(argv[1]) : 0);
  va_status_code code = va_detector_create(&config, &detector);
  if (code == VA_OK && argc == 3) code = va_echo_create(config.sample_rate_hz, &echo);
  if (code != VA_OK) return fprintf(stderr, "bits: %s\n", va_status_text(code)), 64;

  static float samples[CHUNK];
  static va_event events[EVENTS];
  static va_hop hops[HOPS];
  va_output output = {.events = events, .event_capacity = EVENTS, .hops = hops, .hop_capacity = HOPS};
  for (size_t count; (count = fread(samples, sizeof *samples, CHUNK, stdin)) > 0;) {
    if (echo) va_echo_push(echo, samples, count);
    for (size_t done = 0, consumed; done < count || output.more; done += consumed) {
      va_detector_process(detector, echo, samples + done, count - done, &consumed, &output);
      print(&output);
    }
  }
  do {
    va_detector_flush(detector, echo, &output);
    print(&output);
  } while (output.more);
  va_detector_destroy(detector);
  va_echo_destroy(echo);
}
