/// A moment on the caller's own monotonic clock, in whole microseconds since any origin it likes.
///
/// The module reads no clock: every input and every question carries its time, so that a recorded call replays
/// to the same decisions, and a test needs no waiting.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Since the zero of the host's clock.
  public let microseconds: Int64

  /// A moment.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The zero of the host's clock.
  public static let zero = Timestamp(microseconds: 0)

  /// Stops at the ends of the range instead of overflowing.
  public static func milliseconds(_ count: Int64) -> Timestamp {
    zero.advanced(by: .milliseconds(count))
  }

  /// Stops at the ends of the range instead of overflowing.
  public static func seconds(_ count: Int64) -> Timestamp { zero.advanced(by: .seconds(count)) }

  public static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }

  /// The moment `duration` later, or earlier if it is negative; stops at the ends of the range instead of
  /// overflowing. Parts of a microsecond are cut off.
  public func advanced(by duration: Duration) -> Timestamp {
    advanced(byMicroseconds: duration.wholeMicroseconds)
  }

  /// How long after this moment `other` is; negative if it is before.
  public func duration(to other: Timestamp) -> Duration {
    .microseconds(other.microseconds) - .microseconds(microseconds)
  }

  func advanced(byMicroseconds count: Int64) -> Timestamp {
    let (sum, overflow) = microseconds.addingReportingOverflow(count)
    return Timestamp(microseconds: overflow ? (count > 0 ? .max : .min) : sum)
  }

  /// Microseconds since `other`, stopping at the ends of the range.
  func microseconds(since other: Timestamp) -> Int64 {
    let (difference, overflow) = microseconds.subtractingReportingOverflow(other.microseconds)
    return overflow ? (microseconds > other.microseconds ? .max : .min) : difference
  }
}

extension Duration {
  /// Whole microseconds, towards zero, stopping at the ends of the range.
  var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !overflow else { return seconds > 0 ? .max : .min }
    let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    return carry ? (seconds > 0 ? .max : .min) : sum
  }
}
