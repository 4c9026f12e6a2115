#include "bands.h"

#include "geometry.h"
#include "tables.h"

int va_bands_usable(float pass_hz) {
  int usable = 1;
  while (usable < VA_BANDS && va_band_centres[usable] * VA_BIN_HZ <= pass_hz) usable++;
  return usable;
}
