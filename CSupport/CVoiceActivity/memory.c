#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include "memory.h"

#if defined(_WIN32)
#include <malloc.h>
#endif
#include <stdlib.h>

#if defined(_WIN32)
va_status_code va_allocate(size_t size, void **memory) {
  *memory = _aligned_malloc(size, VA_DETECTOR_ALIGNMENT);
  return *memory ? VA_OK : VA_ERROR_MEMORY;
}
void va_release(void *memory) { _aligned_free(memory); }
#else
/* macOS and Android have had posix_memalign for longer than C11's aligned_alloc. */
va_status_code va_allocate(size_t size, void **memory) {
  return posix_memalign(memory, VA_DETECTOR_ALIGNMENT, size) == 0 ? VA_OK : VA_ERROR_MEMORY;
}
void va_release(void *memory) { free(memory); }
#endif
