/// A time in a recording, or the length of a part of it, in whole milliseconds.
///
/// Only this type converts samples to seconds. Everything that vadmon prints goes through it, so that `end - start`
/// agrees to the digit in every format.
public struct MediaTime: Sendable, Hashable, Comparable {
  /// The time in milliseconds.
  public var milliseconds: UInt64

  /// The start of a recording, or no length.
  public static let zero = MediaTime(milliseconds: 0)

  /// Creates a time from milliseconds.
  public init(milliseconds: UInt64) { self.milliseconds = milliseconds }

  /// Creates the time of a sample position, rounded to the nearest millisecond, halves up.
  public init(samples: UInt64, rate: Int) {
    let rate = UInt64(rate)
    let (seconds, rest) = samples.quotientAndRemainder(dividingBy: rate)
    milliseconds = seconds * 1000 + (rest * 1000 + rate / 2) / rate
  }

  /// Returns the sample position nearest to this time, halves up.
  public func samples(rate: Int) -> UInt64 {
    let rate = UInt64(rate)
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return seconds * rate + (rest * rate + 500) / 1000
  }

  /// Returns whether `left` is earlier or shorter.
  public static func < (left: MediaTime, right: MediaTime) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Returns the sum.
  public static func + (left: MediaTime, right: MediaTime) -> MediaTime {
    MediaTime(milliseconds: left.milliseconds + right.milliseconds)
  }

  /// Returns the difference, or zero if `right` is later.
  public static func - (left: MediaTime, right: MediaTime) -> MediaTime {
    MediaTime(milliseconds: left.milliseconds - min(left.milliseconds, right.milliseconds))
  }

  /// Adds a length.
  public static func += (left: inout MediaTime, right: MediaTime) { left = left + right }
}

extension MediaTime {
  /// The time in seconds with three decimals: `3661.042`.
  public var seconds: String { "\(milliseconds / 1000).\(padded(milliseconds % 1000, to: 3))" }

  /// The time as shown to users: `1:01.042`, with hours only if there are any.
  public var clock: String {
    let (hours, minutes, seconds) = parts
    let tail = "\(padded(seconds, to: 2)).\(padded(milliseconds % 1000, to: 3))"
    return hours > 0 ? "\(hours):\(padded(minutes, to: 2)):\(tail)" : "\(minutes):\(tail)"
  }

  /// The same without thousandths.
  package var wholeClock: String { String(clock.dropLast(4)) }

  /// Returns the time as written in subtitles: `01:01:01,042`, with at least two digits for the hours.
  public func timecode(decimalMark: Character) -> String {
    let (hours, minutes, seconds) = parts
    return padded(hours, to: 2) + ":" + padded(minutes, to: 2) + ":" + padded(seconds, to: 2)
      + String(decimalMark) + padded(milliseconds % 1000, to: 3)
  }

  private var parts: (hours: UInt64, minutes: UInt64, seconds: UInt64) {
    let seconds = milliseconds / 1000
    return (seconds / 3600, seconds / 60 % 60, seconds % 60)
  }
}

/// Returns a number with leading zeros.
package func padded(_ number: some BinaryInteger, to width: Int) -> String {
  String(number).padded(to: width, right: true, with: "0")
}
