#define VA_LANES 4
#define VA_KERNELS_NAME va_kernels_portable
#define VA_NARROW_NAME(name) name##_portable
#include "kernels_body.h"
