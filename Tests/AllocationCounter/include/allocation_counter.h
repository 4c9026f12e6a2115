/* allocation_counter.h — counts the calls of malloc and its relatives, and lets one of them fail.
 *
 * Swift's tests link it, and so do programs in C. As a shared object it is for LD_PRELOAD, and a test in another
 * language finds its functions in the process. With ALLOCATION_COUNTER_WRAPS it serves under AddressSanitizer, for what
 * is linked with
 * -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=posix_memalign,--wrap=free. */
#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <pthread.h>
#include <stdbool.h>

/* False under sanitizers that have a malloc of their own, unless it wraps. */
bool allocation_counter_works(void);

/* Counts those of `thread` from now on, from 0. One thread at a time in the whole process. */
void allocation_counter_watch(pthread_t thread);

/* Ends it; how many there were. */
long allocation_counter_stop(void);

/* How many the calling thread has made since it began, those of free included: for what runs on the thread of the test.
 * Any number of threads. */
long allocation_counter_here(void);

/* The blocks that the calling thread has allocated, less those that it has freed. */
long allocation_counter_held(void);

/* From now on the `nth` allocation of the calling thread fails, counted from 1, and no other; with 0 none does. `free`
 * does not count. Returns whether the one that was asked for before has failed. */
bool allocation_counter_fail(long nth);

/* The same, but counts only allocations by code of shared objects, or of the program, whose path contains `caller`: a
 * string that stays. For what a test loads with LD_PRELOAD. */
bool allocation_counter_fail_in(long nth, const char *caller);

#endif
