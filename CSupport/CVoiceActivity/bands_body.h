/* bands_body.h — from a power spectrum to the features of its bands. It is included once per number of lanes, except
 * 16: 40 bands are not a multiple of that. */
#include "band_layout_generated.h"
#include "fast_math_lanes.h"
#include "kernels.h"
#include "speech_features.h"
#include "tables.h"

/* Takes VA_LANES bands at a time: the sums of each band lane by lane, which are then transposed and added. */
float VA_NARROW_NAME(va_bands_of)(const float *power, float *bands_db) {
  static const int first[VA_BANDS] = VA_BAND_FIRST, blocks[VA_BANDS] = VA_BAND_BLOCKS;
  const float *weights = va_band_weights;
  va_vec total = va_splat(0);
  VA_UNROLL
  for (int band = 0; band < VA_BANDS; band += VA_LANES) {
    va_vec sums[VA_LANES];
    VA_UNROLL
    for (int i = 0; i < VA_LANES; i++) {
      sums[i] = va_splat(0);
      VA_UNROLL
      for (int at = 0; at < blocks[band + i] * VA_BAND_BLOCK; at += VA_LANES)
        sums[i] += va_load(power + first[band + i] + at) * va_load(weights + at);
      weights += blocks[band + i] * VA_BAND_BLOCK;
    }
    va_transpose(sums);
    va_vec sum = sums[0];
    VA_UNROLL
    for (int i = 1; i < VA_LANES; i++) sum += sums[i];
    total += sum;
    va_store(bands_db + band, va_max(va_log2_lanes(sum) * VA_DB_PER_LOG2, va_splat(VA_BAND_FLOOR_DB)));
  }
  return va_sum(total);
}

void VA_NARROW_NAME(va_smooth_floor_of)(int16_t *smoothed, int16_t *least, const float *bands_db) {
  VA_UNROLL
  for (int band = 0; band < VA_BANDS; band += VA_LANES) {
    va_vec level = va_load(bands_db + band) * VA_FLOOR_ONE_DB, before = va_load_16(smoothed + band);
    va_store_16(smoothed + band, before + (level - before) * VA_FLOOR_SMOOTHING);
    va_store_halves(least + band, va_least(va_load_halves(least + band), va_load_halves(smoothed + band)));
  }
}

void VA_NARROW_NAME(va_find_floor_of)(const int16_t *least, const int16_t *minima, float *floor_db) {
  VA_UNROLL
  for (int band = 0; band < VA_BANDS; band += VA_LANES) {
    va_halves floor = va_load_halves(least + band);
    VA_UNROLL
    for (int span = 0; span < VA_FLOOR_SPANS - 1; span++)
      floor = va_least(floor, va_load_halves(minima + VA_BANDS * span + band));
    va_store(floor_db + band, va_floats_of(floor) * (1.0f / VA_FLOOR_ONE_DB) + VA_FLOOR_BIAS_DB);
  }
}

float VA_NARROW_NAME(va_total_of)(const float *bands_db, size_t count) {
  va_vec sum = va_splat(0);
  size_t i = 0;
  for (; i + VA_LANES <= count; i += VA_LANES) sum += va_exp2_lanes(va_load(bands_db + i) * (1 / VA_DB_PER_LOG2));
  float total = va_sum(sum);
  for (; i < count; i++) total += va_exp2(bands_db[i] * (1 / VA_DB_PER_LOG2));
  return total;
}

void VA_NARROW_NAME(va_frame_of)(const float *bands_db, const float *floor_db, float loudness_db, int16_t *frame) {
  for (int band = 0; band < VA_BANDS; band += VA_LANES) {
    va_vec level = va_load(bands_db + band);
    va_vec relative = (level - (loudness_db + VA_RELATIVE_CENTRE_DB)) * (1.0f / VA_RELATIVE_SPAN_DB);
    va_vec over_floor = (level - va_load(floor_db + band) - VA_OVER_FLOOR_CENTRE_DB) * (1.0f / VA_OVER_FLOOR_SPAN_DB);
    va_store_16(frame + band, va_max(va_min(relative, va_splat(2)), va_splat(-2)) * VA_FRAME_ONE);
    va_store_16(frame + VA_BANDS + band, va_max(va_min(over_floor, va_splat(2.5f)), va_splat(-1)) * VA_FRAME_ONE);
  }
}
