internal import CLinux
internal import Glibc

/// A wake-up of a thread that waits for nothing else, or for a time. A signal sent before the wait ends that wait.
///
/// It is what a ring's halves signal: signalling takes no lock, allocates nothing and cannot fail, and a stream costs
/// no descriptor, of which a server's thousands of streams would need more than a process may have. A thread that waits
/// for descriptors as well has a ``WakeEvent``.
///
/// It is POSIX's semaphore, because the time limit of Dispatch's is the wall clock's, which can be set
/// (sem_timedwait(3)).
///
/// Threads: any thread may signal; one waits. Only atomics may depend on the order of both: ThreadSanitizer does not
/// know sem_clockwait.
package final class Wakeup: Sendable {
  /// `nonisolated(unsafe)` is safe because the functions on a semaphore may be called by all threads at once. Its
  /// address is stable, and valid as long as this object.
  private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  package init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  package func signal() { sem_post(semaphore) }

  /// Waits for a signal, or until `deadline` (CLOCK_MONOTONIC, ns).
  package func wait(until deadline: Int64 = .max) {
    var time = timespec(nanoseconds: deadline)
    while sem_clockwait(semaphore, CLOCK_MONOTONIC, &time) != 0, errno == EINTR {}
  }

  /// Waits for a signal, or for `limit` to pass.
  package func wait(atMost limit: Duration) {
    wait(until: monotonicTime(after: limit))
  }
}

extension SampleRing.Reader {
  /// Waits for `count` samples, a gap, the end or another signal of `wake`, which the ring's writer signals, or until
  /// `deadline` (CLOCK_MONOTONIC, ns).
  ///
  /// - Returns: Whether to read: `false` if the deadline had passed and there was not enough.
  package mutating func sleep(
    for count: Int = 1, on wake: Wakeup, until deadline: Int64 = .max
  ) -> Bool {
    guard prepareToSleep(for: count) else { return true }
    guard monotonicTime() < deadline else { return false }
    wake.wait(until: deadline)
    return true
  }
}
