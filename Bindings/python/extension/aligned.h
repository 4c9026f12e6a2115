/* aligned.h — memory at multiples of VA_DETECTOR_ALIGNMENT, on every platform. */
#ifndef VAPY_ALIGNED_H
#define VAPY_ALIGNED_H

#include "limited.h"
#include "voice_activity.h"

typedef struct aligned {
  void *whole; /* what is freed */
  void *start; /* what is aligned */
} aligned;

/* Returns `size` bytes; `whole` is NULL if there is no memory, and MemoryError is raised. */
static inline aligned aligned_new(size_t size) {
  char *whole = PyMem_Malloc(size + VA_DETECTOR_ALIGNMENT);
  if (!whole) return (aligned){PyErr_NoMemory(), NULL};
  return (aligned){whole, whole + (VA_DETECTOR_ALIGNMENT - (size_t)whole % VA_DETECTOR_ALIGNMENT)};
}
static inline void aligned_free(aligned memory) { PyMem_Free(memory.whole); }

#endif
