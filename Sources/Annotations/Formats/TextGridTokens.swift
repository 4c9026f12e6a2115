/// The tokens of a text file of Praat: quoted strings, numbers and flags in angle brackets that stand alone. Everything
/// else is a comment, which is why the long and the short form are read alike (Praat manual, "TextGrid file formats").
struct TextGridTokens {
  private enum Token {
    case string(String)
    case number(ArraySlice<UInt8>)
    case flag(ArraySlice<UInt8>)
  }

  private let bytes: [UInt8]
  private var position = 0
  /// The line of the token that was read last.
  private(set) var line = 1
  /// The line of the position.
  private var currentLine = 1

  init(_ text: PlainText) { bytes = text.bytes }

  mutating func string(_ name: String) throws(LineFault) -> String {
    guard case .string(let text)? = try next() else {
      throw missing(name, "text in double quotes")
    }
    return text
  }

  mutating func number(_ name: String) throws(LineFault) -> ArraySlice<UInt8> {
    guard case .number(let digits)? = try next() else { throw missing(name, "a number") }
    return digits
  }

  mutating func count(_ name: String) throws(LineFault) -> Int {
    let digits = try number("the number of \(name)")
    guard let count = Int(String(decoding: digits, as: UTF8.self)), count >= 0 else {
      throw LineFault("the number of \(name) \(quoted(digits)) is not a whole number: correct it")
    }
    return count
  }

  /// Reads the flag that says whether there are tiers.
  mutating func hasContent() throws(LineFault) -> Bool {
    guard case .flag(let flag)? = try next() else { throw missing("the flag", "<exists>") }
    return flag.elementsEqual("<exists>".utf8)
  }

  /// Throws a fault unless nothing but comments is left.
  mutating func end() throws(LineFault) {
    guard try next() == nil else {
      throw LineFault(
        "the text goes on behind the last tier: correct the number of its intervals or points")
    }
  }

  private func missing(_ name: String, _ form: String) -> LineFault {
    LineFault("\(name) is missing, \(form): check that the file is complete")
  }

  private mutating func next() throws(LineFault) -> Token? {
    while let byte = skipBlanks() {
      line = currentLine
      if byte == quote { return .string(try quotedText()) }
      let word = takeWord()
      if byte == UInt8(ascii: "<") { return .flag(word) }
      if decimal(word) != nil { return .number(word) }
      if byte == UInt8(ascii: "!") { skipLine() }
    }
    line = currentLine
    return nil
  }

  /// Reads a string, in which quotes are doubled.
  private mutating func quotedText() throws(LineFault) -> String {
    var text: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == lineFeed { currentLine += 1 }
      if byte == quote {
        guard position < bytes.count, bytes[position] == quote else {
          return String(decoding: text, as: UTF8.self)
        }
        position += 1
      }
      text.append(byte)
    }
    throw LineFault("the closing quote is missing: check that the file is complete")
  }

  private mutating func skipBlanks() -> UInt8? {
    while position < bytes.count, isBlank(bytes[position]) {
      if bytes[position] == lineFeed { currentLine += 1 }
      position += 1
    }
    return position < bytes.count ? bytes[position] : nil
  }

  private mutating func takeWord() -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count, !isBlank(bytes[position]), bytes[position] != quote {
      position += 1
    }
    return bytes[start..<position]
  }

  private mutating func skipLine() {
    while position < bytes.count, bytes[position] != lineFeed { position += 1 }
  }

  /// Returns whether a byte is ASCII whitespace.
  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

private let quote = UInt8(ascii: "\"")
