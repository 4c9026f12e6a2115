#include "noise_floor.h"

#include <math.h>
#include <string.h>

#include "fast_math.h"
#include "level.h"

/* Weight of a new hop in the smoothed level: a time constant of about 4 hops. */
#define VA_FLOOR_SMOOTHING 0.25f

/* How far the minimum over 1.6 s of so smoothed noise lies below the noise's mean level, in dB: measured on
 * white noise (Tests/CVoiceActivityTests/NoiseFloorTests.swift). */
#define VA_FLOOR_BIAS_DB 4.0f

void va_noise_floor_init(va_noise_floor *floor) { memset(floor, 0, sizeof *floor); }

static void start(va_noise_floor *floor, const float *bands_db) {
  memcpy(floor->smoothed, bands_db, sizeof floor->smoothed);
  for (int span = 0; span < VA_FLOOR_SPANS; span++) memcpy(floor->minima[span], bands_db, sizeof floor->smoothed);
  floor->started = 1;
}

static void next_span(va_noise_floor *floor) {
  floor->hops = 0;
  floor->span = (floor->span + 1) % VA_FLOOR_SPANS;
  memcpy(floor->minima[floor->span], floor->smoothed, sizeof floor->smoothed);
}

void va_noise_floor_update(va_noise_floor *floor, const float *bands_db) {
  if (!floor->started) start(floor, bands_db);
  if (floor->hops++ == VA_FLOOR_SPAN_HOPS) next_span(floor);
  float *least = floor->minima[floor->span];
  for (int band = 0; band < VA_BANDS; band++) {
    floor->smoothed[band] += VA_FLOOR_SMOOTHING * (bands_db[band] - floor->smoothed[band]);
    least[band] = fminf(least[band], floor->smoothed[band]);
  }
  for (int band = 0; band < VA_BANDS; band++) {
    float minimum = floor->minima[0][band];
    for (int span = 1; span < VA_FLOOR_SPANS; span++) minimum = fminf(minimum, floor->minima[span][band]);
    floor->floor[band] = minimum + VA_FLOOR_BIAS_DB;
  }
}

float va_noise_floor_dbfs(const va_noise_floor *floor, int usable) {
  float power = 0;
  if (!floor->started) return VA_LEVEL_MIN_DB;
  for (int band = 0; band < usable; band++) power += va_exp2(floor->floor[band] * (1 / VA_DB_PER_LOG2));
  return va_power_db(power);
}
