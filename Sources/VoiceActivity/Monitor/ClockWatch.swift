internal import Glibc

/// How far the wall clock and the positions of a stream have moved apart.
public struct ClockShift: Sendable, Hashable {
  /// By how much the wall clock has gained on the positions since listening began, or since this was last reported.
  /// Negative if it was set back.
  public var wallClock: Duration
  /// The part of that during which the computer slept.
  public var asleep: Duration
}

/// The clocks of one moment, ns.
struct ClockReading: Sendable, Hashable {
  /// CLOCK_MONOTONIC: what positions follow. It stands still while the computer sleeps.
  var monotonic: Int64
  /// CLOCK_BOOTTIME: the same with sleep.
  var boot: Int64
  /// CLOCK_REALTIME: the wall clock.
  var wall: Int64

  /// `nil` if the thread was kept from running between two clocks, time after time.
  static var now: ClockReading? {
    for _ in 0..<10 {
      let before = time(CLOCK_MONOTONIC)
      let (boot, wall) = (time(CLOCK_BOOTTIME), time(CLOCK_REALTIME))
      guard time(CLOCK_MONOTONIC) - before < 1_000_000 else { continue }
      return ClockReading(monotonic: before, boot: boot, wall: wall)
    }
    return nil
  }

  private static func time(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// Finds that the wall clock and the positions have moved apart: after the computer slept, or when the clock was set.
///
/// A value without a clock of its own. Less than the tolerance is kept until it adds up, so that nothing is lost, and
/// a clock that is disciplined by NTP is not reported again and again.
struct ClockWatch: Sendable {
  /// ns.
  static let tolerance: Int64 = 100_000_000

  /// The reading from which the shift is counted.
  private var origin: ClockReading

  init(_ reading: ClockReading) { origin = reading }

  /// - Returns: The shift since the last one that was returned, if it is worth a report.
  mutating func look(_ reading: ClockReading) -> ClockShift? {
    let passed = reading.monotonic - origin.monotonic
    let wall = reading.wall - origin.wall - passed
    let asleep = reading.boot - origin.boot - passed
    guard max(abs(wall), abs(asleep)) >= Self.tolerance else { return nil }
    origin = reading
    return ClockShift(wallClock: .nanoseconds(wall), asleep: .nanoseconds(max(0, asleep)))
  }
}
