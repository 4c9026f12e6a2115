/* what_it_finds.c — prints as JSON what the C library finds in WAV files, smoothed, to compare machines, as
 * Bindings/python/tests/what_it_finds.py does for the Python package:
 *
 *     ./what_it_finds FILE…
 *
 * It links an installed library, or has the core compiled in for a system on which nothing of the kind is installed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <voice_activity.h>

#include "../../Examples/C/wav.h"

#if defined(__aarch64__)
#define MACHINE "aarch64"
#else
#define MACHINE "x86_64"
#endif

enum { CHUNK = 4096, EVENTS = 64, HOPS = 512 };

typedef struct findings {
  double rate_hz;
  uint64_t onset; /* a segment is known when it ends */
  double *times;  /* onset and offset of each segment, in seconds */
  size_t time_count, time_capacity;
  size_t posterior_count;
} findings;

static void fail(const char *name, const char *problem) {
  fprintf(stderr, "what_it_finds: %s: %s\n", name, problem);
  exit(1);
}

static void add_time(findings *found, uint64_t position) {
  if (found->time_count == found->time_capacity) {
    found->time_capacity = found->time_capacity * 2 + 64;
    found->times = realloc(found->times, found->time_capacity * sizeof *found->times);
    if (!found->times) fail("memory", "there is none left");
  }
  found->times[found->time_count++] = (double)position / found->rate_hz;
}

/* Smooths results, or the end of the stream if they are NULL. Prints the posteriors at once, and keeps the segments for
 * later. */
static void take(findings *found, va_smoother *smoother, const va_output *results) {
  static va_hop hops[HOPS];
  va_event events[EVENTS];
  va_output smoothed = {.events = events, .event_capacity = EVENTS, .hops = hops, .hop_capacity = HOPS};
  do {
    va_smoother_process(smoother, results, &smoothed);
    for (size_t i = 0; i < smoothed.event_count; i++) {
      const va_event *event = &events[i];
      if (event->type == VA_EVENT_ONSET || event->type == VA_EVENT_OFFSET) add_time(found, event->position);
    }
    for (size_t i = 0; i < smoothed.hop_count; i++)
      printf("%s%.9g", found->posterior_count++ ? ", " : "", (double)hops[i].posterior);
  } while (smoothed.more);
}

static void analyse(const char *name, findings *found) {
  static float samples[CHUNK];
  static va_hop hops[HOPS];
  va_event events[EVENTS];
  va_output output = {.events = events, .event_capacity = EVENTS, .hops = hops, .hop_capacity = HOPS};
  wav_reader wav;
  if (!wav_open(&wav, name)) fail(name, wav.problem);
  va_config config;
  va_config_default(&config, wav.rate_hz);
  va_detector *detector;
  va_smoother *smoother;
  va_status_code code = va_detector_create(&config, &detector);
  if (code == VA_OK) code = va_smoother_create(&config, &smoother);
  if (code != VA_OK) fail(name, va_status_text(code));
  found->rate_hz = wav.rate_hz;
  size_t count;
  while ((count = wav_read(&wav, samples, CHUNK)) > 0) {
    for (size_t done = 0, consumed; done < count || output.more; done += consumed) {
      va_detector_process(detector, NULL, samples + done, count - done, &consumed, &output);
      take(found, smoother, &output);
    }
  }
  do {
    va_detector_flush(detector, NULL, &output);
    take(found, smoother, &output);
  } while (output.more);
  take(found, smoother, NULL);
  va_smoother_destroy(smoother);
  va_detector_destroy(detector);
  wav_close(&wav);
  if (wav.exit_code != 0) fail(name, wav.problem);
}

/* The name of a file without its folder, on Windows too. */
static const char *file_name(const char *path) {
  const char *name = path;
  for (const char *c = path; *c; c++)
    if (*c == '/' || *c == '\\') name = c + 1;
  return name;
}

int main(int argc, char **argv) {
  findings *found = calloc((size_t)argc, sizeof *found);
  if (!found) fail("memory", "there is none left");
  printf("{\"machine\": \"%s\", \"simd\": \"%s\", \"posteriors\": {", MACHINE, va_simd_name());
  for (int i = 1; i < argc; i++) {
    printf("%s\"%s\": [", i > 1 ? ", " : "", file_name(argv[i]));
    analyse(argv[i], &found[i]);
    printf("]");
  }
  printf("}, \"segments\": {");
  for (int i = 1; i < argc; i++) {
    printf("%s\"%s\": [", i > 1 ? ", " : "", file_name(argv[i]));
    for (size_t k = 0; k + 1 < found[i].time_count; k += 2)
      printf("%s[%.3f, %.3f]", k ? ", " : "", found[i].times[k], found[i].times[k + 1]);
    printf("]");
  }
  printf("}}\n");
  if (fflush(stdout) != 0 || ferror(stdout)) fail("standard output", "cannot be written");
  return 0;
}
