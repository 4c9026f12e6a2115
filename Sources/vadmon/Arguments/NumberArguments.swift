/// Numbers as option values. The message for a refused value states the valid values.
enum NumberArguments {
  /// Returns a function that reads a whole number in `range`; `note` follows the range in the message.
  static func whole<Number: FixedWidthInteger & Sendable>(
    _ range: ClosedRange<Number>, _ note: String = ""
  ) -> @Sendable (String) throws -> Number {
    { text in
      guard let number = Number(text), range ~= number else {
        throw ValueError(
          description: "write a whole number from \(range.lowerBound) to \(range.upperBound)\(note)"
        )
      }
      return number
    }
  }

  /// Reads a threshold. How the two compare is checked together with the other settings.
  static func probability(_ text: String) throws(ValueError) -> Float {
    guard let number = Float(text) else {
      throw ValueError(description: "write a number between 0 and 1, like 0.65")
    }
    guard 0 < number, number < 1 else {
      throw ValueError(description: "choose thresholds so that 0 < offset <= onset < 1")
    }
    return number
  }
}
