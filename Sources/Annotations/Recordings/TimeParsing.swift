// Times in decimal notation, read without Foundation and without rounding through binary fractions.

extension MediaTime {
  /// Reads seconds, such as `10`, `3.5` or `.25`, up to 10^9. Digits beyond milliseconds are dropped.
  public init?(parsingSeconds text: Substring) {
    guard let milliseconds = length(of: text, in: 1000) else { return nil }
    self.init(milliseconds: milliseconds)
  }

  /// Reads a length given as an option: `250ms`, `0.25s`, `2m`, `1h30m`, with the largest unit first. Digits beyond
  /// milliseconds are dropped.
  ///
  /// Without a unit, a number with a decimal point is in seconds, and 0 is 0. Another whole number is refused: it may
  /// mean milliseconds or seconds.
  public init?(parsingLength text: String) {
    if text.last?.isLetter == false {
      guard text.contains(".") || text.allSatisfy({ $0 == "0" }) else { return nil }
      self.init(parsingSeconds: text[...])
      return
    }
    var (rest, units, sum) = (text[...], Self.units[...], UInt64(0))
    repeat {
      let number = rest.prefix { !$0.isLetter }
      let name = rest[number.endIndex...].prefix { $0.isLetter }
      guard let index = units.firstIndex(where: { $0.name == name }),
        let part = length(of: number, in: units[index].milliseconds)
      else { return nil }
      sum += part
      (rest, units) = (rest[name.endIndex...], units[(index + 1)...])
    } while !rest.isEmpty
    self.init(milliseconds: sum)
  }

  /// Reads a time as a clock shows it: `1:01.042` or `1:02:03`. Digits beyond milliseconds are dropped.
  public init?(parsingClock text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard 2...3 ~= parts.count, let seconds = length(of: parts.last!, in: 1000), seconds < 60_000,
      let whole = digits(parts[0]), !parts[0].isEmpty, whole < 1_000_000
    else { return nil }
    var minutes = whole
    if parts.count == 3 {
      guard let rest = digits(parts[1]), !parts[1].isEmpty, rest < 60 else { return nil }
      minutes = whole * 60 + rest
    }
    self.init(milliseconds: minutes * 60_000 + seconds)
  }

  private static let units: [(name: Substring, milliseconds: UInt64)] = [
    ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
  ]
}

/// Returns a decimal number of units of so many milliseconds, up to 10^12 ms. A millisecond has no fractions.
private func length(of text: Substring, in unit: UInt64) -> UInt64? {
  let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
  guard text.contains(where: \.isWholeNumber), let whole = digits(parts[0]),
    whole <= 1_000_000_000_000 / unit
  else { return nil }
  guard parts.count == 2 else { return whole * unit }
  guard unit > 1, digits(parts[1]) != nil else { return nil }
  // Nine digits tell milliseconds in an hour.
  let fraction = digits((parts[1] + "000000000").prefix(9)) ?? 0
  return whole * unit + fraction * unit / 1_000_000_000
}

/// Reads a number of ASCII digits only, without sign, space or exponent; no digits are 0. At most 18 are allowed, so
/// that nothing overflows.
private func digits(_ text: Substring) -> UInt64? {
  guard text.utf8.count <= 18, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
    return nil
  }
  return text.isEmpty ? 0 : UInt64(text)
}
