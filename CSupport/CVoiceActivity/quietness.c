#include "quietness.h"

#include "level.h"

/* Chosen on labelled meetings; quiet microphones bound it from above (docs/detection.md). */
#define VA_INAUDIBLE_DB (-68.0f)
#define VA_AUDIBLE_DB (-60.0f)

void va_quietness_update(va_quietness *quietness, uint64_t step, float power) {
  float part = (va_power_db(power) - VA_INAUDIBLE_DB) * (1 / (VA_AUDIBLE_DB - VA_INAUDIBLE_DB));
  float weight = part < 0 ? 0 : part < 1 ? part : 1;
  quietness->weights[step % VA_QUIETNESS_STEPS] = (uint8_t)(weight * 255 + 0.5f);
}

float va_quietness_weight(const va_quietness *quietness) {
  uint8_t most = 0;
  for (int i = 0; i < VA_QUIETNESS_STEPS; i++) most = quietness->weights[i] > most ? quietness->weights[i] : most;
  return (float)most * (1.0f / 255);
}
