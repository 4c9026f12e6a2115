/* shim.h — declares calls of Linux that Swift's module Glibc lacks: eventfd, pidfd_open and mkostemp. */
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/* pidfd_open(2), for which glibc has a function from 2.36 on. */
static inline int va_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/* <stdlib.h> declares it only with _GNU_SOURCE. */
extern int mkostemp(char *path, int flags);
