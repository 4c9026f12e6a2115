/* Defines malloc itself, in the test's program, over glibc's own names for it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include "allocation_counter.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(realtime_sanitizer)
#define HAS_OTHER_MALLOC 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) /* of gcc */
#define HAS_OTHER_MALLOC 1
#endif

static atomic_bool is_watching;
static atomic_long count;
static pthread_t watched;

void allocation_counter_watch(pthread_t thread) {
  watched = thread;
  atomic_store(&count, 0);
  atomic_store(&is_watching, true);
}

long allocation_counter_stop(void) {
  atomic_store(&is_watching, false);
  return atomic_load(&count);
}

#if defined(HAS_OTHER_MALLOC) && !defined(ALLOCATION_COUNTER_WRAPS)
bool allocation_counter_works(void) { return false; }
long allocation_counter_here(void) { return 0; }
long allocation_counter_held(void) { return 0; }
bool allocation_counter_fail(long nth) { return (void)nth, false; }
bool allocation_counter_fail_in(long nth, const char *caller) { return (void)nth, (void)caller, false; }
#else
/* Initial-exec: memory of a thread that needs no allocation on first use, also in a shared object. */
#define LOCAL static _Thread_local __attribute__((tls_model("initial-exec")))
LOCAL long count_here, held_here, left; /* left: allocations up to the one that fails; 0: none does */
LOCAL bool has_failed, is_looking;
LOCAL const char *failing_caller; /* NULL: any */

bool allocation_counter_works(void) { return true; }
long allocation_counter_here(void) { return count_here; }
long allocation_counter_held(void) { return held_here; }

bool allocation_counter_fail(long nth) { return allocation_counter_fail_in(nth, NULL); }

bool allocation_counter_fail_in(long nth, const char *caller) {
  const bool failed = has_failed;
  has_failed = false;
  left = nth;
  failing_caller = caller;
  return failed;
}

/* Acquire order makes `watched` visible, which allocation_counter_watch wrote before. */
static void note(void) {
  count_here++;
  if (atomic_load_explicit(&is_watching, memory_order_acquire) && pthread_equal(pthread_self(), watched))
    atomic_fetch_add(&count, 1);
}

static bool is_meant(void *caller) {
  if (!failing_caller) return true;
  if (is_looking) return false; /* dladdr may allocate */
  Dl_info info;
  is_looking = true;
  const bool is_found = dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, failing_caller);
  is_looking = false;
  return is_found;
}

static bool fails(void *caller) {
  note();
  if (left == 0 || !is_meant(caller)) return false;
  left--;
  has_failed = left == 0;
  if (has_failed) errno = ENOMEM;
  return has_failed;
}

static void *held(void *memory) {
  held_here += memory != NULL;
  return memory;
}

#ifdef ALLOCATION_COUNTER_WRAPS
#define OURS(name) __wrap_##name
#define REAL(name) __real_##name
int __real_posix_memalign(void **, size_t, size_t);
static void *real_aligned(size_t alignment, size_t size) {
  void *memory = NULL;
  return __real_posix_memalign(&memory, alignment, size) == 0 ? memory : NULL;
}
#else
#define OURS(name) name
#define REAL(name) __libc_##name
void *__libc_memalign(size_t, size_t);
static void *real_aligned(size_t alignment, size_t size) { return __libc_memalign(alignment, size); }
#endif
void *REAL(malloc)(size_t), *REAL(calloc)(size_t, size_t), *REAL(realloc)(void *, size_t), REAL(free)(void *);
void *OURS(malloc)(size_t), *OURS(calloc)(size_t, size_t), *OURS(realloc)(void *, size_t), OURS(free)(void *);
void *OURS(memalign)(size_t, size_t), *OURS(aligned_alloc)(size_t, size_t);
int OURS(posix_memalign)(void **, size_t, size_t);

#define FAILS fails(__builtin_return_address(0))
void *OURS(malloc)(size_t size) { return FAILS ? NULL : held(REAL(malloc)(size)); }
void *OURS(calloc)(size_t number, size_t size) { return FAILS ? NULL : held(REAL(calloc)(number, size)); }
void *OURS(realloc)(void *memory, size_t size) {
  if (FAILS) return NULL;
  void *moved = REAL(realloc)(memory, size);
  return memory ? moved : held(moved);
}
void *OURS(memalign)(size_t alignment, size_t size) { return FAILS ? NULL : held(real_aligned(alignment, size)); }
void *OURS(aligned_alloc)(size_t alignment, size_t size) { return FAILS ? NULL : held(real_aligned(alignment, size)); }
int OURS(posix_memalign)(void **memory, size_t alignment, size_t size) {
  void *found = FAILS ? NULL : held(real_aligned(alignment, size));
  if (found) *memory = found; /* otherwise it stays as it was, as POSIX allows */
  return found ? 0 : ENOMEM;
}
void OURS(free)(void *memory) {
  note();
  held_here -= memory != NULL;
  REAL(free)(memory);
}
#endif
