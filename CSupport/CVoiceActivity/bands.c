#include "bands.h"

#include "fast_math.h"
#include "kernels.h"
#include "resampler.h"

int va_bands_usable(float pass_hz) {
  const float bin_hz = (float)VA_RATE_HZ / VA_WINDOW;
  int usable = 1;
  while (usable < VA_BANDS && (float)va_band_edges[usable + 1] * bin_hz <= pass_hz) usable++;
  return usable;
}

void va_bands_db(const float *power, float *bands_db) {
  for (int band = 0; band < VA_BANDS; band++) {
    float sum = 0;
    for (int bin = va_band_edges[band]; bin < va_band_edges[band + 1]; bin++) sum += power[bin];
    float db = VA_DB_PER_LOG2 * va_log2(sum);
    bands_db[band] = db > VA_BAND_FLOOR_DB ? db : VA_BAND_FLOOR_DB;
  }
}
