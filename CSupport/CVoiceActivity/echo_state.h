/* echo_state.h — what the vector loops of the echo stage (echo_body.h) read and write. */
#ifndef VA_ECHO_STATE_H
#define VA_ECHO_STATE_H

#include <stdint.h>

#include "geometry.h"

/* MARK: levels in bytes */

/* Levels of bands are stored as half decibels above VA_BYTE_LEAST_DB, in a byte each. */
#define VA_BYTES_PER_DB 2.0f
#define VA_BYTE_LEAST_DB (-110.0f)
#define VA_BYTE_MAX 240

/* The largest change of a level from one step to the next that counts: 12 dB. */
#define VA_BYTE_CHANGE_MAX 24

/* Vectors of levels reach beyond the last band by less than this. */
#define VA_BYTES_SPARE 8

/* MARK: the delay */

/* Lags of a step each: delays of 0 … 500 ms. Arrays of them are as long as whole vectors. */
#define VA_ECHO_LAGS 26
#define VA_ECHO_LANES 32

/* Steps of a reference whose levels are kept: those of all lags, one before them for its change, and those that are
 * ahead of the microphone. */
#define VA_REFERENCE_AHEAD_STEPS 5
#define VA_REFERENCE_STEPS (VA_ECHO_LAGS + 1 + VA_REFERENCE_AHEAD_STEPS)
_Static_assert(VA_REFERENCE_STEPS == 32, "a power of 2, for cheap remainders");

/* Means over time of products of changes, summed over the bands, in quarters of dB². */
typedef struct va_echo_means {
  float products[VA_ECHO_LANES]; /* the reference's change times the microphone's, by lag */
  float played[VA_ECHO_LANES];   /* the square of the reference's, by lag */
  float heard;                   /* the square of the microphone's */
} va_echo_means;

/* MARK: the path */

/* The levels of the steps around the delay count less by 5 dB, and what rings on falls by 3.5 dB a step: bytes. */
#define VA_SIDE 10
#define VA_RING_FALL 7

/* Peaks fall by this in a step. */
#define VA_PEAK_FALL_DB 0.02f

/* Learned steps are counted up to this. */
#define VA_ECHO_STEPS_MAX 250

/* What the microphone gets of the reference, band by band. Levels and gains are in dB. */
typedef struct va_echo_path {
  float own[VA_BANDS];   /* microphone over reference in the same band */
  float spill[VA_BANDS]; /* microphone over all of the reference */
  float peak[VA_BANDS];  /* the reference at the delay, falling slowly */
  uint8_t ringing[VA_BANDS];                              /* the reference at the delay, and what rings on: bytes */
  uint8_t own_steps[VA_BANDS], spill_steps[VA_BANDS];     /* learned from so many */
} va_echo_path;

/* Where the microphone hears echo. */
typedef enum va_echo_extent {
  VA_ECHO_NOWHERE,   /* the reference is silent */
  VA_ECHO_EXPECTED,  /* where a band is not above what the path predicts */
  VA_ECHO_EVERYWHERE /* the delay is not known (va_echo_delay.is_lost) */
} va_echo_extent;

/* The reference at the delay. */
typedef struct va_echo_rows {
  const uint8_t *previous, *now, *next; /* its levels, and those of the steps around it: VA_BANDS bytes each */
  float total_db, total_peak_db;        /* all bands together, and its peak, falling slowly: dBFS */
  float rise;                           /* how much an error counts that raises a gain: 1, less beside a user */
  va_echo_extent extent;
} va_echo_rows;

/* How many bands of the microphone were audible, and how many of these were only echo. */
typedef struct va_echo_bands {
  int32_t audible, echo;
} va_echo_bands;

#endif
