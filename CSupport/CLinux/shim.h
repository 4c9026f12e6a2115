/* shim.h — declares calls that Swift's module Glibc lacks: eventfd, pidfd_open, mkostemp, memmem, sem_clockwait,
   perf_event_open; and starts programs that end with a thread. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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
extern int execvpe(const char *file, char *const words[], char *const environment[]);

/* Becomes the child's stream `number`: a descriptor of ours, or /dev/null for -1. Returns 0 or -1, with errno. */
static inline int va_take_stream(int stream, int number) {
  if (stream == number) return fcntl(number, F_SETFD, 0);
  if (stream >= 0) return dup2(stream, number) < 0 ? -1 : 0;
  const int null = open("/dev/null", O_RDWR);
  if (null < 0 || null == number) return null < 0 ? -1 : 0;
  const int result = dup2(null, number);
  close(null);
  return result < 0 ? -1 : 0;
}

/* Starts a program in a process group of its own, with its streams, all signals unblocked and none ignored, and returns
   0 or an error of errno(3). The kernel kills it when the calling thread ends, and so when this process is killed, for
   which posix_spawn(3) has no attribute.

   Until it runs the program, the child has our memory and this thread waits (vfork(2)). It is a function of its own, so
   that what the child leaves on the stack harms nobody. */
static __attribute__((noinline, unused)) int va_spawn_tied(
    pid_t *process, const char *program, char *const words[], char *const environment[],
    const int streams[3]) {
  volatile int failure = 0;
  const pid_t parent = getpid();
  sigset_t all, before, none;
  sigfillset(&all);
  sigemptyset(&none);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const pid_t child = vfork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* It may have been killed before. */
    if (getppid() != parent) _exit(127);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    if (setpgid(0, 0) == 0 && va_take_stream(streams[0], 0) == 0 && va_take_stream(streams[1], 1) == 0 &&
        va_take_stream(streams[2], 2) == 0) {
      sigprocmask(SIG_SETMASK, &none, NULL);
      execvpe(program, words, environment);
    }
    failure = errno;
    _exit(127);
  }
  const int code = child < 0 ? errno : failure;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (child > 0 && code != 0) waitpid(child, NULL, 0);
  *process = child;
  return code;
}
