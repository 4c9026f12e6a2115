internal import Glibc

/// Returns CLOCK_MONOTONIC in ns. It stops while the computer sleeps, as timers do.
package func monotonicTime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
