/* Swift seeds its sets and dictionaries with random bytes, for which it calls arc4random_buf, which glibc lacks before
 * 2.36. Here the seed is constant: keys are the host's own numbers, no order of a set reaches a decision, and creating a
 * coordinator makes no system call. */
#include <stddef.h>
#include <string.h>

void arc4random_buf(void *bytes, size_t count);

void arc4random_buf(void *bytes, size_t count) { memset(bytes, 0, count); }
