/* features.c — what the core measures of a signal, for training: the same stages, in the same order, as detector.c.
 * Built by Training/core.py into a shared library from the core's own sources, so that what is learned is what runs.
 */
#include <string.h>

#include "bands.h"
#include "framer.h"
#include "level.h"
#include "noise_floor.h"
#include "pitch.h"
#include "resampler.h"

/* One row per hop: the bands, their floors, the loudness followed, periodicity, lag, and 1 if the hop was measured. */
#define ROW (2 * VA_BANDS + 4)

static void measure(const va_framer *framer, va_noise_floor *floor, va_pitch *pitch, int usable, float *row) {
  const va_kernels *kernels = va_kernels_of(va_simd_detect());
  float power[VA_BINS], bands_db[VA_BANDS];
  kernels->power_spectrum(framer->samples, va_window, power);
  kernels->bands(power, bands_db);
  for (int band = usable; band < VA_BANDS; band++) bands_db[band] = VA_BAND_FLOOR_DB;
  va_noise_floor_update(floor, bands_db);
  *pitch = va_pitch_measure(kernels, power);
  float total = 0;
  for (int bin = 2; bin < 224; bin++) total += power[bin];
  memcpy(row, bands_db, sizeof bands_db);
  memcpy(row + VA_BANDS, floor->floor, sizeof bands_db);
  row[2 * VA_BANDS] = va_power_db(total);
  row[2 * VA_BANDS + 1] = pitch->periodicity;
  row[2 * VA_BANDS + 2] = pitch->lag;
  row[2 * VA_BANDS + 3] = 1;
}

/* Rows of `samples` at rate_hz into rows[capacity][ROW]; returns how many. */
size_t va_training_rows(uint32_t rate_hz, const float *samples, size_t count, float *rows, size_t capacity) {
  va_resampler resampler;
  va_framer framer;
  va_noise_floor floor;
  va_pitch pitch;
  const va_kernels *kernels = va_kernels_of(va_simd_detect());
  va_resampler_init(&resampler, rate_hz);
  va_framer_init(&framer);
  va_noise_floor_init(&floor);
  int usable = va_bands_usable(va_resampler_pass_hz(&resampler));
  size_t hops = 0, done = 0;
  memset(rows, 0, capacity * ROW * sizeof(float));
  while (hops < capacity) {
    if (va_framer_room(&framer) == 0) {
      float energy = 0;
      for (int i = 0; i < VA_WINDOW; i++) energy += framer.samples[i] * framer.samples[i];
      if (va_framer_is_whole(&framer) && energy > 3 * VA_HOP * 1e-10f)
        measure(&framer, &floor, &pitch, usable, rows + hops * ROW);
      va_framer_advance(&framer);
      hops++;
    } else if (done < count) {
      size_t part = va_resampler_input_for(&resampler, va_framer_room(&framer));
      if (part > count - done) part = count - done;
      va_framer_commit(&framer,
                       va_resampler_process(&resampler, kernels, samples + done, part, va_framer_tail(&framer)));
      done += part;
    } else {
      break;
    }
  }
  return hops;
}
