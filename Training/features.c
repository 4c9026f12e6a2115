/* features.c — raw 16 kHz mono f32 on stdin → one row of the seven features per hop on stdout, as f32; a row is NaN
 * where the detector would not measure. Built by fit_posterior.py from the core's own sources, so that what is
 * fitted is what runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bands.h"
#include "framer.h"
#include "level.h"
#include "speech_features.h"

int main(void) {
  va_framer framer;
  va_noise_floor floor;
  va_feature_memory memory;
  const va_kernels *kernels = va_kernels_of(va_simd_detect());
  va_framer_init(&framer);
  va_noise_floor_init(&floor);
  va_features_init(&memory);
  while (fread(va_framer_tail(&framer), sizeof(float), VA_HOP, stdin) == VA_HOP) {
    float power[VA_BINS], bands_db[VA_BANDS], row[sizeof(va_features) / sizeof(float)];
    va_framer_commit(&framer, VA_HOP);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) row[i] = NAN;
    if (va_framer_is_whole(&framer)) {
      kernels->power_spectrum(framer.samples, va_window, power);
      va_bands_db(power, bands_db);
      va_noise_floor_update(&floor, bands_db);
      va_features f = va_features_measure(&memory, kernels, power, bands_db, floor.floor, VA_BANDS);
      memcpy(row, &f, sizeof row);
    }
    fwrite(row, sizeof row, 1, stdout);
    va_framer_advance(&framer);
  }
  return 0;
}
