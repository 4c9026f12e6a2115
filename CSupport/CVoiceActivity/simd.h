/* simd.h — a vector of VA_LANES floats on clang's and gcc's vector extensions: + - * and unary - work on it. */
#ifndef VA_SIMD_H
#define VA_SIMD_H

#include <math.h>
#include <string.h>

#define VA_INLINE static inline __attribute__((always_inline))

/* Before a loop of constant length whose vectors must stay in registers; before a long one. */
#if defined(__clang__)
#define VA_UNROLL _Pragma("clang loop unroll(full)")
#define VA_UNROLL_BY_8 _Pragma("clang loop unroll_count(8)")
#else
#define VA_UNROLL _Pragma("GCC unroll 16")
#define VA_UNROLL_BY_8 _Pragma("GCC unroll 8")
#endif

typedef float va_vec __attribute__((vector_size(VA_LANES * 4)));
typedef int va_lanes_i __attribute__((vector_size(VA_LANES * 4)));

VA_INLINE va_vec va_load(const float *p) {
  va_vec v;
  memcpy(&v, p, sizeof v); /* no alignment needed */
  return v;
}

VA_INLINE void va_store(float *p, va_vec v) { memcpy(p, &v, sizeof v); }

/* x in every lane; not 0 + x, which is another number for x = -0. */
VA_INLINE va_vec va_splat(float x) {
#if VA_LANES == 8
  return (va_vec){x, x, x, x, x, x, x, x};
#else
  return (va_vec){x, x, x, x};
#endif
}

/* Per lane, mask ? a : b, for a mask that a comparison gave. */
VA_INLINE va_vec va_select(va_lanes_i mask, va_vec a, va_vec b) {
  return (va_vec)(((va_lanes_i)a & mask) | ((va_lanes_i)b & ~mask));
}

VA_INLINE va_vec va_max(va_vec a, va_vec b) { return va_select(a > b, a, b); }

VA_INLINE va_vec va_min(va_vec a, va_vec b) { return va_select(a < b, a, b); }

VA_INLINE va_vec va_sqrt(va_vec v) {
#if defined(__clang__)
  return __builtin_elementwise_sqrt(v);
#else
  for (int lane = 0; lane < VA_LANES; lane++) v[lane] = sqrtf(v[lane]);
  return v;
#endif
}

#if VA_LANES == 8
#define VA_EVENS 0, 2, 4, 6, 8, 10, 12, 14
#define VA_ODDS 1, 3, 5, 7, 9, 11, 13, 15
#define VA_REVERSED 7, 6, 5, 4, 3, 2, 1, 0
#else
#define VA_EVENS 0, 2, 4, 6
#define VA_ODDS 1, 3, 5, 7
#define VA_REVERSED 3, 2, 1, 0
#endif

/* The even (odd) elements of the 2 · VA_LANES elements a, b. */
VA_INLINE va_vec va_evens(va_vec a, va_vec b) {
  return __builtin_shufflevector(a, b, VA_EVENS);
}
VA_INLINE va_vec va_odds(va_vec a, va_vec b) {
  return __builtin_shufflevector(a, b, VA_ODDS);
}
VA_INLINE va_vec va_reversed(va_vec v) {
  return __builtin_shufflevector(v, v, VA_REVERSED);
}

/* Transposes a square of vectors in place. */
VA_INLINE void va_transpose(va_vec *v) {
#if VA_LANES == 8
  for (int i = 0; i < 8; i += 4) { /* 4 × 4 squares within the halves */
    va_vec a = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    va_vec b = __builtin_shufflevector(v[i], v[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    va_vec c = __builtin_shufflevector(v[i + 2], v[i + 3], 0, 8, 1, 9, 4, 12, 5, 13);
    va_vec d = __builtin_shufflevector(v[i + 2], v[i + 3], 2, 10, 3, 11, 6, 14, 7, 15);
    v[i] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    v[i + 1] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    v[i + 2] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    v[i + 3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (int i = 0; i < 4; i++) { /* then the halves */
    va_vec low = v[i], high = v[i + 4];
    v[i] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11);
    v[i + 4] = __builtin_shufflevector(low, high, 4, 5, 6, 7, 12, 13, 14, 15);
  }
#else
  va_vec a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5), b = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
  va_vec c = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5), d = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
  v[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  v[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  v[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  v[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
#endif
}

/* Sum over the lanes, pairwise. */
VA_INLINE float va_sum(va_vec v) {
#if VA_LANES == 8
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
#else
  return (v[0] + v[2]) + (v[1] + v[3]);
#endif
}

/* The largest lane. */
VA_INLINE float va_top(va_vec v) {
  float top = v[0];
  for (int lane = 1; lane < VA_LANES; lane++) top = v[lane] > top ? v[lane] : top;
  return top;
}

#endif
