// Times in decimal notation, read without Foundation and without rounding through binary fractions.

extension MediaTime {
  /// Reads seconds, such as `10`, `3.5` or `.25`, up to 10^9. Digits beyond milliseconds are dropped.
  public init?(parsingSeconds text: Substring) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let whole = digits(first, ifEmpty: 0) else { return nil }
    var fraction: UInt64 = 0
    if parts.count == 2 {
      guard digits(parts[1], ifEmpty: 0) != nil else { return nil }
      fraction = UInt64((parts[1] + "000").prefix(3)) ?? 0
    }
    guard text.contains(where: \.isWholeNumber), whole <= 1_000_000_000 else { return nil }
    self.init(milliseconds: whole * 1000 + fraction)
  }

  /// Reads a length given as an option: `250ms`, `0.25s`, or a bare number, which is in seconds if it has a decimal
  /// point and in milliseconds if not.
  public init?(parsingLength text: String) {
    if text.hasSuffix("ms") {
      self.init(parsingMilliseconds: text.dropLast(2))
    } else if text.hasSuffix("s") {
      self.init(parsingSeconds: text.dropLast())
    } else if text.contains(".") {
      self.init(parsingSeconds: text[...])
    } else {
      self.init(parsingMilliseconds: text[...])
    }
  }

  private init?(parsingMilliseconds text: Substring) {
    guard let milliseconds = digits(text, ifEmpty: nil) else { return nil }
    self.init(milliseconds: milliseconds)
  }
}

/// Reads a number of ASCII digits only, without sign, space or exponent. At most 18 digits are allowed, so that nothing
/// overflows.
private func digits(_ text: Substring, ifEmpty: UInt64?) -> UInt64? {
  if text.isEmpty { return ifEmpty }
  guard text.utf8.count <= 18, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
    return nil
  }
  return UInt64(text)
}
