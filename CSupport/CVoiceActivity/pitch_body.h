/* pitch_body.h — the period of a window, from the cosine transform of its magnitudes. It is included once per number of
 * lanes.
 *
 *   C[m] = sum_k |X[k]| cos(2π k m / 256),  lag m: 2m samples at 16 kHz
 *
 * This is the autocorrelation of the signal after its spectrum was flattened from powers to magnitudes. Since
 * cos(2π k (128 - m) / 256) = (-1)^k cos(2π k m / 256), the sums over even and over odd bins serve two lags each.
 */
#include "kernels.h"
#include "simd.h"
#include "tables.h"

#define VA_PITCH_BIN_FIRST 3 /* 94 Hz */
#define VA_PITCH_LAG_FIRST 20 /* 400 Hz */

/* The intermediate results for one window. */
typedef struct va_pitch_work {
  float magnitude[VA_PITCH_BINS];
  float even[VA_PITCH_LAGS], odd[VA_PITCH_LAGS]; /* sums over the even and the odd bins; lag m is at m - 1 */
} va_pitch_work;

/* Sums every other bin from `first` on into `even` or `odd`. The windows share the loads of the cosines. */
VA_INLINE void va_half_correlations(va_pitch_work *work, size_t windows, int first) {
  enum { VECTORS = VA_PITCH_LAGS / VA_LANES };
  const bool is_odd = first % 2 == 1;
  va_vec sums[VA_STREAMS_TOGETHER][VECTORS];
  VA_UNROLL
  for (size_t w = 0; w < windows; w++)
    VA_UNROLL
    for (int j = 0; j < VECTORS; j++) sums[w][j] = va_splat(0);
  VA_UNROLL_INPUTS
  for (int bin = first; bin < VA_PITCH_BINS; bin += 2)
    VA_UNROLL
    for (int j = 0; j < VECTORS; j++) {
      va_vec cosines = va_load(va_pitch_cosines + bin * VA_PITCH_LAGS + j * VA_LANES);
      VA_UNROLL
      for (size_t w = 0; w < windows; w++) sums[w][j] += cosines * va_splat(work[w].magnitude[bin]);
    }
  VA_UNROLL
  for (size_t w = 0; w < windows; w++)
    VA_UNROLL
    for (int j = 0; j < VECTORS; j++) va_store((is_odd ? work[w].odd : work[w].even) + j * VA_LANES, sums[w][j]);
}

/* Takes the roots of the powers. Returns their sum from VA_PITCH_BIN_FIRST on. */
VA_INLINE float va_magnitudes(const float *power, float *magnitude) {
  va_vec sums = va_splat(0);
  for (int bin = 0; bin < VA_PITCH_BINS; bin += VA_LANES) {
    va_vec root = va_sqrt(va_load(power + bin));
    va_store(magnitude + bin, root);
    sums += root;
  }
  return va_sum(sums) - magnitude[0] - magnitude[1] - magnitude[2];
}

/* Finds the lag with the largest sum, at least 0. `low` holds the lags m, from VA_PITCH_LAG_FIRST on, and `high` the
 * lags 128 - m; lag 64 is in both. */
VA_INLINE va_pitch va_best_lag(const va_pitch_work *work, float sum) {
  va_vec top = va_splat(0), at = va_splat(VA_PITCH_LAG_FIRST), lags;
  for (int lane = 0; lane < VA_LANES; lane++) lags[lane] = (float)(lane + 1);
  for (int i = 0; i < VA_PITCH_LAGS; i += VA_LANES, lags += va_splat(VA_LANES)) {
    va_vec even = va_load(work->even + i), odd = va_load(work->odd + i), low = even + odd, high = even - odd;
    if (i < VA_PITCH_LAG_FIRST) low = va_select(lags < va_splat(VA_PITCH_LAG_FIRST), va_splat(0), low);
    at = va_select(low > top, lags, at);
    top = va_max(low, top);
    at = va_select(high > top, va_splat(2 * VA_PITCH_LAGS) - lags, at);
    top = va_max(high, top);
  }
  const float peak = va_top(top); /* of the lanes with this sum, the smallest lag */
  const float lag = va_bottom(va_select(top == va_splat(peak), at, va_splat(2 * VA_PITCH_LAGS)));
  return (va_pitch){.periodicity = sum > 0 ? peak / sum : 0, .lag = lag};
}

VA_INLINE void va_some_pitches(const va_pitch_powers *powers, va_pitch *pitches, size_t windows) {
  va_pitch_work work[VA_STREAMS_TOGETHER];
  float sums[VA_STREAMS_TOGETHER];
  for (size_t w = 0; w < windows; w++) sums[w] = va_magnitudes(powers[w], work[w].magnitude);
  va_half_correlations(work, windows, VA_PITCH_BIN_FIRST + 1);
  va_half_correlations(work, windows, VA_PITCH_BIN_FIRST);
  for (size_t w = 0; w < windows; w++) pitches[w] = va_best_lag(&work[w], sums[w]);
}

/* Whole groups of windows first, then one by one. Both compute the same sums in the same order. */
static void va_pitches_of(const va_pitch_powers *powers, va_pitch *pitches, size_t windows) {
  size_t done = 0;
  for (; done + VA_STREAMS_TOGETHER <= windows; done += VA_STREAMS_TOGETHER)
    va_some_pitches(powers + done, pitches + done, VA_STREAMS_TOGETHER);
  for (; done < windows; done++) va_some_pitches(powers + done, pitches + done, 1);
}
