/* Defines malloc itself, in the test's program, over glibc's own names for it. */
#include "allocation_counter.h"

#include <stdatomic.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_OTHER_MALLOC 1
#endif
#endif

static atomic_bool is_watching;
static atomic_long count;
static pthread_t watched;

bool allocation_counter_works(void) {
#ifdef HAS_OTHER_MALLOC
  return false;
#else
  return true;
#endif
}

void allocation_counter_watch(pthread_t thread) {
  watched = thread;
  atomic_store(&count, 0);
  atomic_store(&is_watching, true);
}

long allocation_counter_stop(void) {
  atomic_store(&is_watching, false);
  return atomic_load(&count);
}

#ifdef HAS_OTHER_MALLOC
long allocation_counter_here(void) { return 0; }
#else
static _Thread_local long count_here;

long allocation_counter_here(void) { return count_here; }

/* Acquire order makes `watched` visible, which allocation_counter_watch wrote before. */
static void note(void) {
  count_here++;
  if (atomic_load_explicit(&is_watching, memory_order_acquire) && pthread_equal(pthread_self(), watched))
    atomic_fetch_add(&count, 1);
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t), __libc_free(void *);

void *malloc(size_t size) { return note(), __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return note(), __libc_calloc(number, size); }
void *realloc(void *memory, size_t size) { return note(), __libc_realloc(memory, size); }
void *memalign(size_t alignment, size_t size) { return note(), __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return note(), __libc_memalign(alignment, size); }
int posix_memalign(void **memory, size_t alignment, size_t size) {
  note();
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : 12 /* ENOMEM */;
}
void free(void *memory) { note(), __libc_free(memory); }
#endif
