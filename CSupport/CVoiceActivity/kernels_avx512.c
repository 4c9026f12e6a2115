#if defined(__x86_64__)
#include <immintrin.h> /* before the pragma, which must not apply to its functions */
#if defined(__clang__)
#pragma clang attribute push( \
    __attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")
#endif
#define VA_LANES 16
#define VA_KERNELS_NAME va_kernels_avx512
#define VA_NARROW_NAME(name) name##_avx2 /* kernels_body.h says why */
#include "kernels_body.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
typedef int va_kernels_avx512_is_for_x86_64; /* ISO C requires a declaration */
#endif
