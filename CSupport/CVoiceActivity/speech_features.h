/* speech_features.h — what is measured of a window: the input of the posterior. (Not features.h: the C library has
 * a header of that name.)
 *
 * All are relative, so that a change of level or of the microphone's gain moves none of them. Three time scales:
 * the window itself (32 ms), "held" (the peak, falling back by 5 % a hop) and "slow" (a running mean over about
 * 200 ms); the variability spans about 400 ms.
 */
#ifndef VA_SPEECH_FEATURES_H
#define VA_SPEECH_FEATURES_H

#include <stdint.h>

#include "kernels.h"
#include "noise_floor.h"
#include "tables.h"

typedef struct va_features {
  float snr_db;         /* level over the noise floor, each band 0 … 30, mean over the bands */
  float held_snr_db;    /* the same, held */
  float periodicity;    /* held; 0 … 0.8: how much of 94 … 2500 Hz repeats every 62 … 400 Hz */
  float tilt_db;        /* slow; mean band level below 1 kHz minus that above, within 188 … 3500 Hz */
  float flatness_db;    /* slow; geometric over arithmetic mean of the band powers, <= 0, noise near 0 */
  float flux_db;        /* slow; mean absolute change of the bands from hop to hop */
  float variability_db; /* standard deviation of the bands over time, mean over the bands */
} va_features;

typedef struct va_feature_memory {
  float previous_db[VA_BANDS]; /* the bands of the last hop */
  float mean_db[VA_BANDS];     /* their running mean … */
  float variance_db[VA_BANDS]; /* … and variance, dB² */
  va_features last;
  uint32_t started; /* 0 before the first window */
} va_feature_memory;

/* Forgets: at the start, and after a gap. */
void va_features_init(va_feature_memory *memory);

/* Measures one window. power: 257 bins; bands_db: its bands, of which the first `usable` count. */
va_features va_features_measure(va_feature_memory *memory, const va_kernels *kernels, const float *power,
                                const float *bands_db, const float *floor_db, int usable);

#endif
