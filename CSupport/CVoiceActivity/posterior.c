#include "posterior.h"

#include "fast_math.h"

enum { VA_FEATURES = 7 };

/* Brings every feature to about -1 … 1: (value - centre) / scale, limited to ±3. */
static const struct {
  float centre, scale;
} ranges[VA_FEATURES] = {{8, 10}, {8, 10}, {0.3f, 0.2f}, {5, 10}, {-8, 10}, {3, 3}, {5, 5}};

/* Fitted by Training/fit_posterior.py: logistic regression on an hour of mixtures. Order: snr, held snr,
 * periodicity, tilt, flatness, flux, variability. */
static const float bias = 1.025f;
static const float linear[VA_FEATURES] = {1.485f, -0.359f, 1.928f, -0.115f, -0.052f, 0.870f, 1.357f};
static const float products[VA_FEATURES][VA_FEATURES] = {
    {0.012f, -0.196f, 0.359f, -0.682f, -0.313f, 0.119f, -0.302f},
    {0, -0.896f, 0.228f, 0.762f, 0.388f, -0.928f, 1.613f},
    {0, 0, -0.493f, 0.837f, 0.581f, 0.767f, -0.238f},
    {0, 0, 0, -0.614f, 0.011f, -0.105f, 0.198f},
    {0, 0, 0, 0, -1.273f, -0.047f, -0.877f},
    {0, 0, 0, 0, 0, -4.146f, 1.177f},
    {0, 0, 0, 0, 0, 0, -1.086f},
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
