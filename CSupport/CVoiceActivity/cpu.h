/* cpu.h — which bodies of the vector kernels run on this machine. */
#ifndef VA_CPU_H
#define VA_CPU_H

/* An index, never a pointer, so that a detector's state can move between processes and machines. */
typedef enum va_simd {
  VA_SIMD_PORTABLE = 0, /* 4 lanes of the baseline: SSE2 on x86-64, NEON on AArch64 */
  VA_SIMD_AVX2 = 1,     /* 8 lanes, AVX2 and FMA */
  VA_SIMD_AVX512 = 2,   /* 16 lanes, AVX-512 F, BW, DQ, VL and VNNI: Intel from Ice Lake on, AMD from Zen 4 on */
  VA_SIMD_COUNT
} va_simd;

/* The best this machine offers, but none above the one that `wish` names ("portable", "avx2"); NULL is no wish. */
va_simd va_simd_limited(const char *wish);

/* The same with the wish in VA_CPU. Not for the hot path: it reads the environment. */
va_simd va_simd_detect(void);

/* "portable", "avx2" or "avx512". */
const char *va_simd_name_of(va_simd simd);

#endif
