/* What the measuring programs hear: raw 16-bit samples, one channel, in the machine's byte order. */
#ifndef RAW_SAMPLES_H
#define RAW_SAMPLES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* All of a file, from malloc; NULL if it cannot be read or is empty. */
static int16_t *read_samples(const char *name, size_t *count) {
  FILE *file = fopen(name, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  long bytes = ftell(file);
  rewind(file);
  int16_t *samples = bytes > 0 ? malloc((size_t)bytes) : NULL;
  *count = samples ? fread(samples, sizeof *samples, (size_t)bytes / sizeof *samples, file) : 0;
  fclose(file);
  return samples;
}

#endif
