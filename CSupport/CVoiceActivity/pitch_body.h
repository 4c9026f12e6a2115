/* pitch_body.h — the period of a window, from the cosine transform of its magnitudes; once per lane count.
 *
 *   C[m] = sum_k |X[k]| cos(2π k m / 256),  lag m: 2m samples at 16 kHz
 *
 * that is, the autocorrelation of the signal with its spectrum flattened to magnitudes. Since cos(2π k (128 - m) / 256)
 * = (-1)^k cos(2π k m / 256), the sums over even and over odd bins serve two lags each.
 */
#include "kernels.h"
#include "simd.h"
#include "tables.h"

#define VA_PITCH_BIN_FIRST 3 /* 94 Hz */
#define VA_PITCH_LAG_FIRST 20 /* 400 Hz */

/* sums[lag - 1] of every other bin from `bin` on. */
VA_INLINE void va_half_correlation(const float *magnitude, int bin, float *sums) {
  va_vec v[VA_PITCH_LAGS / VA_LANES];
  VA_UNROLL
  for (int j = 0; j < VA_PITCH_LAGS / VA_LANES; j++) v[j] = va_splat(0);
  VA_UNROLL_BY_8
  for (; bin < VA_PITCH_BINS; bin += 2) {
    va_vec value = va_splat(magnitude[bin]);
    VA_UNROLL
    for (int j = 0; j < VA_PITCH_LAGS / VA_LANES; j++)
      v[j] += value * va_load(va_pitch_cosines + bin * VA_PITCH_LAGS + j * VA_LANES);
  }
  VA_UNROLL
  for (int j = 0; j < VA_PITCH_LAGS / VA_LANES; j++) va_store(sums + j * VA_LANES, v[j]);
}

/* The largest of x[begin … end), at least 0, and where it stands first. There are at least VA_LANES of them; the last
 * vector overlaps the one before it where they are not whole vectors. */
VA_INLINE float va_highest(const float *x, int begin, int end, float *where) {
  va_vec top = va_splat(0), at = va_splat((float)begin), first;
  for (int lane = 0; lane < VA_LANES; lane++) first[lane] = (float)lane;
  for (int i = begin; i < end; i += VA_LANES) {
    int from = i + VA_LANES <= end ? i : end - VA_LANES;
    va_vec v = va_load(x + from);
    at = va_select(v > top, first + va_splat((float)from), at);
    top = va_max(v, top);
  }
  float best = va_top(top);
  *where = va_bottom(va_select(top == va_splat(best), at, va_splat((float)end)));
  return best;
}

static va_pitch va_pitch_of(const float *power) {
  float magnitude[VA_PITCH_BINS], even[VA_PITCH_LAGS], odd[VA_PITCH_LAGS], correlation[2 * VA_PITCH_LAGS];
  va_vec sums = va_splat(0);
  for (int bin = 0; bin < VA_PITCH_BINS; bin += VA_LANES) {
    va_vec root = va_sqrt(va_load(power + bin));
    va_store(magnitude + bin, root);
    sums += root;
  }
  float sum = va_sum(sums) - magnitude[0] - magnitude[1] - magnitude[2];
  va_half_correlation(magnitude, VA_PITCH_BIN_FIRST + 1, even);
  va_half_correlation(magnitude, VA_PITCH_BIN_FIRST, odd);
  for (int i = 0; i < VA_PITCH_LAGS; i += VA_LANES) { /* lag m stands at m - 1; 128 - m of m = 1 … 64 is 127 … 64 */
    va_vec e = va_load(even + i), o = va_load(odd + i);
    va_store(correlation + 2 * VA_PITCH_LAGS - 1 - i - VA_LANES, va_reversed(e - o));
    va_store(correlation + i, e + o);
  }
  float lag, peak = va_highest(correlation, VA_PITCH_LAG_FIRST - 1, 2 * VA_PITCH_LAGS - 1, &lag);
  return (va_pitch){sum > 0 ? peak / sum : 0, lag + 1};
}
