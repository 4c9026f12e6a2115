#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include "memory.h"

#if defined(_WIN32)
#include <malloc.h>
#endif
#include <stdlib.h>

#include "voice_activity.h"

#if defined(_WIN32)
void *va_allocate(size_t size) { return _aligned_malloc(size, VA_DETECTOR_ALIGNMENT); }
void va_release(void *memory) { _aligned_free(memory); }
#else
/* macOS and Android have had posix_memalign for longer than C11's aligned_alloc. */
void *va_allocate(size_t size) {
  void *memory;
  return posix_memalign(&memory, VA_DETECTOR_ALIGNMENT, size) == 0 ? memory : NULL;
}
void va_release(void *memory) { free(memory); }
#endif
