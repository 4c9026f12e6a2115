/* memory.h — memory for what va_detector_create and va_echo_create return. */
#ifndef VA_MEMORY_H
#define VA_MEMORY_H

#include <stddef.h>

/* Returns `size` bytes aligned to VA_DETECTOR_ALIGNMENT, or NULL. */
void *va_allocate(size_t size);

/* Releases them. NULL is allowed. */
void va_release(void *memory);

#endif
