/// A moment on the host's monotonic clock, in whole microseconds since an origin of the host's choice.
///
/// The module reads no clock: every input and every query carries its time. A recorded call therefore replays to the
/// same decisions, and a test needs no waiting.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Microseconds since the origin of the host's clock.
  public let microseconds: Int64

  /// Creates a moment.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The origin of the host's clock.
  public static let zero = Timestamp(microseconds: 0)

  /// Returns the moment this many milliseconds after the origin, clamped to the range.
  public static func milliseconds(_ count: Int64) -> Timestamp {
    zero.advanced(by: .milliseconds(count))
  }

  /// Returns the moment this many seconds after the origin, clamped to the range.
  public static func seconds(_ count: Int64) -> Timestamp { zero.advanced(by: .seconds(count)) }

  public static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }

  /// Returns the moment `duration` later, or earlier if it is negative, clamped to the range.
  ///
  /// Fractions of a microsecond are cut off.
  public func advanced(by duration: Duration) -> Timestamp {
    advanced(byMicroseconds: duration.wholeMicroseconds)
  }

  /// Returns the time from this moment to `other`; negative if `other` is earlier.
  public func duration(to other: Timestamp) -> Duration {
    .microseconds(other.microseconds) - .microseconds(microseconds)
  }

  static func earliest(_ a: Timestamp?, _ b: Timestamp?) -> Timestamp? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }

  func advanced(byMicroseconds count: Int64) -> Timestamp {
    let (sum, overflow) = microseconds.addingReportingOverflow(count)
    return Timestamp(microseconds: overflow ? (count > 0 ? .max : .min) : sum)
  }

  /// Returns the microseconds since `other`, clamped to the range.
  func microseconds(since other: Timestamp) -> Int64 {
    let (difference, overflow) = microseconds.subtractingReportingOverflow(other.microseconds)
    return overflow ? (microseconds > other.microseconds ? .max : .min) : difference
  }
}

extension Duration {
  /// The whole microseconds, rounded towards zero and clamped to the range.
  package var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !overflow else { return seconds > 0 ? .max : .min }
    let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    return carry ? (seconds > 0 ? .max : .min) : sum
  }
}
