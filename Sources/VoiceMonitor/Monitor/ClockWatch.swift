internal import Glibc
internal import RealTime

/// The distance by which the wall clock and the positions of a stream have moved apart.
public struct ClockShift: Sendable, Hashable {
  /// How much the wall clock has gained on the positions since listening began or the last report. Negative if it was
  /// set back.
  public var wallClock: Duration
  /// How much of that time the computer slept.
  public var asleep: Duration
}

/// The values of three clocks at one moment, ns.
struct ClockReading: Sendable, Hashable {
  /// CLOCK_MONOTONIC, which positions follow. It stops while the computer sleeps.
  var monotonic: Int64
  /// CLOCK_BOOTTIME, which continues while the computer sleeps.
  var boot: Int64
  /// CLOCK_REALTIME, the wall clock.
  var wall: Int64

  /// How far apart the clocks of one reading may have been read, ns.
  static let spread: Int64 = 1_000_000

  /// The clocks now; `nil` if the thread was interrupted between them for 1 ms or more, ten times in a row.
  static var now: ClockReading? {
    for _ in 0..<10 {
      let before = monotonicTime()
      let (boot, wall) = (clockTime(CLOCK_BOOTTIME), clockTime(CLOCK_REALTIME))
      guard monotonicTime() - before < spread else { continue }
      return ClockReading(monotonic: before, boot: boot, wall: wall)
    }
    return nil
  }
}

/// Detects that the wall clock and the positions have moved apart: after the computer slept, or when the clock was set.
///
/// It is a value without a clock of its own. Shifts below the tolerance accumulate, so that none is lost and a clock
/// that NTP disciplines is not reported again and again.
struct ClockWatch: Sendable {
  /// The smallest shift worth a report, ns.
  static let tolerance: Int64 = 100_000_000

  /// The reading from which the shift is measured.
  private var origin: ClockReading

  init(_ reading: ClockReading) { origin = reading }

  /// Compares a reading with the origin.
  ///
  /// - Returns: The shift since the last one returned, or `nil` if it is within the tolerance.
  mutating func look(_ reading: ClockReading) -> ClockShift? {
    let passed = reading.monotonic - origin.monotonic
    let wall = reading.wall - origin.wall - passed
    let asleep = reading.boot - origin.boot - passed
    guard max(abs(wall), abs(asleep)) >= Self.tolerance else { return nil }
    origin = reading
    // Sleep is longer than what lies between the clocks of a reading.
    let slept = asleep < ClockReading.spread ? 0 : asleep
    return ClockShift(wallClock: .nanoseconds(wall), asleep: .nanoseconds(slept))
  }
}
