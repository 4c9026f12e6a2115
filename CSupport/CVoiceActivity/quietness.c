#include "quietness.h"

#include "level.h"

/* Chosen on labelled meetings; quiet microphones bound it from above (docs/detection.md). */
#define VA_INAUDIBLE_DB (-68.0f)
#define VA_AUDIBLE_DB (-60.0f)
#define VA_AUDIBLE 1.001e-6f /* a power above -60 dBFS: it needs no logarithm, and most hops have more */

static float weight_of(float power) {
  if (power > VA_AUDIBLE) return 1;
  float part = (va_power_db(power) - VA_INAUDIBLE_DB) * (1 / (VA_AUDIBLE_DB - VA_INAUDIBLE_DB));
  return part < 0 ? 0 : part < 1 ? part : 1;
}

void va_quietness_update(va_quietness *quietness, uint64_t step, float power) {
  quietness->weights[step % VA_QUIETNESS_STEPS] = (uint8_t)(weight_of(power) * 255 + 0.5f);
}

float va_quietness_weight(const va_quietness *quietness) {
  uint8_t most = 0;
  for (int i = 0; i < VA_QUIETNESS_STEPS; i++) most = quietness->weights[i] > most ? quietness->weights[i] : most;
  return (float)most * (1.0f / 255);
}
