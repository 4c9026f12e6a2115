/// How often this process asked for memory so far: malloc, calloc, realloc, aligned_alloc and posix_memalign, of every
/// library in it. For programs of one thread.
unsigned long counted_allocations(void);
