/* allocation_counter.h — counts the calls of malloc and its relatives that one thread makes. */
#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <pthread.h>
#include <stdbool.h>

/* False under AddressSanitizer and ThreadSanitizer, which have a malloc of their own. */
bool allocation_counter_works(void);

/* Counts those of `thread` from now on, from 0. One thread at a time in the whole process. */
void allocation_counter_watch(pthread_t thread);

/* Ends it; how many there were. */
long allocation_counter_stop(void);

/* How many the calling thread has made since it began: for what runs on the thread of the test. Any number of threads. */
long allocation_counter_here(void);

#endif
