#include "noise_floor.h"

#include <string.h>

#include "level.h"

/* The weight of a new step in the smoothed level: a time constant of about 40 ms. */
#define VA_FLOOR_SMOOTHING 0.44f

/* How far the minimum of white noise, smoothed like this, lies below its mean level over 1.6 s, in dB: measured
 * (Tests/CVoiceActivityTests/Stages/NoiseFloorTests.swift). */
#define VA_FLOOR_BIAS_DB 4.3f

void va_noise_floor_init(va_noise_floor *floor) { *floor = (va_noise_floor){.dbfs = VA_LEVEL_MIN_DB}; }

static void start(va_noise_floor *floor, const float *bands_db) {
  memcpy(floor->smoothed, bands_db, sizeof floor->smoothed);
  memcpy(floor->least, bands_db, sizeof floor->least);
  for (int span = 0; span < VA_FLOOR_SPANS - 1; span++) memcpy(floor->minima[span], bands_db, sizeof floor->least);
  floor->started = 1;
}

/* The finished span replaces the oldest one. */
static void next_span(va_noise_floor *floor) {
  memcpy(floor->minima[floor->oldest], floor->least, sizeof floor->least);
  memcpy(floor->least, floor->smoothed, sizeof floor->least);
  floor->oldest = (floor->oldest + 1) % (VA_FLOOR_SPANS - 1);
  floor->steps = 0;
}

static inline float lesser(float a, float b) { return a < b ? a : b; }

void va_noise_floor_update(va_noise_floor *floor, const va_kernels *kernels, const float *bands_db, int usable) {
  if (!floor->started) start(floor, bands_db);
  if (floor->steps < VA_FLOOR_SPAN_STEPS) floor->steps++;
  else next_span(floor);
  for (int band = 0; band < VA_BANDS; band++) {
    floor->smoothed[band] += VA_FLOOR_SMOOTHING * (bands_db[band] - floor->smoothed[band]);
    float least = floor->least[band] = lesser(floor->least[band], floor->smoothed[band]);
    for (int span = 0; span < VA_FLOOR_SPANS - 1; span++) least = lesser(least, floor->minima[span][band]);
    floor->floor[band] = least + VA_FLOOR_BIAS_DB;
  }
  floor->dbfs = va_power_db(kernels->total(floor->floor, (size_t)usable));
}

/* Every band is moved by the difference between the level and the floor of all bands. The level of a whole hop hardly
 * fluctuates in noise, so that its minimum needs no bias: the bias that the update adds is subtracted first. */
void va_noise_floor_update_level(va_noise_floor *floor, const va_kernels *kernels, float level_dbfs, int usable) {
  static const float flat[VA_BANDS];
  const float *shape = floor->started ? floor->floor : flat;
  float total = floor->started ? floor->dbfs : va_power_db(kernels->total(flat, (size_t)usable));
  float change = level_dbfs - total - VA_FLOOR_BIAS_DB, bands_db[VA_BANDS];
  for (int band = 0; band < VA_BANDS; band++)
    bands_db[band] = band < usable && shape[band] + change > VA_BAND_FLOOR_DB ? shape[band] + change : VA_BAND_FLOOR_DB;
  va_noise_floor_update(floor, kernels, bands_db, usable);
}
