/* counted_malloc.c: the C library's own allocator behind a counter. What an executable defines goes before what a
 * shared library does, so Swift's runtime comes through here as well. glibc only. */
#define _GNU_SOURCE
#include "counted_malloc.h"

#include <errno.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static unsigned long allocations;

unsigned long counted_allocations(void) { return allocations; }

void *malloc(size_t n) {
  allocations++;
  return __libc_malloc(n);
}

void *calloc(size_t n, size_t m) {
  allocations++;
  return __libc_calloc(n, m);
}

void *realloc(void *p, size_t n) {
  allocations++;
  return __libc_realloc(p, n);
}

void *aligned_alloc(size_t alignment, size_t n) {
  allocations++;
  return __libc_memalign(alignment, n);
}

int posix_memalign(void **p, size_t alignment, size_t n) {
  allocations++;
  *p = __libc_memalign(alignment, n);
  return *p ? 0 : ENOMEM;
}
