#include "bands.h"

#include "kernels.h"
#include "resampler.h"

int va_bands_usable(float pass_hz) {
  const float bin_hz = (float)VA_RATE_HZ / VA_WINDOW;
  int usable = 1;
  while (usable < VA_BANDS && va_band_centres[usable] * bin_hz <= pass_hz) usable++;
  return usable;
}
