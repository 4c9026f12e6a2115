/* simd.h — vectors of VA_LANES floats, with the vector extensions of clang and gcc: + - * and unary - work on them.
 *
 * Vectors are loaded and stored with memcpy, which compiles to one instruction. So pointers need no alignment beyond
 * their type's, and a vector never aliases the array that it came from. A cast between vector types of one size
 * reinterprets the bits, as the extensions define it.
 */
#ifndef VA_SIMD_H
#define VA_SIMD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#define VA_INLINE static inline __attribute__((always_inline))

/* VA_UNROLL goes before a loop of constant length whose vectors must stay in registers, the others before a long
 * one. */
#if defined(__clang__)
#define VA_UNROLL _Pragma("clang loop unroll(full)")
#define VA_UNROLL_BY_4 _Pragma("clang loop unroll_count(4)")
#define VA_UNROLL_BY_8 _Pragma("clang loop unroll_count(8)")
#else
#define VA_UNROLL _Pragma("GCC unroll 16")
#define VA_UNROLL_BY_4 _Pragma("GCC unroll 4")
#define VA_UNROLL_BY_8 _Pragma("GCC unroll 8")
#endif

typedef float va_vec __attribute__((vector_size(VA_LANES * 4)));
typedef int va_lanes_i __attribute__((vector_size(VA_LANES * 4)));
typedef uint32_t va_lanes_u __attribute__((vector_size(VA_LANES * 4)));
typedef short va_pairs __attribute__((vector_size(VA_LANES * 4))); /* two in each lane */
typedef short va_halves __attribute__((vector_size(VA_LANES * 2)));
typedef uint8_t va_few_bytes __attribute__((vector_size(VA_LANES)));

VA_INLINE va_vec va_load(const float *p) {
  va_vec v;
  memcpy(&v, p, sizeof v);
  return v;
}

VA_INLINE void va_store(float *p, va_vec v) { memcpy(p, &v, sizeof v); }

/* The same from a multiple of a whole vector: SSE2 then needs no instruction for the load. */
VA_INLINE va_vec va_load_aligned(const float *p) { return va_load(__builtin_assume_aligned(p, VA_LANES * 4)); }

/* x in every lane. 0 + x would be shorter, but turns -0 into 0. */
VA_INLINE va_vec va_splat(float x) {
#if VA_LANES == 16
  return (va_vec){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
#elif VA_LANES == 8
  return (va_vec){x, x, x, x, x, x, x, x};
#else
  return (va_vec){x, x, x, x};
#endif
}

/* mask ? a : b in each lane, for the mask of a comparison. */
VA_INLINE va_vec va_select(va_lanes_i mask, va_vec a, va_vec b) {
  return (va_vec)(((va_lanes_i)a & mask) | ((va_lanes_i)b & ~mask));
}

/* v, rounded by itself: compilers may otherwise contract a product with the sum that it goes into. */
VA_INLINE va_vec va_rounded(va_vec v) {
#if defined(__SSE2__)
  __asm__("" : "+x"(v));
#elif defined(__ARM_NEON)
  __asm__("" : "+w"(v));
#elif defined(__wasm__)
  /* WebAssembly has no instruction that does both. */
#else
  __asm__("" : "+m"(v));
#endif
  return v;
}

/* The larger and the smaller one in each lane; b where one is NaN. x86 and WebAssembly have instructions that give just
 * this. */
#if VA_LANES == 16
VA_INLINE va_vec va_max(va_vec a, va_vec b) { return (va_vec)_mm512_max_ps((__m512)a, (__m512)b); }
VA_INLINE va_vec va_min(va_vec a, va_vec b) { return (va_vec)_mm512_min_ps((__m512)a, (__m512)b); }
#elif VA_LANES == 8
VA_INLINE va_vec va_max(va_vec a, va_vec b) { return (va_vec)_mm256_max_ps((__m256)a, (__m256)b); }
VA_INLINE va_vec va_min(va_vec a, va_vec b) { return (va_vec)_mm256_min_ps((__m256)a, (__m256)b); }
#elif defined(__SSE2__)
VA_INLINE va_vec va_max(va_vec a, va_vec b) { return (va_vec)_mm_max_ps((__m128)a, (__m128)b); }
VA_INLINE va_vec va_min(va_vec a, va_vec b) { return (va_vec)_mm_min_ps((__m128)a, (__m128)b); }
#elif defined(__wasm_simd128__)
VA_INLINE va_vec va_max(va_vec a, va_vec b) { return (va_vec)wasm_f32x4_pmax((v128_t)b, (v128_t)a); }
VA_INLINE va_vec va_min(va_vec a, va_vec b) { return (va_vec)wasm_f32x4_pmin((v128_t)b, (v128_t)a); }
#else
VA_INLINE va_vec va_max(va_vec a, va_vec b) { return va_select(a > b, a, b); }
VA_INLINE va_vec va_min(va_vec a, va_vec b) { return va_select(a < b, a, b); }
#endif

VA_INLINE va_vec va_magnitude(va_vec v) { return (va_vec)((va_lanes_i)v & INT32_MAX); }

VA_INLINE va_vec va_sqrt(va_vec v) {
#if defined(__clang__)
  return __builtin_elementwise_sqrt(v);
#else
  for (int lane = 0; lane < VA_LANES; lane++) v[lane] = sqrtf(v[lane]);
  return v;
#endif
}

/* sum + a[0] · b[0] + a[1] · b[1] of the two numbers in each lane. There is code for each architecture, since no
 * compiler finds its instruction in the plain loop. */
VA_INLINE va_lanes_i va_add_products(va_lanes_i sum, va_pairs a, va_pairs b) {
#if VA_LANES == 16
  /* Not _mm512_dpwssd_epi32: clang splits many of them in a row into products and additions. The instruction touches
   * registers only: sum is read and written, a and b are read. */
  __asm__("vpdpwssd {%2, %1, %0|%0, %1, %2}" : "+v"(sum) : "v"(a), "v"(b));
  return sum;
#elif VA_LANES == 8
  return sum + (va_lanes_i)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
  return sum + (va_lanes_i)_mm_madd_epi16((__m128i)a, (__m128i)b);
#elif defined(__ARM_NEON) && defined(__aarch64__)
  int32x4_t low = vmull_s16(vget_low_s16((int16x8_t)a), vget_low_s16((int16x8_t)b));
  return sum + (va_lanes_i)vpaddq_s32(low, vmull_high_s16((int16x8_t)a, (int16x8_t)b));
#elif defined(__wasm_simd128__)
  return sum + (va_lanes_i)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b);
#else
  for (int lane = 0; lane < VA_LANES; lane++)
    sum[lane] += a[2 * lane] * b[2 * lane] + a[2 * lane + 1] * b[2 * lane + 1];
  return sum;
#endif
}

