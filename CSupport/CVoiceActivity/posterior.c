#include "posterior.h"

#include <string.h>

#include "fast_math.h"

void va_posterior_init(va_posterior *posterior) { memset(posterior, 0, sizeof *posterior); }

void va_posterior_forget(va_posterior *posterior) {
  memset(&posterior->loudness, 0, sizeof posterior->loudness);
  memset(&posterior->network, 0, sizeof posterior->network);
}

float va_probability(float logit) { return 1 / (1 + va_exp2(logit * -1.44269504f)); }

void va_posterior_measure(va_posterior *p, const va_kernels *kernels, const float *window, int usable,
                          va_pitch_inputs pitch) {
  float power[VA_BINS], bands_db[VA_BANDS];
  kernels->power_spectrum(window, va_window, power);
  va_loudness_update(&p->loudness, kernels->bands(power, bands_db));
  for (int band = usable; band < VA_BANDS; band++) bands_db[band] = VA_BAND_FLOOR_DB;
  va_noise_floor_update(&p->noise_floor, bands_db);
  va_pitch_features(kernels->pitch(power), pitch);
  kernels->frame(bands_db, p->noise_floor.floor, p->loudness.db, p->network.frames[p->network.next]);
}
