internal import Annotations
package import VideoPause

extension Timestamp {
  /// The time in seconds with three decimals, or with six if it is not a whole number of milliseconds.
  package var seconds: String { secondsText(microseconds) }
}

/// Returns microseconds as seconds, as ``Timestamp/seconds`` does.
package func secondsText(_ microseconds: Int64) -> String {
  let digits = String(microseconds.magnitude)
  let padded = String(repeating: "0", count: max(0, 7 - digits.count)) + digits
  let decimals = padded.suffix(6)
  return (microseconds < 0 ? "-" : "") + padded.dropLast(6) + "."
    + (decimals.hasSuffix("000") ? decimals.dropLast(3) : decimals)
}

extension JSONValue {
  static func timestamp(_ time: Timestamp) -> JSONValue { .number(time.seconds) }
}
