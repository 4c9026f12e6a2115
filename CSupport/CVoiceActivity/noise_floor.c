#include "noise_floor.h"

#include <string.h>

#include "level.h"

void va_noise_floor_init(va_noise_floor *floor) { *floor = (va_noise_floor){0}; }

static void start(va_noise_floor *floor, const float *bands_db) {
  for (int band = 0; band < VA_BANDS; band++) floor->smoothed[band] = (int16_t)(bands_db[band] * VA_FLOOR_ONE_DB);
  memcpy(floor->least, floor->smoothed, sizeof floor->least);
  for (int span = 0; span < VA_FLOOR_SPANS - 1; span++) memcpy(floor->minima[span], floor->least, sizeof floor->least);
  floor->started = true;
}

/* The finished span replaces the oldest one. */
static void next_span(va_noise_floor *floor) {
  memcpy(floor->minima[floor->oldest], floor->least, sizeof floor->least);
  memcpy(floor->least, floor->smoothed, sizeof floor->least);
  floor->oldest = (uint8_t)((floor->oldest + 1) % (VA_FLOOR_SPANS - 1));
  floor->steps = 0;
}

void va_noise_floor_update(va_noise_floor *floor, const va_kernels *kernels, const float *bands_db, int usable,
                           float *floor_db) {
  if (!floor->started) start(floor, bands_db);
  if (floor->steps < VA_FLOOR_SPAN_STEPS) floor->steps++;
  else next_span(floor);
  kernels->smooth_floor(floor->smoothed, floor->least, bands_db);
  kernels->find_floor(floor->least, &floor->minima[0][0], floor_db);
  floor->power = kernels->total(floor_db, (size_t)usable);
}

/* Every band is moved by the difference between the level and the floor of all bands. The level of a whole hop hardly
 * fluctuates in noise, so that its minimum needs no bias: the bias that the update adds is subtracted first. */
void va_noise_floor_update_level(va_noise_floor *floor, const va_kernels *kernels, float level_dbfs, int usable) {
  float shape[VA_BANDS] = {0}, bands_db[VA_BANDS];
  if (floor->started) kernels->find_floor(floor->least, &floor->minima[0][0], shape);
  float total = floor->started ? floor->power : kernels->total(shape, (size_t)usable);
  float change = level_dbfs - va_power_db(total) - VA_FLOOR_BIAS_DB;
  for (int band = 0; band < VA_BANDS; band++)
    bands_db[band] = band < usable && shape[band] + change > VA_BAND_FLOOR_DB ? shape[band] + change : VA_BAND_FLOOR_DB;
  va_noise_floor_update(floor, kernels, bands_db, usable, shape);
}
