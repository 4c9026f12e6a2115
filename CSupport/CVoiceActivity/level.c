#include "level.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "fast_math.h"

float va_power_db(float power) {
  float db = VA_DB_PER_LOG2 * va_log2(power);
  return db > VA_LEVEL_MIN_DB ? db : VA_LEVEL_MIN_DB;
}

float va_reported_db(float power) {
  float db = va_power_db(power);
  return db < VA_LEVEL_MAX_DB ? db : VA_LEVEL_MAX_DB;
}

float va_power_of_db(float db) { return va_exp2(db / VA_DB_PER_LOG2); }

uint8_t va_dbov(float level_dbfs) {
  if (level_dbfs >= 0) return 0;
  if (level_dbfs <= VA_LEVEL_MIN_DB) return VA_DBOV_MAX;
  return (uint8_t)(0.5f - level_dbfs);
}

float va_rms_of_dbov(uint8_t level_dbov) { return va_exp2(-0.5f * (float)level_dbov / VA_DB_PER_LOG2); }

va_input_counts va_sanitize(const float *samples, size_t count, float *out) {
  va_input_counts counts = {0, 0};
  for (size_t i = 0; i < count; i++) {
    float x = samples[i], magnitude = fabsf(x);
    bool finite = magnitude <= FLT_MAX; /* false for NaN */
    float limited = magnitude < VA_SAMPLE_LIMIT ? x : copysignf(VA_SAMPLE_LIMIT, x);
    counts.non_finite += finite ? 0u : 1u;
    counts.clipped += finite && magnitude >= 1 ? 1u : 0u;
    out[i] = finite && magnitude >= VA_SAMPLE_LEAST ? limited : 0;
  }
  return counts;
}
