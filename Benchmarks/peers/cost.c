/* Measures the CPU time that a detector takes for a recording, without reading or decoding it.
 *
 *     cost PASSES FILE      raw 16-bit samples of RATE_HZ (cost.h), one channel, in the machine's byte order
 *
 * Prints the hops, the hops with speech, the CPU seconds of the fastest pass, the bytes of state a stream,
 * and the SIMD body.
 * The fastest, for other work on the machine only ever adds; the first pass warms the caches.
 */
#define _POSIX_C_SOURCE 200809L
#include "cost.h"
#include "raw_samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argument_count, char **arguments) {
  int passes = argument_count == 3 ? atoi(arguments[1]) : 0;
  if (passes < 1) return fprintf(stderr, "usage: cost PASSES FILE\n"), 64;
  size_t count = 0, speech_hops = 0;
  int16_t *samples = read_samples(arguments[2], &count);
  if (!samples) return fprintf(stderr, "%s: cannot be read, or is empty\n", arguments[2]), 66;

  double best = 0;
  for (int pass = 0; pass < passes; pass++) {
    double start = cpu_seconds();
    speech_hops = count_speech_hops(samples, count);
    double taken = cpu_seconds() - start;
    if (pass == 0 || taken < best) best = taken;
  }
  printf("%zu %zu %.9f %zu %s\n", count / HOP_SAMPLES, speech_hops, best, stream_bytes(), simd_body());
  free(samples);
  return 0;
}
