#include "cpu.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[VA_SIMD_COUNT] = {"portable", "avx2", "avx512"};

const char *va_simd_name_of(va_simd simd) { return names[simd]; }

#if defined(__x86_64__)

static bool has(uint32_t bits, uint32_t wanted) { return (bits & wanted) == wanted; }

/* Returns the registers that the operating system saves for each thread, as bits of XCR0. The intrinsic would need
 * -mxsave. */
static uint32_t saved_registers(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  (void)high;
  return low;
}

/* Asks the processor itself, because __builtin_cpu_supports always answers no in a library that zig compiles. AVX-512
 * without VNNI is not used: those processors lower their clock for it. */
static va_simd ask(void) {
  enum { YMM = 0x06, ZMM = 0xe6 }; /* XMM and upper YMM; those, masks, upper ZMM, ZMM 16 … 31 */
  const uint32_t avx512 = bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;
  uint32_t eax, ebx, ecx, edx;
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !has(ecx, bit_FMA | bit_OSXSAVE)) return VA_SIMD_PORTABLE;
  uint32_t saved = saved_registers();
  if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || !has(ebx, bit_AVX2) || !has(saved, YMM))
    return VA_SIMD_PORTABLE;
  return has(ebx, avx512) && has(ecx, bit_AVX512VNNI) && has(saved, ZMM) ? VA_SIMD_AVX512 : VA_SIMD_AVX2;
}

#else

static va_simd ask(void) { return VA_SIMD_PORTABLE; }

#endif

/* Chosen at run time instead of with an ifunc (target_clones), which runs before a sanitizer is ready; asked once,
 * because a virtual machine takes 40 µs for each cpuid. Relaxed: all threads find the same, and nothing else depends on
 * it. */
static va_simd best(void) {
  static _Atomic int known = -1;
  int simd = atomic_load_explicit(&known, memory_order_relaxed);
  if (simd >= 0) return (va_simd)simd;
  simd = (int)ask();
  atomic_store_explicit(&known, simd, memory_order_relaxed);
  return (va_simd)simd;
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
