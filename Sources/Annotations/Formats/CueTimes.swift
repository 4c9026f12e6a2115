/// The line of a cue's times, `START --> END`, in SubRip and WebVTT.
enum CueTimes {
  static let arrow = Array("-->".utf8)

  /// Returns whether a line looks like times, right or wrong: an arrow beside a time, or two times to the second and no
  /// word.
  static func areIn(_ line: ArraySlice<UInt8>) -> Bool {
    let times = times(in: line)
    if line.contains(arrow) { return !times.isEmpty }
    return !line.contains(where: isLetter)
      && times.count { time in time.count { marks.contains($0) } > 1 } > 1
  }

  /// Reads a line. What follows the end is the cue's position on the screen.
  static func span(_ line: ArraySlice<UInt8>) throws(LineFault) -> LabelledSpan {
    guard let range = line.firstRange(of: arrow),
      let start = fields(line[..<range.lowerBound]).first,
      let end = fields(line[range.upperBound...]).first,
      fields(line[..<range.lowerBound]).count == 1
    else {
      throw LineFault("the times are not START --> END: write 00:00:01.500 --> 00:00:02.000")
    }
    return try LabelledSpan(start: time(start, "start"), end: time(end, "end"))
  }

  private static func fields(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    TextLines.Line(number: 0, bytes: bytes).fields
  }

  /// Reads `HH:MM:SS.mmm`, `MM:SS.mmm` or `HH:MM:SS`, with a point or a comma. Other lengths of the fraction are
  /// refused, because some parsers read `1,5` as 1.005 s and others as 1.5 s.
  private static func time(
    _ field: ArraySlice<UInt8>, _ name: String
  ) throws(LineFault) -> Double {
    let whole = field.prefix { !".,".utf8.contains($0) }
    let fraction = field.dropFirst(whole.count + 1)
    let numbers = whole.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map(number)
    let hasFraction = whole.count < field.count
    guard (hasFraction ? 2...3 : 3...3).contains(numbers.count), !numbers.contains(nil),
      numbers.suffix(2).allSatisfy({ $0.map { $0 < 60 } ?? false }),
      !hasFraction || fraction.count == 3, let milliseconds = hasFraction ? number(fraction) : 0
    else {
      throw LineFault("the \(name) \(quoted(field)) is not a time: write it as 00:00:01.500")
    }
    let sum = numbers.compactMap(\.self).reduce(0) { min($0, 1_000_000) * 60 + $1 }
    let time = MediaTime(milliseconds: sum * 1000 + milliseconds)
    return try seconds(Array(time.seconds.utf8)[...], name)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64? {
    guard bytes.allSatisfy(isDigit) else { return nil }
    return UInt64(String(decoding: bytes, as: UTF8.self))
  }

  /// Returns the times in a line, right or wrong: a digit, a colon and a digit, with what belongs to them.
  private static func times(in line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    line.split(whereSeparator: { !isDigit($0) && !marks.contains($0) }).filter { word in
      zip(word, zip(word.dropFirst(), word.dropFirst(2))).contains { first, others in
        isDigit(first) && others.0 == UInt8(ascii: ":") && isDigit(others.1)
      }
    }
  }

  private static let marks = Array(":.,".utf8)

  private static func isLetter(_ byte: UInt8) -> Bool {
    // A byte of 128 or more is part of a letter beyond ASCII, or of a dash.
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}

func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
