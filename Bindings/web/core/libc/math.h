/* math.h — what the core uses of it, each an instruction of WebAssembly. */
#ifndef WEB_MATH_H
#define WEB_MATH_H

#define INFINITY (__builtin_inff())
#define copysignf(x, sign) __builtin_copysignf(x, sign)
#define fabsf(x) __builtin_fabsf(x)
#define sqrtf(x) __builtin_sqrtf(x)
#define isfinite(x) __builtin_isfinite(x)

#endif
