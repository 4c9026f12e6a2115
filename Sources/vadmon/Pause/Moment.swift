import VideoPause

/// The coordinator's time; `Timestamp` alone is that of the analysis.
typealias Moment = VideoPause.Timestamp

extension Moment {
  /// Seconds with three decimals, or six where it is not a whole millisecond.
  var seconds: String { secondsText(microseconds) }
}

func secondsText(_ microseconds: Int64) -> String {
  let digits = String(microseconds.magnitude)
  let padded = String(repeating: "0", count: max(0, 7 - digits.count)) + digits
  let decimals = padded.suffix(6)
  return (microseconds < 0 ? "-" : "") + padded.dropLast(6) + "."
    + (decimals.hasSuffix("000") ? decimals.dropLast(3) : decimals)
}

extension JSONValue {
  static func moment(_ moment: Moment) -> JSONValue { .number(moment.seconds) }

  /// A member that may have nothing to say.
  static func optional<Value>(_ value: Value?, _ json: (Value) -> JSONValue) -> JSONValue {
    value.map(json) ?? .null
  }
}
