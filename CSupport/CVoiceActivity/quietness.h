/* quietness.h — what is too quiet to be anybody near the microphone.
 *
 * Far voices that no listener would notice move like speech, which is all that the network sees: its features are
 * relative. So the posterior is weighted by the level of the loudest hop of the last 0.6 s: by 1 from -60 dBFS on, by 0
 * up to -68 dBFS, and by a ramp in between. A microphone whose speech is below -65 dBFS loses some of it.
 */
#ifndef VA_QUIETNESS_H
#define VA_QUIETNESS_H

#include <stdint.h>

#include "geometry.h"

/* Steps that are remembered: 0.64 s, of which 0.03 s are the look-ahead. */
#define VA_QUIETNESS_STEPS 32

typedef struct va_quietness {
  uint8_t weights[VA_QUIETNESS_STEPS]; /* of the last steps, by their loudest hop: 0 … 255; step n is at n % 32 */
} va_quietness;

/* Takes a step. power: the mean square of its louder hop. */
void va_quietness_update(va_quietness *quietness, uint64_t step, float power);

/* Returns the weight of the posterior, 0 … 1. */
float va_quietness_weight(const va_quietness *quietness);

#endif
