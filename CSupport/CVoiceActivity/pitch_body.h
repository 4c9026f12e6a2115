/* pitch_body.h — the period of a window, from the cosine transform of its magnitudes. It is included once per number of
 * lanes.
 *
 *   C[m] = sum_k |X[k]| cos(2π k m / 256),  lag m: 2m samples at 16 kHz
 *
 * This is the autocorrelation of the signal after its spectrum was flattened from powers to magnitudes. Since
 * cos(2π k (128 - m) / 256) = (-1)^k cos(2π k m / 256), the sums over even and over odd bins serve two lags each.
 * Products are of 16-bit integers.
 */
#include "kernels.h"
#include "simd.h"
#include "tables.h"

#define VA_PITCH_BIN_FIRST 3 /* 94 Hz */
#define VA_PITCH_LAG_FIRST 20 /* 400 Hz */

/* The largest sum of a window's magnitudes in 16 bits. No sum of products can overflow: it is below 2^31 / 32767. */
#define VA_PITCH_SUM_ONE 32767

/* The intermediate results for one window. */
typedef struct va_pitch_work {
  int16_t magnitude[2][VA_PITCH_BINS / 2]; /* of the even and the odd bins, scaled to a sum of VA_PITCH_SUM_ONE */
  int sums[2][VA_PITCH_LAGS];              /* over the even and the odd bins; lag m is at m - 1 */
} va_pitch_work;

/* Vectors of sums that are computed at a time: no more than there are registers. */
#define VA_PITCH_TILE 8
#if VA_LANES == 16
#define VA_UNROLL_PITCH
#else
#define VA_UNROLL_PITCH VA_UNROLL_BY_8
#endif
#define VA_PITCH_VECTORS (VA_PITCH_LAGS / VA_LANES)

/* Sums the even or the odd bins of `tile` vectors of lags from vector `first` on. The windows share the loads of the
 * cosines. */
VA_INLINE void va_half_correlations(va_pitch_work *work, size_t windows, int odd, int first, int tile) {
  va_lanes_i sums[VA_STREAMS_TOGETHER][VA_PITCH_TILE];
  VA_UNROLL
  for (size_t w = 0; w < windows; w++)
    VA_UNROLL
    for (int j = 0; j < tile; j++) sums[w][j] = (va_lanes_i){0};
  VA_UNROLL_PITCH
  for (int group = 0; group < VA_PITCH_BINS / 4; group++)
    VA_UNROLL
    for (int j = 0; j < tile; j++) {
      va_pairs cosines = va_load_pairs_aligned(va_pitch_cosines[group][odd] + 2 * VA_LANES * (first + j));
      VA_UNROLL
      for (size_t w = 0; w < windows; w++)
        sums[w][j] = va_add_products(sums[w][j], va_splat_pair(work[w].magnitude[odd] + 2 * group), cosines);
    }
  VA_UNROLL
  for (size_t w = 0; w < windows; w++)
    VA_UNROLL
    for (int j = 0; j < tile; j++) memcpy(work[w].sums[odd] + VA_LANES * (first + j), &sums[w][j], sizeof sums[w][j]);
}

VA_INLINE void va_correlations(va_pitch_work *work, size_t windows, int odd) {
  enum { TILE = VA_PITCH_VECTORS < VA_PITCH_TILE ? VA_PITCH_VECTORS : VA_PITCH_TILE };
  for (int first = 0; first < VA_PITCH_VECTORS; first += TILE) va_half_correlations(work, windows, odd, first, TILE);
}

/* Takes the roots of the powers from VA_PITCH_BIN_FIRST on, and scales them to a sum of VA_PITCH_SUM_ONE. */
VA_INLINE void va_magnitudes(const float *power, va_pitch_work *work) {
  float root[VA_PITCH_BINS];
  va_vec sums = va_splat(0);
  for (int bin = 0; bin < VA_PITCH_BINS; bin += VA_LANES) {
    va_vec some = va_sqrt(va_load(power + bin));
    for (int low = bin; low < VA_PITCH_BIN_FIRST; low++) some[low] = 0; /* in the first vector */
    va_store(root + bin, some);
    sums += some;
  }
  const float sum = va_sum(sums), scale = sum > 0 ? VA_PITCH_SUM_ONE / sum : 0;
  for (int i = 0; i < VA_PITCH_BINS / 2; i += VA_LANES) { /* the last vector may overlap the one before it */
    int at = i + VA_LANES <= VA_PITCH_BINS / 2 ? i : VA_PITCH_BINS / 2 - VA_LANES;
    va_vec a = va_load(root + 2 * at), b = va_load(root + 2 * at + VA_LANES);
    va_store_16(work->magnitude[0] + at, va_evens(a, b) * scale);
    va_store_16(work->magnitude[1] + at, va_odds(a, b) * scale);
  }
}

/* The sums at lags i + 1 …, as floats. */
VA_INLINE va_vec va_sums_at(const int *sums, int i) {
  va_lanes_i some;
  memcpy(&some, sums + i, sizeof some);
  return __builtin_convertvector(some, va_vec);
}

/* Finds the lag with the largest sum, at least 0. The sum of the even and the odd bins' sums belongs to the lags m,
 * from VA_PITCH_LAG_FIRST on, their difference to the lags 128 - m; lag 64 is in both. */
VA_INLINE va_pitch va_best_lag(const va_pitch_work *work) {
  va_vec top = va_splat(0), at = va_splat(VA_PITCH_LAG_FIRST), lags;
  for (int lane = 0; lane < VA_LANES; lane++) lags[lane] = (float)(lane + 1);
  for (int i = 0; i < VA_PITCH_LAGS; i += VA_LANES, lags += va_splat(VA_LANES)) {
    va_vec even = va_sums_at(work->sums[0], i), odd = va_sums_at(work->sums[1], i), low = even + odd, high = even - odd;
    if (i < VA_PITCH_LAG_FIRST) low = va_select(lags < va_splat(VA_PITCH_LAG_FIRST), va_splat(0), low);
    at = va_select(low > top, lags, at);
    top = va_max(low, top);
    at = va_select(high > top, va_splat(2 * VA_PITCH_LAGS) - lags, at);
    top = va_max(high, top);
  }
  const float peak = va_top(top); /* of the lanes with this sum, the smallest lag */
  const float lag = va_bottom(va_select(top == va_splat(peak), at, va_splat(2 * VA_PITCH_LAGS)));
  return (va_pitch){.periodicity = peak * (1.0f / VA_PITCH_COSINE_ONE / VA_PITCH_SUM_ONE), .lag = lag};
}

VA_INLINE void va_some_pitches(const va_pitch_powers *powers, va_pitch *pitches, size_t windows) {
  va_pitch_work work[VA_STREAMS_TOGETHER];
  for (size_t w = 0; w < windows; w++) va_magnitudes(powers[w], &work[w]);
  va_correlations(work, windows, 0);
  va_correlations(work, windows, 1);
  for (size_t w = 0; w < windows; w++) pitches[w] = va_best_lag(&work[w]);
}

/* Whole groups of windows first, then one by one. Both compute the same sums in the same order. */
static void va_pitches_of(const va_pitch_powers *powers, va_pitch *pitches, size_t windows) {
  size_t done = 0;
  for (; done + VA_STREAMS_TOGETHER <= windows; done += VA_STREAMS_TOGETHER)
    va_some_pitches(powers + done, pitches + done, VA_STREAMS_TOGETHER);
  for (; done < windows; done++) va_some_pitches(powers + done, pitches + done, 1);
}
