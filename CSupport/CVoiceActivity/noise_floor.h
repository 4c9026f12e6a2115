/* noise_floor.h — the background of each band, by minimum statistics.
 *
 * The floor is the least smoothed level of the last 1.6 s, plus what such a minimum lies below the mean (Martin,
 * "Noise power spectral density estimation based on optimal smoothing and minimum statistics", IEEE Trans. SAP
 * 9(5), 2001; here in decibels, with fixed smoothing). Speech dips to the background in every band within that
 * time, so that it hardly lifts the floor; a louder background is followed after it.
 */
#ifndef VA_NOISE_FLOOR_H
#define VA_NOISE_FLOOR_H

#include <stdint.h>

#include "kernels.h"

#define VA_FLOOR_SPANS 4      /* minima kept … */
#define VA_FLOOR_SPAN_STEPS 20 /* … each over this many steps */

typedef struct va_noise_floor {
  float smoothed[VA_BANDS]; /* dBFS */
  float floor[VA_BANDS];    /* dBFS, what the others read */
  float least[VA_BANDS];    /* of the span in progress */
  float minima[VA_FLOOR_SPANS - 1][VA_BANDS]; /* of the finished spans */
  float dbfs;               /* of all bands together; VA_LEVEL_MIN_DB before the first update */
  uint32_t steps;           /* in the span in progress */
  uint32_t oldest;          /* the finished span that is forgotten next */
  uint32_t started;         /* 0 before the first update */
} va_noise_floor;

void va_noise_floor_init(va_noise_floor *floor);

/* One step: bands_db as from the kernel `bands`, of which the first `usable` count. */
void va_noise_floor_update(va_noise_floor *floor, const va_kernels *kernels, const float *bands_db, int usable);

/* One step of which only the level in dBFS is known: the bands keep the shape that the floor has. */
void va_noise_floor_update_level(va_noise_floor *floor, const va_kernels *kernels, float level_dbfs, int usable);

#endif
