/* reference.h — turns what a loudspeaker plays into levels of bands, and keeps those of the last steps.
 *
 * Only levels are used, so the way to 16 kHz may be cheap: means of samples and linear interpolation. What they alias
 * lies above 8 kHz in what is played, and falls on the highest bands.
 */
#ifndef VA_REFERENCE_H
#define VA_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry.h"
#include "kernels.h"

/* Samples that thinning out keeps for the next ones: less than two steps of at most 3. */
#define VA_REFERENCE_PAST 6

typedef struct va_reference {
  uint64_t position; /* where the next sample belongs */
  uint64_t missed;   /* samples before `position` that have not come: silence took their place */
  uint64_t late;     /* samples that came after that, and were left out */
  uint64_t steps;    /* complete ones */
  uint32_t rate_hz;
  uint32_t phase;       /* of the next sample at 16 kHz between `last` and the one after it: 0 … period */
  uint8_t averaged;     /* samples of which one is made first: 1 … 4 */
  uint8_t stride;       /* then one of so many is kept: 1 … 3 */
  uint8_t average_fill; /* samples in `average` */
  uint8_t kept;         /* samples in `past` */
  uint16_t fill;        /* samples of the step in progress */
  uint16_t silent;      /* since the last that was given, saturating */
  float average, last;
  float past[VA_REFERENCE_PAST];
  int16_t samples[VA_WINDOW];            /* the window in progress */
  uint16_t energies[VA_REFERENCE_STEPS + VA_REFERENCE_AHEAD_STEPS]; /* of the changes: sums of squares, newest first */
  uint8_t totals[VA_REFERENCE_STEPS]; /* levels of all bands together: bytes; step n is at n % VA_REFERENCE_STEPS */
  uint8_t levels[VA_REFERENCE_STEPS * VA_BANDS + VA_BYTES_SPARE]; /* a row of bytes for each step */
} va_reference;

/* rate_hz: VA_SAMPLE_RATE_MIN_HZ … VA_SAMPLE_RATE_MAX_HZ. */
void va_reference_init(va_reference *reference, uint32_t rate_hz);

/* True if `count` more samples are not too far ahead of a microphone that has taken `steps` steps. */
bool va_reference_accepts(const va_reference *reference, uint64_t steps, uint64_t count);

/* The samples of one call. At most one pointer is set; without any, the samples are zeros. */
typedef struct va_played {
  const float *f32;
  const int16_t *s16;
  uint64_t count;
} va_played;

/* Takes samples; those whose time has passed are left out. */
void va_reference_push(va_reference *reference, const va_kernels *kernels, va_played played);

/* Completes a step with silence if its samples have not come. */
void va_reference_require(va_reference *reference, const va_kernels *kernels, uint64_t step);

/* True if the number of samples at 16 kHz fits the position. */
bool va_reference_is_consistent(const va_reference *reference);

/* The place of a step in the arrays, and its row of levels. */
static inline size_t va_reference_at(uint64_t step) { return (size_t)(step % VA_REFERENCE_STEPS); }
static inline const uint8_t *va_reference_row(const va_reference *reference, uint64_t step) {
  return reference->levels + VA_BANDS * va_reference_at(step);
}

/* The energies of the changes of the step before `steps`, and of those before it: VA_ECHO_LANES of them. */
static inline const uint16_t *va_reference_energies(const va_reference *reference, uint64_t steps) {
  return reference->energies + (reference->steps - steps); /* at most VA_REFERENCE_AHEAD_STEPS */
}

/* The level in dBFS that a byte stands for. */
static inline float va_byte_db(uint8_t byte) { return (float)byte * (1 / VA_BYTES_PER_DB) + VA_BYTE_LEAST_DB; }

#endif
