/* reference.h — turns what a loudspeaker plays into levels of bands, and keeps those of the last steps.
 *
 * Only levels are used, so the way to 16 kHz may be cheap: means of samples and linear interpolation. What they alias
 * lies above 8 kHz in what is played, and falls on the highest bands. A reference at 8 kHz is analysed as it is.
 *
 * Only what is relative to the reference's usual level is used, too. Samples are scaled by a power of two before they
 * are stored, so that any unit will do: 16-bit integers in floats as well as a volume of -100 dB.
 */
#ifndef VA_REFERENCE_H
#define VA_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry.h"
#include "kernels.h"
#include "played_mix.h"

/* Samples that the conversion keeps for the next ones: less than two steps of at most 3. */
#define VA_REFERENCE_PAST 6

typedef struct va_reference {
  uint64_t position; /* where the next sample belongs */
  uint64_t missed;   /* samples before `position` that have not come: silence took their place */
  uint64_t late;     /* samples that came after that, and were left out */
  uint64_t steps;    /* complete ones */
  uint32_t rate_hz;
  uint32_t phase;       /* of the next sample at 16 kHz behind past[0] */
  uint8_t averaged;     /* samples of which one is made first: 1 … 4 */
  uint8_t stride;       /* then one is made of so many: 1 … 3 */
  uint8_t average_fill; /* samples in `average` */
  uint8_t kept;         /* samples in `past` */
  int8_t octaves;       /* samples are stored 2^octaves times as large as they came, and levels are those of these */
  uint16_t fill;        /* samples of the step in progress */
  uint16_t silent;      /* since the last that was given, saturating */
  float average;
  float peak;              /* the largest magnitude in the step in progress, as it came */
  float loudest, softest;  /* such peaks of steps that were not silent: one falls slowly, one rises slowly */
  float past[VA_REFERENCE_PAST];
  int16_t samples[VA_WINDOW];            /* the window in progress */
  uint16_t energies[VA_REFERENCE_STEPS + VA_REFERENCE_AHEAD_STEPS]; /* of the changes: sums of squares, newest first */
  uint8_t totals[VA_REFERENCE_STEPS]; /* levels of all bands together: bytes; step n is at n % VA_REFERENCE_STEPS */
  uint8_t levels[VA_REFERENCE_STEPS * VA_BANDS + VA_BYTES_SPARE]; /* a row of bytes for each step */
  va_played_mix mix;
} va_reference;

/* rate_hz: VA_SAMPLE_RATE_MIN_HZ … VA_SAMPLE_RATE_MAX_HZ. */
void va_reference_init(va_reference *reference, uint32_t rate_hz);

/* True if `count` more frames are not too far ahead of a microphone that has taken `steps` steps. */
bool va_reference_accepts(const va_reference *reference, uint64_t steps, uint64_t count);

/* The frames of one call. At most one pointer is set; without any, the samples are zeros, of one channel. */
typedef struct va_played {
  const float *f32;
  const int16_t *s16;
  uint64_t count;
  uint32_t channels; /* interleaved: 1 … VA_ECHO_CHANNELS_MAX */
} va_played;

/* Takes frames; those whose time has passed are left out. */
void va_reference_push(va_reference *reference, const va_kernels *kernels, va_played played);

/* Completes a step with silence if its samples have not come. */
void va_reference_require(va_reference *reference, const va_kernels *kernels, uint64_t step);

/* Forgets samples that nothing will use, and makes all that are not finite alike: they spoil the same results. */
void va_reference_tidy(va_reference *reference);

/* True if the numbers of samples fit each other and the position, which is not too far ahead of a microphone that has
 * taken `steps` steps. */
bool va_reference_is_consistent(const va_reference *reference, uint64_t steps);

/* The place in the arrays of the step that is `back` before a step: -1 … VA_REFERENCE_STEPS. Before the first step
 * there are rows of silence. */
static inline size_t va_reference_at(uint64_t step, int back) {
  return (size_t)((step + VA_REFERENCE_STEPS - (uint64_t)(int64_t)back) % VA_REFERENCE_STEPS);
}

/* The energies of the changes of the step before `steps`, and of those before it: VA_ECHO_LANES of them. */
static inline const uint16_t *va_reference_energies(const va_reference *reference, uint64_t steps) {
  return reference->energies + (reference->steps - steps); /* at most VA_REFERENCE_AHEAD_STEPS */
}

/* What an octave of the scale adds to levels in dB, and to their bytes: 6.02 dB, rounded to what bytes can hold. */
#define VA_OCTAVES_MAX 40 /* 10^12 */
#define VA_OCTAVE_DB 6
#define VA_OCTAVE_BYTES (VA_OCTAVE_DB * 2)

/* Returns a level that has been raised by some octaves. The least level stands for all below it, and stays. */
static inline uint8_t va_byte_raised(uint8_t byte, int octaves) {
  const int raised = byte > 0 ? byte + VA_OCTAVE_BYTES * octaves : 0;
  return (uint8_t)(raised < 0 ? 0 : raised > VA_BYTE_MAX ? VA_BYTE_MAX : raised);
}

/* The level in dBFS that a byte stands for. */
static inline float va_byte_db(uint8_t byte) { return (float)byte * (1 / VA_BYTES_PER_DB) + VA_BYTE_LEAST_DB; }

#endif
