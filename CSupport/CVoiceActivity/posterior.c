#include "posterior.h"

#include "fast_math.h"

enum { VA_FEATURES = 7 };

/* Brings every feature to about -1 … 1: (value - centre) / scale, limited to ±3. */
static const struct {
  float centre, scale;
} ranges[VA_FEATURES] = {{8, 10}, {8, 10}, {0.3f, 0.2f}, {5, 10}, {-8, 10}, {3, 3}, {5, 5}};

/* Logistic regression on mixtures of speech and noise (53 minutes, SNR -3 … 30 dB, level -50 … -15 dBFS, a third
 * without speech, speech weighing twice), rounded. The constant is 1.5 above the fit's, so that 0.5 is a useful
 * onset threshold: calls hold more speech than the mixtures did. Order: snr, held snr, periodicity, tilt,
 * flatness, flux, variability. */
static const float bias = 1.008f;
static const float linear[VA_FEATURES] = {1.052f, 0.438f, 1.414f, 0.624f, 0.187f, 2.313f, 1.052f};
static const float products[VA_FEATURES][VA_FEATURES] = {
    {0.009f, -0.138f, 0.313f, -0.721f, -0.385f, -0.084f, -0.077f},
    {0, -0.983f, 0.078f, 0.571f, 0.179f, -0.589f, 1.197f},
    {0, 0, -0.328f, 0.345f, 0.345f, 1.062f, -0.172f},
    {0, 0, 0, -0.72f, 0.491f, 0.171f, 0.056f},
    {0, 0, 0, 0, -1.506f, 1.025f, -0.835f},
    {0, 0, 0, 0, 0, -3.709f, -0.246f},
    {0, 0, 0, 0, 0, 0, -0.883f},
};

static float limited(float x) { return x < -3 ? -3 : x > 3 ? 3 : x; }

float va_posterior(const va_features *features) {
  const float values[VA_FEATURES] = {
      features->snr_db,      features->held_snr_db, features->periodicity,   features->tilt_db,
      features->flatness_db, features->flux_db,     features->variability_db,
  };
  float z[VA_FEATURES], evidence = bias;
  for (int i = 0; i < VA_FEATURES; i++) z[i] = limited((values[i] - ranges[i].centre) / ranges[i].scale);
  for (int i = 0; i < VA_FEATURES; i++) {
    float weight = linear[i];
    for (int j = i; j < VA_FEATURES; j++) weight += products[i][j] * z[j];
    evidence += weight * z[i];
  }
  const float log2_e = 1.44269504f;
  return 1 / (1 + va_exp2(-evidence * log2_e));
}
