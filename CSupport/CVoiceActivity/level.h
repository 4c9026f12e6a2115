/* level.h — how loud a hop is. 0 dBFS is the RMS of a full-scale square wave (see voice_activity.h). */
#ifndef VA_LEVEL_H
#define VA_LEVEL_H

#include <stddef.h>
#include <stdint.h>

/* The lowest level that is told apart from silence: -127, also the end of RFC 6464's scale. */
#define VA_LEVEL_MIN_DB (-127.0f)

/* The highest level that is reported. */
#define VA_LEVEL_MAX_DB 12.0f

/* 10·log10(power) for power >= 0, at least VA_LEVEL_MIN_DB. */
float va_power_db(float power);

/* A level in dBFS as -dBov, rounded: 0 … 127. */
uint8_t va_dbov(float level_dbfs);

/* That scale's end, and the RMS of what is level_dbov below full scale: 1 for 0. */
#define VA_DBOV_MAX 127
float va_rms_of_dbov(uint8_t level_dbov);

/* Counts of what the input held, input samples. */
typedef struct va_input_counts {
  uint32_t clipped, non_finite;
} va_input_counts;

/* The largest magnitude that is analysed, +12 dBFS, and the least, -600 dBFS: products of taps with what is nearer to
 * 0 would be denormal numbers, which are slow. */
#define VA_SAMPLE_LIMIT 4.0f
#define VA_SAMPLE_LEAST 1e-30f

/* Copies count samples: NaN, infinities and what is next to nothing as 0, magnitudes limited to VA_SAMPLE_LIMIT. */
va_input_counts va_sanitize(const float *samples, size_t count, float *out);

#endif
