/* shim.h — declares calls of Linux that Swift's module Glibc lacks: eventfd, pidfd_open, pipe2 and mkostemp. */
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/* pidfd_open(2), for which glibc has a function from 2.36 on. */
static inline int va_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/* Linux's own calls, which <unistd.h> and <stdlib.h> show to _GNU_SOURCE alone. */
extern int pipe2(int descriptors[2], int flags);
extern int mkostemp(char *path, int flags);
