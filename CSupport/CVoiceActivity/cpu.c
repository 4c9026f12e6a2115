#include "cpu.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[VA_SIMD_COUNT] = {"portable", "avx2", "avx512"};

const char *va_simd_name_of(va_simd simd) { return names[simd]; }

static va_simd best(void) {
#if defined(__x86_64__)
  /* Asks at run time instead of an ifunc (target_clones), which runs before a sanitizer is ready. AVX-512 without VNNI
   * is not worth it: those processors lower their clock for it. */
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return VA_SIMD_PORTABLE;
  bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
              __builtin_cpu_supports("avx512vnni");
  return wide ? VA_SIMD_AVX512 : VA_SIMD_AVX2;
#else
  return VA_SIMD_PORTABLE;
#endif
}

va_simd va_simd_limited(const char *wish) {
  va_simd simd = best();
  for (int lesser = 0; wish && lesser < (int)simd; lesser++)
    if (strcmp(wish, names[lesser]) == 0) return (va_simd)lesser;
  return simd;
}

va_simd va_simd_detect(void) { return va_simd_limited(getenv("VA_CPU")); }
