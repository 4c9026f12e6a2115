#if defined(__x86_64__)
#include <immintrin.h> /* before the pragma, which must not apply to its functions */
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#define VA_LANES 8
#define VA_KERNELS_NAME va_kernels_avx2
#define VA_NARROW_NAME(name) name##_avx2
#include "kernels_body.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
typedef int va_kernels_avx2_is_for_x86_64; /* ISO C requires a declaration */
#endif
