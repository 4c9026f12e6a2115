/* speech_features.h — what the network sees of a window. (Not features.h: the C library has a header of that name.)
 *
 * Every feature is relative, so that a change of level or of the microphone's gain moves none of them for long:
 * each band's level over the loudness of the last seconds, which keeps the shape of the spectrum, and over the
 * band's noise floor, which a coloured background does not move. The periodicity and the pitch come beside them.
 */
#ifndef VA_SPEECH_FEATURES_H
#define VA_SPEECH_FEATURES_H

#include <stdint.h>

#include "kernels.h"

typedef struct va_loudness {
  float db;         /* dBFS; follows a rise within 50 ms, a fall by 5 dB/s */
  uint32_t started; /* 0 before the first window */
} va_loudness;

/* One step of the follower: `power` is the mean square of all bands together. */
void va_loudness_update(va_loudness *loudness, float power);

/* periodicity and lag as the network takes them, about -1 … 2 */
void va_pitch_features(va_pitch pitch, float features[VA_PITCH_INPUTS]);

#endif