VA_INLINE va_pairs va_load_pairs(const int16_t *x) {
  va_pairs v;
  memcpy(&v, x, sizeof v);
  return v;
}

/* The same from a multiple of a whole vector. */
VA_INLINE va_pairs va_load_pairs_aligned(const int16_t *x) {
  return va_load_pairs(__builtin_assume_aligned(x, VA_LANES * 4));
}

/* The pair of numbers at x in each lane. */
VA_INLINE va_pairs va_splat_pair(const int16_t *x) {
  int pair;
  memcpy(&pair, x, sizeof pair);
  return (va_pairs)((va_lanes_i){0} + pair);
}

/* Rounds x, -32767 … 32767, to the nearest integers: the low 16 bits of the float 1.5 · 2^23 + x. SSE2 has the
 * instructions for it. */
VA_INLINE void va_store_16(int16_t *p, va_vec x) {
#if VA_LANES == 4 && defined(__SSE2__)
  __m128i rounded = _mm_cvtps_epi32((__m128)x);
  _mm_storel_epi64((__m128i *)p, _mm_packs_epi32(rounded, rounded));
#else
  va_halves rounded = __builtin_convertvector((va_lanes_i)(x + va_splat(12582912)), va_halves);
  memcpy(p, &rounded, sizeof rounded);
#endif
}

/* Rounds two vectors of any finite numbers likewise: what is beyond the integers becomes the last of them. */
VA_INLINE void va_store_16_limited(int16_t *p, va_vec low, va_vec high) {
  const va_vec most = va_splat(INT16_MAX);
  low = va_min(low, most), high = va_min(high, most);
#if VA_LANES == 4 && defined(__SSE2__)
  _mm_storeu_si128((__m128i *)p, _mm_packs_epi32(_mm_cvtps_epi32((__m128)low), _mm_cvtps_epi32((__m128)high)));
#elif VA_LANES == 8
  __m256i packed = _mm256_packs_epi32(_mm256_cvtps_epi32((__m256)low), _mm256_cvtps_epi32((__m256)high));
  _mm256_storeu_si256((__m256i *)p, _mm256_permute4x64_epi64(packed, 0xd8));
#else
  va_store_16(p, va_max(low, va_splat(INT16_MIN)));
  va_store_16(p + VA_LANES, va_max(high, va_splat(INT16_MIN)));
#endif
}

