#include "cpu.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[VA_SIMD_COUNT] = {"portable", "avx2", "avx512"};

const char *va_simd_name_of(va_simd simd) { return names[simd]; }

/* Checked at run time instead of with an ifunc (target_clones), which runs before a sanitizer is ready. AVX-512 without
 * VNNI is not used: those processors lower their clock for it. */
static va_simd best(void) {
#if defined(__x86_64__)
  bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                __builtin_cpu_supports("avx512vnni");
  if (!avx2) return VA_SIMD_PORTABLE;
  return avx512 ? VA_SIMD_AVX512 : VA_SIMD_AVX2;
#else
  return VA_SIMD_PORTABLE;
#endif
}

va_simd va_simd_limited(const char *limit) {
  va_simd simd = best();
  if (!limit) return simd;
  for (int lesser = VA_SIMD_PORTABLE; lesser < (int)simd; lesser++)
    if (strcmp(limit, names[lesser]) == 0) return (va_simd)lesser;
  return simd;
}

/* getenv is a data race only with a thread that changes the environment, which a program with threads must not do. */
va_simd va_simd_detect(void) { return va_simd_limited(getenv("VA_CPU")); }
