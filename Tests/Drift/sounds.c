#include "sounds.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURN 6.283185307179586

const char *const colour_names[COLOURS] = {"white", "pink", "brown", "hum"};

void *allocate(size_t bytes) {
  void *memory = calloc(1, bytes);
  if (memory) return memory;
  fprintf(stderr, "drift: there is no memory for %zu bytes\n", bytes);
  exit(1);
}

/* MARK: recordings */

static FILE *open_or_exit(const char *name, const char *ending) {
  char path[4096];
  snprintf(path, sizeof path, "%s.%s", name, ending);
  FILE *file = fopen(path, "rb");
  if (file) return file;
  fprintf(stderr, "drift: cannot open %s\n", path);
  exit(66);
}

static void read_samples(recording *r) {
  FILE *file = open_or_exit(r->name, "f32");
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file) / sizeof *r->samples;
  rewind(file);
  r->samples = allocate((size + 1) * sizeof *r->samples);
  r->count = fread(r->samples, sizeof *r->samples, size, file) / HOP * HOP; /* whole hops */
  fclose(file);
  if (r->count > 0) return;
  fprintf(stderr, "drift: %s.f32 holds no sound\n", r->name);
  exit(65);
}

static void read_labels(recording *r) {
  FILE *file = open_or_exit(r->name, "txt");
  double start, end;
  r->is_speech = allocate(r->count / HOP);
  while (fscanf(file, "%lf %lf %*[^\n]", &start, &end) == 2)
    for (size_t hop = 0; hop < r->count / HOP; hop++) {
      double middle = (double)(hop * HOP + HOP / 2) / RATE_HZ;
      r->is_speech[hop] |= middle >= start && middle < end;
    }
  bool is_read = feof(file);
  fclose(file);
  if (is_read) return;
  fprintf(stderr, "drift: %s.txt has a line that is not start, end and text\n", r->name);
  exit(65);
}

recording read_recording(const char *name) {
  recording r = {.name = name};
  read_samples(&r);
  read_labels(&r);
  return r;
}

float speech_level_dbfs(const recording *r) {
  double sum = 0;
  size_t count = 0;
  for (size_t n = 0; n < r->count; n++)
    if (r->is_speech[n / HOP]) sum += (double)r->samples[n] * r->samples[n], count++;
  return (float)(10 * log10(sum / (double)count));
}

/* MARK: noise */

/* Uniform in -1 … 1: a linear congruential generator (Numerical Recipes). */
static double uniform(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return (double)*state / 2147483648.0 - 1;
}

/* Paul Kellet's "economy" filter: pink within 0.5 dB above 10 Hz. */
static double pink(double white, double *b) {
  b[0] = 0.99765 * b[0] + white * 0.0990460;
  b[1] = 0.96300 * b[1] + white * 0.2965164;
  b[2] = 0.57000 * b[2] + white * 1.0526913;
  return b[0] + b[1] + b[2] + white * 0.1848;
}

/* Mains: a sum of harmonics as rectifiers leave it. */
static double hum(size_t n) {
  double sum = 0;
  for (int harmonic = 1; harmonic <= 12; harmonic++)
    sum += sin(TURN * 50 * harmonic * (double)n / RATE_HZ) / harmonic;
  return sum;
}

float gain_of_db(float db) { return powf(10, db / 20); }

float *make_noise(colour which, size_t count, float rms_dbfs) {
  float *noise = allocate(count * sizeof *noise);
  uint32_t state = 1 + (uint32_t)which;
  double filter[3] = {0}, brown = 0, sum = 0;
  for (size_t n = 0; n < count; n++) {
    double white = uniform(&state);
    brown = 0.998 * brown + white; /* flat below 5 Hz */
    double x = which == WHITE ? white : which == PINK ? pink(white, filter) : which == BROWN ? brown : hum(n);
    noise[n] = (float)x;
    sum += x * x;
  }
  float gain = (float)(gain_of_db(rms_dbfs) / sqrt(sum / (double)count));
  for (size_t n = 0; n < count; n++) noise[n] *= gain;
  return noise;
}