VA_INLINE va_halves va_load_halves(const int16_t *p) {
  va_halves v;
  memcpy(&v, p, sizeof v);
  return v;
}
VA_INLINE void va_store_halves(int16_t *p, va_halves v) { memcpy(p, &v, sizeof v); }

VA_INLINE va_halves va_least(va_halves a, va_halves b) { return (a & (a < b)) | (b & ~(a < b)); }

/* Converts 16-bit integers to floats. */
VA_INLINE va_vec va_floats_of(va_halves v) {
  return __builtin_convertvector(__builtin_convertvector(v, va_lanes_i), va_vec);
}
VA_INLINE va_vec va_load_16(const int16_t *p) { return va_floats_of(va_load_halves(p)); }

#if VA_LANES == 16
#define VA_EVENS 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define VA_ODDS 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define VA_REVERSED 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
#define VA_MIRRORED 0, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17
#elif VA_LANES == 8
#define VA_EVENS 0, 2, 4, 6, 8, 10, 12, 14
#define VA_ODDS 1, 3, 5, 7, 9, 11, 13, 15
#define VA_REVERSED 7, 6, 5, 4, 3, 2, 1, 0
#define VA_MIRRORED 0, 15, 14, 13, 12, 11, 10, 9
#else
#define VA_EVENS 0, 2, 4, 6
#define VA_ODDS 1, 3, 5, 7
#define VA_REVERSED 3, 2, 1, 0
#define VA_MIRRORED 0, 7, 6, 5
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

/* The first element of a, then all but the first of b from its end. */
VA_INLINE va_vec va_mirrored(va_vec a, va_vec b) {
  return __builtin_shufflevector(a, b, VA_MIRRORED);
}

/* Every third element of a, b, c in a row: three vectors, starting at the first, second and third element. */
#if VA_LANES == 4
#define VA_THIRDS(a, b, c) \
  {__builtin_shufflevector(__builtin_shufflevector(a, b, 0, 3, 6, 0), c, 0, 1, 2, 5), \
   __builtin_shufflevector(__builtin_shufflevector(a, b, 1, 4, 7, 0), c, 0, 1, 2, 6), \
   __builtin_shufflevector(__builtin_shufflevector(a, b, 2, 5, 0, 0), c, 0, 1, 4, 7)}
#elif VA_LANES == 8
#define VA_THIRDS(a, b, c) \
  {__builtin_shufflevector(__builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, 0, 0), c, 0, 1, 2, 3, 4, 5, 10, 13), \
   __builtin_shufflevector(__builtin_shufflevector(a, b, 1, 4, 7, 10, 13, 0, 0, 0), c, 0, 1, 2, 3, 4, 8, 11, 14), \
   __builtin_shufflevector(__builtin_shufflevector(a, b, 2, 5, 8, 11, 14, 0, 0, 0), c, 0, 1, 2, 3, 4, 9, 12, 15)}
#else
#define VA_THIRDS(a, b, c) \
  {__builtin_shufflevector(__builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0), c, \
                           0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29), \
   __builtin_shufflevector(__builtin_shufflevector(a, b, 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0), c, \
                           0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30), \
   __builtin_shufflevector(__builtin_shufflevector(a, b, 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0), c, \
                           0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31)}
#endif

/* Transposes a square of vectors in place. */
#if VA_LANES == 4
VA_INLINE void va_transpose(va_vec *v) {
  va_vec a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5), b = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
  va_vec c = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5), d = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
  v[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  v[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  v[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  v[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}
#elif VA_LANES == 8
VA_INLINE void va_transpose(va_vec *v) {
  for (int i = 0; i < 8; i += 4) { /* the 4 × 4 squares in each half */
    va_vec a = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    va_vec b = __builtin_shufflevector(v[i], v[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    va_vec c = __builtin_shufflevector(v[i + 2], v[i + 3], 0, 8, 1, 9, 4, 12, 5, 13);
    va_vec d = __builtin_shufflevector(v[i + 2], v[i + 3], 2, 10, 3, 11, 6, 14, 7, 15);
    v[i] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    v[i + 1] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    v[i + 2] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    v[i + 3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (int i = 0; i < 4; i++) { /* then the halves themselves */
    va_vec low = v[i], high = v[i + 4];
    v[i] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11);
    v[i + 4] = __builtin_shufflevector(low, high, 4, 5, 6, 7, 12, 13, 14, 15);
  }
}
#else
/* Four of the quarters of a (0 … 3) and b (4 … 7). */
#define VA_QUARTERS(a, b, q, r, s, t) \
  __builtin_shufflevector(a, b, 4 * q, 4 * q + 1, 4 * q + 2, 4 * q + 3, 4 * r, 4 * r + 1, 4 * r + 2, 4 * r + 3, 4 * s, \
                          4 * s + 1, 4 * s + 2, 4 * s + 3, 4 * t, 4 * t + 1, 4 * t + 2, 4 * t + 3)
/* The elements p, q, r, s of each quarter: 0 … 3 are a's, 16 … 19 are b's. */
#define VA_WITHIN(a, b, p, q, r, s) \
  __builtin_shufflevector(a, b, p, q, r, s, p + 4, q + 4, r + 4, s + 4, p + 8, q + 8, r + 8, s + 8, p + 12, q + 12, \
                          r + 12, s + 12)
VA_INLINE void va_transpose(va_vec *v) {
  VA_UNROLL
  for (int i = 0; i < 16; i += 4) { /* the 4 × 4 squares in each quarter */
    va_vec a = VA_WITHIN(v[i], v[i + 1], 0, 16, 1, 17), b = VA_WITHIN(v[i], v[i + 1], 2, 18, 3, 19);
    va_vec c = VA_WITHIN(v[i + 2], v[i + 3], 0, 16, 1, 17), d = VA_WITHIN(v[i + 2], v[i + 3], 2, 18, 3, 19);
    v[i] = VA_WITHIN(a, c, 0, 1, 16, 17);
    v[i + 1] = VA_WITHIN(a, c, 2, 3, 18, 19);
    v[i + 2] = VA_WITHIN(b, d, 0, 1, 16, 17);
    v[i + 3] = VA_WITHIN(b, d, 2, 3, 18, 19);
  }
  VA_UNROLL
  for (int i = 0; i < 4; i++) { /* then the quarters themselves */
    va_vec a = VA_QUARTERS(v[i], v[i + 4], 0, 1, 4, 5), b = VA_QUARTERS(v[i], v[i + 4], 2, 3, 6, 7);
    va_vec c = VA_QUARTERS(v[i + 8], v[i + 12], 0, 1, 4, 5), d = VA_QUARTERS(v[i + 8], v[i + 12], 2, 3, 6, 7);
    v[i] = VA_QUARTERS(a, c, 0, 2, 4, 6);
    v[i + 4] = VA_QUARTERS(a, c, 1, 3, 5, 7);
    v[i + 8] = VA_QUARTERS(b, d, 0, 2, 4, 6);
    v[i + 12] = VA_QUARTERS(b, d, 1, 3, 5, 7);
  }
}
#endif

/* The sum of the lanes, pairwise. */
VA_INLINE float va_sum(va_vec v) {
#if VA_LANES == 16
  float halves[VA_LANES];
  va_store(halves, v + __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  const float *h = halves;
  return ((h[0] + h[4]) + (h[2] + h[6])) + ((h[1] + h[5]) + (h[3] + h[7]));
#elif VA_LANES == 8
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
#else
  return (v[0] + v[2]) + (v[1] + v[3]);
#endif
}

/* The sum of each of VA_LANES vectors, which is what va_sum returns, bit for bit. 16 lanes do not need it. */
#if VA_LANES == 4
VA_INLINE va_vec va_sums(const va_vec *v) {
  va_vec a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5) + __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
  va_vec b = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5) + __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
  return __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
}
#elif VA_LANES == 8
/* The sums of pairs in each half: those of a, then those of b. */
VA_INLINE va_vec va_paired_sums(va_vec a, va_vec b) {
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13) +
         __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
}
VA_INLINE va_vec va_sums(const va_vec *v) {
  va_vec both[4]; /* the halves of v[i] added, then those of v[i + 4] */
  VA_UNROLL
  for (int i = 0; i < 4; i++)
    both[i] = __builtin_shufflevector(v[i], v[i + 4], 0, 1, 2, 3, 8, 9, 10, 11) +
              __builtin_shufflevector(v[i], v[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  va_vec a = va_paired_sums(both[0], both[1]), b = va_paired_sums(both[2], both[3]);
  return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13) +
         __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
}
#endif

/* The largest and the smallest lane. */
VA_INLINE float va_top(va_vec v) {
#if VA_LANES == 16
  v = va_max(v, __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  v = va_max(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3));
#elif VA_LANES == 8
  v = va_max(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3));
#endif
  float a = v[0] > v[2] ? v[0] : v[2], b = v[1] > v[3] ? v[1] : v[3];
  return a > b ? a : b;
}
VA_INLINE float va_bottom(va_vec v) { return -va_top(-v); }

#endif
