package import Glibc

/// Returns CLOCK_MONOTONIC in ns. It stops while the computer sleeps, as timers do.
package func monotonicTime() -> Int64 { clockTime(CLOCK_MONOTONIC) }

/// Returns CLOCK_MONOTONIC in ns, when `duration` will have passed.
package func monotonicTime(after duration: Duration) -> Int64 {
  monotonicTime() + duration.nanoseconds
}

/// Returns the time of a clock in ns.
package func clockTime(_ clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

extension timespec {
  init(nanoseconds: Int64) {
    self.init(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
