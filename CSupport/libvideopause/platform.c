/* What Swift's run time takes from the platform, here in ways that a library in C can promise. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Swift seeds its sets and dictionaries with random bytes, for which it calls arc4random_buf, which glibc lacks before
 * 2.36. Here the seed is constant: keys are the host's own numbers, no order of a set reaches a decision, and creating
 * a coordinator makes no system call. */
void arc4random_buf(void *bytes, size_t count);

void arc4random_buf(void *bytes, size_t count) { memset(bytes, 0, count); }

/* Swift has no error for exhausted memory: it traps at most failures, and writes to NULL at others. Here all end in the
 * same way, and say why. The linker prefers this function to libc's, for the library alone. */
int posix_memalign(void **memory, size_t alignment, size_t size);

int posix_memalign(void **memory, size_t alignment, size_t size) {
  static const char text[] = "libvideopause: there is no memory\n";
  const size_t whole = (size + alignment - 1) & ~(alignment - 1); /* a power of 2; 0 if nothing is so large */
  *memory = whole >= size ? aligned_alloc(alignment, whole) : NULL;
  if (*memory != NULL) return 0;
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) abort();
  abort();
}
