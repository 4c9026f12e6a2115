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

/* Lags of a step each: delays of 0 … 750 ms. Arrays of them are as long as whole vectors. */
#define VA_ECHO_LAGS 38
#define VA_ECHO_LANES 40

/* Steps of a reference whose levels are kept: those of all lags, one before them for its change, and those that are
 * ahead of the microphone. */
#define VA_REFERENCE_AHEAD_STEPS 5
#define VA_REFERENCE_STEPS (VA_ECHO_LAGS + 1 + VA_REFERENCE_AHEAD_STEPS)

/* Means over time of products of changes, summed over the bands, in quarters of dB². */
typedef struct va_echo_means {
  float products[VA_ECHO_LANES]; /* the reference's change times the microphone's, by lag */
  float played[VA_ECHO_LANES];   /* the square of the reference's, by lag */
  float heard;                   /* the square of the microphone's */
} va_echo_means;

/* The same, rounded: for means of a fraction of a second, which change by more than that. */
typedef struct va_echo_short_means {
  int16_t products[VA_ECHO_LANES], played[VA_ECHO_LANES];
  float heard;
} va_echo_short_means;

/* MARK: the path */

/* The levels of the steps around the delay count less by 5 dB, and what rings on falls by 3.5 dB a step: bytes. */
#define VA_SIDE 10
#define VA_RING_FALL 7

/* The room's tail falls by 1 dB a step: an RT60 of 1.2 s. Only what is expected rings so long; what is learned would be
 * blurred. */
#define VA_TAIL_FALL 2

/* Gains and peaks of bands are stored in this part of a dB, within limits. */
#define VA_PATH_UNITS_PER_DB 256
#define VA_PATH_MAX_DB 120.0f
#define VA_PATH_MAX ((int16_t)VA_PATH_MAX_DB * VA_PATH_UNITS_PER_DB)

/* Peaks fall by this in a step: 1 dB in a second. */
#define VA_PEAK_FALL_DB (5.0f / VA_PATH_UNITS_PER_DB)

/* The farthest that levels move with the reference's scale: less than VA_DB_MAX. */
#define VA_RAISED_MAX_DB 250.0f

/* Learned steps are counted up to this. */
#define VA_ECHO_STEPS_MAX 250

/* What the microphone gets of the reference, band by band. */
typedef struct va_echo_path {
  int16_t own[VA_BANDS];   /* gain: microphone over reference in the same band */
  int16_t spill[VA_BANDS]; /* gain: microphone over all of the reference */
  int16_t peak[VA_BANDS];  /* level: the reference at the delay, falling slowly */
  uint8_t ringing[VA_BANDS];                              /* the reference at the delay, and what rings on: bytes */
  uint8_t tail[VA_BANDS];                                 /* the same, and what rings on in a reverberant room */
  uint8_t own_steps[VA_BANDS], spill_steps[VA_BANDS];     /* learned from so many */
} va_echo_path;

static inline float va_path_db(int16_t stored) { return (float)stored * (1.0f / VA_PATH_UNITS_PER_DB); }
static inline int16_t va_path_of_db(int db) { return (int16_t)(db * VA_PATH_UNITS_PER_DB); }

/* Returns a gain or peak that has been raised by some dB. */
static inline int16_t va_path_raised(int16_t stored, int by_db) {
  const int raised = stored + by_db * VA_PATH_UNITS_PER_DB;
  return (int16_t)(raised > VA_PATH_MAX ? VA_PATH_MAX : raised < -VA_PATH_MAX ? -VA_PATH_MAX : raised);
}

/* Returns a level that has been raised by some dB, as far as it can be saved. */
static inline float va_raised_db(float level_db, float by_db) {
  const float raised = level_db + by_db;
  return raised > VA_RAISED_MAX_DB ? VA_RAISED_MAX_DB : raised < -VA_RAISED_MAX_DB ? -VA_RAISED_MAX_DB : raised;
}

/* Where the microphone hears echo. */
typedef enum va_echo_extent {
  VA_ECHO_NOWHERE,   /* the reference is silent, and no room rings on */
  VA_ECHO_EXPECTED,  /* where a band is not above what the path predicts */
  VA_ECHO_LEFT,      /* the same, but it is not taken out: the microphone hardly resembles the reference */
  VA_ECHO_EVERYWHERE /* the delay is not known (va_echo_delay.is_lost) */
} va_echo_extent;

/* The reference at the delay. */
typedef struct va_echo_rows {
  const uint8_t *previous, *now, *next; /* its levels, and those of the steps around it: VA_BANDS bytes each */
  float total_db, total_peak_db;        /* all bands together, and its peak, falling slowly: dBFS */
  float tail_db;                        /* the level of a room's tail over the sound's own */
  float change_db;                      /* how much the gain has changed (echo_gain.h) */
  float margin_db;                      /* what is up to this much louder than the expected echo is echo */
  float rise;                           /* how much an error counts that raises a gain: 1, less beside a user */
  va_echo_extent extent;
} va_echo_rows;

/* How much audible bands exceed the echo to expect of the same band of the reference: sums of half dB. */
typedef struct va_echo_errors {
  int32_t count, sum, squares;
} va_echo_errors;

#define VA_HALF_DB(db) (2 * (db))

/* Returns whether n errors have a variance below spread² · n / (n + few). */
static inline bool va_errors_lie_together(const va_echo_errors *errors, int spread_db, int few) {
  const int64_t n = errors->count, spread = VA_HALF_DB(spread_db);
  const int64_t variance = (errors->squares * n - (int64_t)errors->sum * errors->sum) / (n * n);
  return variance * (n + few) < spread * spread * n;
}

/* How many bands of the microphone were audible, how many of these were only echo, and the errors where the reference
 * is loud: where it is as loud as it just was, and where it has become quieter. */
typedef struct va_echo_bands {
  int32_t audible, echo;
  va_echo_errors sound, tail;
} va_echo_bands;

#endif
