/* speech_features.h — the features that the network gets of a window. (The C library has a header called features.h.)
 *
 * Every feature is relative, so that a change of the level or of the microphone's gain changes none of them for long:
 * each band's level over the loudness of the last seconds, which preserves the shape of the spectrum, and over the
 * band's noise floor, which a coloured background does not change. The periodicity and the pitch are added to them.
 */
#ifndef VA_SPEECH_FEATURES_H
#define VA_SPEECH_FEATURES_H

#include <stdint.h>

#include "kernels.h"

/* The centres and spans, in dB, that map the bands of speech to about -1 … 1. */
#define VA_RELATIVE_CENTRE_DB (-25)
#define VA_RELATIVE_SPAN_DB 20
#define VA_OVER_FLOOR_CENTRE_DB 8
#define VA_OVER_FLOOR_SPAN_DB 12

typedef struct va_loudness {
  float db;         /* dBFS; follows a rise within 50 ms, falls by 5 dB/s */
  uint32_t started; /* 0 before the first window, then 1 */
} va_loudness;

/* Takes a step. power: the mean square of all bands together. */
void va_loudness_update(va_loudness *loudness, float power);

/* Scales periodicity and lag for the network: about -1 … 2. */
void va_pitch_features(va_pitch pitch, float features[VA_PITCH_INPUTS]);

#endif
