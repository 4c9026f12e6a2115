#define VA_LANES 4
#define VA_KERNELS_NAME va_kernels_portable
#include "kernels_body.h"
