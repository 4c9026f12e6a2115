#include "cpu.h"

#include <stdlib.h>
#include <string.h>

va_simd va_simd_detect(void) {
  const char *wish = getenv("VA_CPU");
  if (wish && strcmp(wish, "portable") == 0) return VA_SIMD_PORTABLE;
#if defined(__x86_64__)
  /* Asks at run time instead of an ifunc (target_clones), which runs before a sanitizer is ready. */
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return VA_SIMD_AVX2;
#endif
  return VA_SIMD_PORTABLE;
}
