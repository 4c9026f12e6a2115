/* noise_floor.h — tracks the background of each band by minimum statistics.
 *
 * The floor is the minimum of the smoothed level over about 1.6 s, plus the bias of such a minimum against the mean
 * (Martin, "Noise power spectral density estimation based on optimal smoothing and minimum statistics", IEEE Trans. SAP
 * 9(5), 2001; here in decibels, with fixed smoothing). Within that time speech dips to the background in every band, so
 * that it hardly raises the floor. The floor follows a louder background after that time.
 */
#ifndef VA_NOISE_FLOOR_H
#define VA_NOISE_FLOOR_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry.h"
#include "kernels.h"

/* A span has this many steps after its first one, and takes 0.42 s. */
#define VA_FLOOR_SPAN_STEPS 20

typedef struct va_noise_floor {
  int16_t smoothed[VA_BANDS];                   /* dBFS · VA_FLOOR_ONE_DB, as the next two */
  int16_t least[VA_BANDS];                      /* minimum of the span in progress */
  int16_t minima[VA_FLOOR_SPANS - 1][VA_BANDS]; /* minima of the finished spans */
  float power;      /* of all bands together; 0 before the first update */
  uint8_t steps;    /* steps of the span in progress after its first one (the very first span counts it) */
  uint8_t oldest;   /* the finished span that is forgotten next */
  bool started;     /* false before the first update */
} va_noise_floor;

void va_noise_floor_init(va_noise_floor *floor);

/* Takes a step with the levels of the bands (the kernel `bands`), and writes the floor of each to floor_db, in dBFS.
 * Only the first `usable` bands count for `power`. */
void va_noise_floor_update(va_noise_floor *floor, const va_kernels *kernels, const float *bands_db, int usable,
                           float *floor_db);

/* Takes a step of which only the level is known: the bands get the shape that the floor has. */
void va_noise_floor_update_level(va_noise_floor *floor, const va_kernels *kernels, float level_dbfs, int usable);

#endif
