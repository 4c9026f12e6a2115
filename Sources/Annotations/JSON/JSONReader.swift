/// A strict reader of one JSON text (RFC 8259): no comments, no trailing commas, no duplicate members, and no text
/// after it. The text is a line, or a file of several.
///
/// Numbers keep their notation, so that the caller decides how to round them.
package struct JSONReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var depth = 0

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  /// The maximum depth of nesting. It is greater than any line needs, and prevents a malicious line from overflowing
  /// the stack.
  private static let maximumDepth = 16

  package static func value(of bytes: ArraySlice<UInt8>) throws(LineFault) -> JSONValue {
    var reader = JSONReader(bytes)
    let value = try reader.value()
    reader.skipBlanks()
    if reader.next != nil {
      throw reader.fault(
        "text follows the object: remove it, or give each object a line of its own")
    }
    return value
  }

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  private mutating func value() throws(LineFault) -> JSONValue {
    skipBlanks()
    switch next {
    case nil: throw fault("a JSON value is missing: check that the file is complete")
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return try word()
    case let byte? where byte == UInt8(ascii: "-") || Self.digits.contains(byte):
      return try number()
    default: throw fault("this is not a JSON value: put text in double quotes")
    }
  }

  // MARK: Containers

  private mutating func object() throws(LineFault) -> JSONValue {
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    try elements(until: "}") { (reader) throws(LineFault) in
      guard reader.next == UInt8(ascii: "\"") else {
        throw reader.fault("expected a name in quotes: write \"name\": value")
      }
      let name = try reader.string()
      guard names.insert(name).inserted else {
        throw reader.fault("\(name) appears twice: keep one")
      }
      reader.skipBlanks()
      guard reader.take(":") else {
        throw reader.fault("expected ':' after \(name): write \"\(name)\": value")
      }
      members.append(JSONValue.Member(name: name, value: try reader.value()))
    }
    return .object(members)
  }

  private mutating func array() throws(LineFault) -> JSONValue {
    var values: [JSONValue] = []
    try elements(until: "]") { (reader) throws(LineFault) in values.append(try reader.value()) }
    return .array(values)
  }

  /// Reads elements from the opening bracket to after the closing one.
  private mutating func elements(
    until closing: Unicode.Scalar, read: (inout Self) throws(LineFault) -> Void
  ) throws(LineFault) {
    guard depth < Self.maximumDepth else {
      throw fault("lists and objects are nested too deep: check the brackets")
    }
    depth += 1
    position += 1
    skipBlanks()
    if !take(closing) {
      repeat {
        skipBlanks()
        try read(&self)
        skipBlanks()
      } while take(",")
      guard take(closing) else {
        throw fault("expected ',' or '\(closing)': check that the text is complete")
      }
    }
    depth -= 1
  }

  // MARK: Scalars

  private mutating func word() throws(LineFault) -> JSONValue {
    let words: [(String, JSONValue)] = [
      ("true", .bool(true)), ("false", .bool(false)), ("null", .null),
    ]
    for (word, value) in words where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return value
    }
    throw fault("this is not a JSON value: put text in double quotes")
  }

  /// Reads `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
  private mutating func number() throws(LineFault) -> JSONValue {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    return .number(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func digits() throws(LineFault) {
    let start = position
    while let byte = next, Self.digits.contains(byte) { position += 1 }
    if position == start { throw fault("a digit is missing: write numbers like 12, -0.5 or 1e6") }
  }

  private mutating func string() throws(LineFault) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let valid = String(validating: text, as: UTF8.self) else {
          throw fault("the string is not UTF-8: convert the text to UTF-8")
        }
        return valid
      case UInt8(ascii: "\\"): text += Array(String(Character(try escape())).utf8)
      case 0..<0x20: throw fault("a string contains a control character: write it as \\u00XX")
      default: text.append(byte)
      }
    }
    throw fault("the closing quote is missing: check that the text is complete")
  }

  /// Reads an escape after its backslash.
  private mutating func escape() throws(LineFault) -> Unicode.Scalar {
    let escapes: [(Unicode.Scalar, Unicode.Scalar)] = [
      ("\"", "\""), ("\\", "\\"), ("/", "/"), ("b", "\u{8}"), ("f", "\u{C}"), ("n", "\n"),
      ("r", "\r"), ("t", "\t"),
    ]
    for (letter, scalar) in escapes where take(letter) { return scalar }
    guard take("u") else { throw fault("this escape does not exist: write a backslash twice") }
    let first = try codeUnit()
    guard UTF16.isLeadSurrogate(first) else { return try scalar([first]) }
    guard take("\\"), take("u") else {
      throw fault("half of a surrogate pair is missing: write both halves as \\uXXXX")
    }
    return try scalar([first, try codeUnit()])
  }

  private func scalar(_ units: [UInt16]) throws(LineFault) -> Unicode.Scalar {
    guard let scalar = String(validating: units, as: UTF16.self)?.unicodeScalars.first else {
      throw fault("half of a surrogate pair is missing: write both halves as \\uXXXX")
    }
    return scalar
  }

  private mutating func codeUnit() throws(LineFault) -> UInt16 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw fault("expected four hexadecimal digits after \\u: write \\u00E9, for example") }
    position += 4
    return unit
  }

  // MARK: Bytes

  private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: scalar) else { return false }
    position += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte = next, Self.isBlank(byte) { position += 1 }
  }

  /// Whether the byte is white space: space, tab, LF or CR.
  package static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private func fault(_ message: String) -> LineFault {
    let lines = bytes[..<position].split(separator: lineFeed, omittingEmptySubsequences: false)
    let line = lines.count > 1 ? "line \(lines.count), " : ""
    return LineFault("\(line)column \(lines[lines.count - 1].count + 1): \(message)")
  }
}
