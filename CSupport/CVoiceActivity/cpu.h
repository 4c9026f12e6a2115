/* cpu.h — chooses the SIMD body of the kernels (kernels.h). */
#ifndef VA_CPU_H
#define VA_CPU_H

/* An index instead of a pointer, so that a detector's state can move between processes and machines. */
typedef enum va_simd {
  VA_SIMD_PORTABLE = 0, /* 4 lanes of the baseline: SSE2 on x86-64, NEON on AArch64 */
  VA_SIMD_AVX2 = 1,     /* 8 lanes, AVX2 and FMA */
  VA_SIMD_AVX512 = 2,   /* 16 lanes, AVX-512 F, BW, DQ, VL and VNNI: Intel since Ice Lake, AMD since Zen 4 */
  VA_SIMD_COUNT
} va_simd;

/* How the bodies of this architecture multiply numbers of 8 bits (quads.h): as bytes, or as 16-bit numbers
 * where no instruction takes bytes. x86-64 has bodies of both kinds. */
#if defined(__x86_64__)
#define VA_MULTIPLIES_BYTES 1
#define VA_MULTIPLIES_16_BITS 1
#elif defined(__ARM_NEON) && defined(__aarch64__)
#define VA_MULTIPLIES_BYTES 1
#define VA_MULTIPLIES_16_BITS 0
#else
#define VA_MULTIPLIES_BYTES 0
#define VA_MULTIPLIES_16_BITS 1
#endif

/* Returns the best body for this machine, but none above the one named by `limit` ("portable", "avx2"). NULL and other
 * names set no limit. */
va_simd va_simd_limited(const char *limit);

/* Returns va_simd_limited of the environment variable VA_CPU. It reads the environment, so it is called once per
 * detector. */
va_simd va_simd_detect(void);

/* Returns "portable", "avx2" or "avx512". */
const char *va_simd_name_of(va_simd simd);

#endif
