/* shim.h — declares calls that Swift's module Glibc lacks: eventfd, pidfd_open, mkostemp, memmem, sem_clockwait,
   perf_event_open. */
#include <linux/perf_event.h>
#include <semaphore.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* pidfd_open(2), for which glibc has a function from 2.36 on. */
static inline int va_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/* perf_event_open(2): opens a counter of the instructions that the calling thread executes outside the kernel. */
static inline int va_open_instruction_counter(void) {
  struct perf_event_attr what = {
      .type = PERF_TYPE_HARDWARE,
      .size = sizeof what,
      .config = PERF_COUNT_HW_INSTRUCTIONS,
      .exclude_kernel = 1,
      .exclude_hv = 1,
  };
  return (int)syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* <stdlib.h>, <string.h> and <semaphore.h> declare these only with _GNU_SOURCE. */
extern int mkostemp(char *path, int flags);
extern void *memmem(const void *bytes, size_t count, const void *part, size_t part_count);
extern int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline);
