/* quads.h — products of quads: x[0] · w[0] + … + x[3] · w[3], added to a sum. It is included once per number of lanes.
 *
 * x: 0 … 127, w: -127 … 127, so that nothing on the way leaves 16 bits, and bytes of x are the same number to
 * instructions for signed and for unsigned ones. Where an instruction multiplies bytes, a vector holds the quads of
 * VA_LANES outputs, one in each lane. Elsewhere it takes two, of 16-bit numbers, whose lanes have half of a quad's sum
 * each. */
#ifndef VA_QUADS_H
#define VA_QUADS_H

#include "cpu.h"
#include "simd.h"

#if VA_LANES == 4 && VA_MULTIPLIES_16_BITS
#define VA_QUAD_VECTORS 2
typedef int16_t va_quad_input, va_quad_weight;
typedef va_pairs va_quads;
typedef int64_t va_splat_lanes __attribute__((vector_size(VA_LANES * 4)));

VA_INLINE va_lanes_i va_add_quad_products(va_lanes_i sum, va_quads x, va_quads w) { return va_add_products(sum, x, w); }

VA_INLINE void va_store_quad_inputs(va_quad_input *p, va_vec x) { va_store_16(p, x); }
#else
#define VA_QUAD_VECTORS 1
typedef uint8_t va_quad_input;
typedef int8_t va_quad_weight;
typedef signed char va_quads __attribute__((vector_size(VA_LANES * 4)));
typedef va_lanes_i va_splat_lanes;

VA_INLINE va_lanes_i va_add_quad_products(va_lanes_i sum, va_quads x, va_quads w) {
#if VA_LANES == 16
  __asm__("vpdpbusd {%2, %1, %0|%0, %1, %2}" : "+v"(sum) : "v"(x), "v"(w)); /* registers only, as in va_add_products */
  return sum;
#elif VA_LANES == 8
  __m256i pairs = _mm256_maddubs_epi16((__m256i)x, (__m256i)w);
  return sum + (va_lanes_i)_mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
#else
  int16x8_t low = vmull_s8(vget_low_s8((int8x16_t)x), vget_low_s8((int8x16_t)w));
  int16x8_t pairs = vpaddq_s16(low, vmull_high_s8((int8x16_t)x, (int8x16_t)w));
  return (va_lanes_i)vpadalq_s16((int32x4_t)sum, pairs);
#endif
}

/* Rounds x, 0 … 127, to the nearest integers: the low 8 bits of the float 1.5 · 2^23 + x. */
VA_INLINE void va_store_quad_inputs(va_quad_input *p, va_vec x) {
  va_few_bytes rounded = __builtin_convertvector((va_lanes_i)(x + va_splat(12582912)), va_few_bytes);
  memcpy(p, &rounded, sizeof rounded);
}
#endif

/* The weights of an input quad for VA_LANES outputs, and these outputs' sums. */
typedef struct va_quad_row {
  va_quads part[VA_QUAD_VECTORS];
} va_quad_row;
typedef struct va_quad_sums {
  va_lanes_i part[VA_QUAD_VECTORS];
} va_quad_sums;

VA_INLINE va_quad_row va_load_quads(const va_quad_weight *w) {
  va_quad_row row;
  memcpy(&row, w, sizeof row);
  return row;
}

/* The quad at x, as often as a vector holds it. */
VA_INLINE va_quads va_splat_quad(const va_quad_input *x) {
  va_splat_lanes v = {0};
  __typeof__(v[0]) quad;
  memcpy(&quad, x, sizeof quad);
  return (va_quads)(v + quad);
}

VA_INLINE void va_add_quads(va_quad_sums *sums, va_quads x, const va_quad_row *row) {
  VA_UNROLL
  for (int i = 0; i < VA_QUAD_VECTORS; i++) sums->part[i] = va_add_quad_products(sums->part[i], x, row->part[i]);
}

VA_INLINE va_lanes_i va_whole_sums(const va_quad_sums *sums) {
#if VA_QUAD_VECTORS == 1
  return sums->part[0];
#else
  return __builtin_shufflevector(sums->part[0], sums->part[1], VA_EVENS) +
         __builtin_shufflevector(sums->part[0], sums->part[1], VA_ODDS);
#endif
}

#endif
