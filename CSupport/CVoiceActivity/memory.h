/* memory.h — memory for what the functions that end in _create return. */
#ifndef VA_MEMORY_H
#define VA_MEMORY_H

#include "voice_activity.h"

/* Allocates `size` bytes aligned to VA_DETECTOR_ALIGNMENT. */
va_status_code va_allocate(size_t size, void **memory);

/* Releases them. NULL is allowed. */
void va_release(void *memory);

#endif
