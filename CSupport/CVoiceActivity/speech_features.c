#include "speech_features.h"

#include <math.h>
#include <string.h>

#include "fast_math.h"

/* Bands 188 … 3500 Hz, the telephone's; band VA_VOICE_MIDDLE begins at 969 Hz. */
#define VA_VOICE_BEGIN 3
#define VA_VOICE_MIDDLE 9
#define VA_VOICE_END 16

/* Level over the floor above which louder tells nothing more. */
#define VA_SNR_MAX_DB 30.0f

/* The same for the periodicity: a steady vowel. Pure tones reach 1. */
#define VA_PERIODICITY_MAX 0.8f

/* Weights of a new hop in what is held or slow, and in the variability. */
#define VA_HELD_WEIGHT 0.05f
#define VA_SLOW_WEIGHT 0.05f
#define VA_VARIABILITY_WEIGHT 0.025f

/* Bins of the harmonics: 94 … 2500 Hz. */
#define VA_HARMONIC_BEGIN 3
#define VA_HARMONIC_END 80

/* Lags of the pitch in steps of 2 samples at 16 kHz: 400 … 62.5 Hz. */
#define VA_LAG_BEGIN 20
#define VA_LAG_END 128

void va_features_init(va_feature_memory *memory) { memset(memory, 0, sizeof *memory); }

static float mean(const float *values, int begin, int end) {
  float sum = 0;
  for (int i = begin; i < end; i++) sum += values[i];
  return sum / (float)(end - begin);
}

static float snr(const float *bands_db, const float *floor_db, int usable) {
  float sum = 0;
  for (int band = 0; band < usable; band++)
    sum += fminf(fmaxf(bands_db[band] - floor_db[band], 0), VA_SNR_MAX_DB);
  return sum / (float)usable;
}

static float flatness(const float *bands_db, const float *power, int usable) {
  float sum = 0;
  for (int bin = va_band_edges[0]; bin < va_band_edges[usable]; bin++) sum += power[bin];
  return mean(bands_db, 0, usable) - VA_DB_PER_LOG2 * va_log2(sum / (float)usable);
}

static float tilt(const float *bands_db, int usable) {
  int end = usable < VA_VOICE_END ? usable : VA_VOICE_END;
  return mean(bands_db, VA_VOICE_BEGIN, VA_VOICE_MIDDLE) - mean(bands_db, VA_VOICE_MIDDLE, end);
}

/* The largest peak of the cosine transform of the magnitude spectrum, over its value at lag 0: near 0.1 for
 * noise, 0.3 … 0.7 for a voiced sound. */
static float periodicity(const va_kernels *kernels, const float *power) {
  float magnitude[VA_HARMONIC_END], correlation[VA_LAGS];
  kernels->square_root(power, magnitude, VA_HARMONIC_END);
  memset(magnitude, 0, VA_HARMONIC_BEGIN * sizeof(float));
  kernels->cosine_spectrum(magnitude, VA_HARMONIC_END, correlation);
  float peak = kernels->largest(correlation + VA_LAG_BEGIN, VA_LAG_END - VA_LAG_BEGIN);
  return correlation[0] > 0 ? fminf(peak / correlation[0], VA_PERIODICITY_MAX) : 0;
}

static float flux(const float *previous_db, const float *bands_db, int usable) {
  float sum = 0;
  for (int band = 0; band < usable; band++) sum += fabsf(bands_db[band] - previous_db[band]);
  return sum / (float)usable;
}

static float variability(va_feature_memory *memory, const float *bands_db, int usable) {
  float sum = 0;
  for (int band = 0; band < usable; band++) {
    float difference = bands_db[band] - memory->mean_db[band];
    memory->mean_db[band] += VA_VARIABILITY_WEIGHT * difference;
    memory->variance_db[band] += VA_VARIABILITY_WEIGHT * (difference * difference - memory->variance_db[band]);
    sum += sqrtf(memory->variance_db[band]);
  }
  return sum / (float)usable;
}

static float slow(float last, float now) { return last + VA_SLOW_WEIGHT * (now - last); }

static float held(float last, float now) { return fmaxf(now, last + VA_HELD_WEIGHT * (now - last)); }

va_features va_features_measure(va_feature_memory *memory, const va_kernels *kernels, const float *power,
                                const float *bands_db, const float *floor_db, int usable) {
  if (!memory->started) {
    memcpy(memory->previous_db, bands_db, sizeof memory->previous_db);
    memcpy(memory->mean_db, bands_db, sizeof memory->mean_db);
  }
  va_features now = {
      .snr_db = snr(bands_db, floor_db, usable),
      .periodicity = periodicity(kernels, power),
      .tilt_db = tilt(bands_db, usable),
      .flatness_db = flatness(bands_db, power, usable),
      .flux_db = flux(memory->previous_db, bands_db, usable),
      .variability_db = variability(memory, bands_db, usable),
  };
  now.held_snr_db = now.snr_db;
  const va_features last = memory->started ? memory->last : now;
  now.held_snr_db = held(last.held_snr_db, now.snr_db);
  now.periodicity = held(last.periodicity, now.periodicity);
  now.tilt_db = slow(last.tilt_db, now.tilt_db);
  now.flatness_db = slow(last.flatness_db, now.flatness_db);
  now.flux_db = slow(last.flux_db, now.flux_db);
  memcpy(memory->previous_db, bands_db, sizeof memory->previous_db);
  memory->last = now;
  memory->started = 1;
  return now;
}
