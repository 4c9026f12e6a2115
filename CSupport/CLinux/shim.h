#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/* pidfd_open(2), for which glibc has a function from 2.36 on. */
static inline int va_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }
