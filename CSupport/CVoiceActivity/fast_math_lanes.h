/* fast_math_lanes.h — the functions of fast_math.h for VA_LANES numbers at once, by the same formulas. */
#ifndef VA_FAST_MATH_LANES_H
#define VA_FAST_MATH_LANES_H

#include "fast_math.h"
#include "simd.h"

/* va_log2 in each lane. */
VA_INLINE va_vec va_log2_lanes(va_vec x) {
  x = va_max(x, va_splat(FLT_MIN));
  va_lanes_i shifted = (va_lanes_i)x - 0x3f3504f3;
  va_vec m = (va_vec)((shifted & 0x007fffff) + 0x3f3504f3);
  va_vec t = (m - va_splat(1)) / (m + va_splat(1)), t2 = t * t;
  va_vec series = va_splat(2.88539008f) +
                  t2 * (va_splat(0.96179669f) + t2 * (va_splat(0.57707802f) + t2 * va_splat(0.41219859f)));
  return __builtin_convertvector(shifted >> 23, va_vec) + t * series;
}

/* va_exp2 in each lane. */
VA_INLINE va_vec va_exp2_lanes(va_vec x) {
  x = va_max(va_min(x, va_splat(126)), va_splat(-126));
  va_lanes_i sign = (va_lanes_i)x & (int)0x80000000;
  va_lanes_i whole = __builtin_convertvector(x + (va_vec)(sign | 0x3f000000), va_lanes_i); /* half away from 0 */
  va_vec f = (x - __builtin_convertvector(whole, va_vec)) * VA_LN2;
  va_vec tail = 0.0416666667f + f * (0.00833333333f + f * 0.00138888889f);
  va_vec series = 1 + f * (1 + f * (0.5f + f * (0.166666667f + f * tail)));
  return (va_vec)((whole + 127) << 23) * series;
}

/* tanh by Lambert's continued fraction (1770), 7th over 6th order, limited where it reaches 1: within 7e-5 of tanh. The
 * network was trained with this function, so for the network it is exact. */
VA_INLINE va_vec va_tanh_lanes(va_vec x) {
  x = va_max(va_min(x, va_splat(4.97f)), va_splat(-4.97f));
  va_vec s = x * x;
  va_vec above = 135135 + s * (17325 + s * (378 + s)), below = 135135 + s * (62370 + s * (3150 + 28 * s));
  return x * above / below;
}

/* 1 / (1 + exp(-x)), as (1 + tanh(x / 2)) / 2 */
VA_INLINE va_vec va_sigmoid_lanes(va_vec x) { return 0.5f + 0.5f * va_tanh_lanes(0.5f * x); }

#endif
