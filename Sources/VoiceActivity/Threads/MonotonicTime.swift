internal import Glibc

/// CLOCK_MONOTONIC, ns: it stands still while the computer sleeps, as everything else does that lives by
/// timers.
package func monotonicTime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
