/* level.h — levels in decibels, and which samples are analysed as they are. 0 dBFS is the RMS of a full-scale square
 * wave (LEVELS in voice_activity.h). */
#ifndef VA_LEVEL_H
#define VA_LEVEL_H

#include <stddef.h>
#include <stdint.h>

/* The quietest level in -dBov, RFC 6464: silence. */
#define VA_DBOV_MAX 127

/* The range of reported levels in dBFS. It begins at -VA_DBOV_MAX. */
#define VA_LEVEL_MIN_DB (-127.0f)
#define VA_LEVEL_MAX_DB 12.0f

/* Returns 10 · log10(power), at least VA_LEVEL_MIN_DB. power: >= 0, a mean square; full scale is 1. */
float va_power_db(float power);

/* The same, but at most VA_LEVEL_MAX_DB, which voice_activity.h promises of reported levels: the resampler and the
 * noise floor's bias can exceed it slightly. */
float va_reported_db(float power);

/* Returns 10^(db / 10). db: -379 … 379. */
float va_power_of_db(float db);

/* Returns a level in dBFS as -dBov, rounded: 0 … VA_DBOV_MAX. */
uint8_t va_dbov(float level_dbfs);

/* Returns the RMS of a level in -dBov; 0 gives 1. */
float va_rms_of_dbov(uint8_t level_dbov);

/* Input samples that va_detector_status counts. */
typedef struct va_input_counts {
  uint32_t clipped, non_finite;
} va_input_counts;

/* The largest magnitude that is analysed, +12 dBFS. */
#define VA_SAMPLE_LIMIT 4.0f

/* The smallest, -600 dBFS. Smaller samples count as 0: their products with the taps of a filter would be denormal
 * numbers, which are slow. */
#define VA_SAMPLE_LEAST 1e-30f

/* Copies `count` samples to `out` and counts them. NaN, infinities and magnitudes below VA_SAMPLE_LEAST become 0;
 * larger magnitudes are limited to VA_SAMPLE_LIMIT. */
va_input_counts va_sanitize(const float *samples, size_t count, float *out);

#endif
