/// The lexical parts of XML: names, attribute values, and text with entities.
struct XMLScanner {
  private let bytes: [UInt8]
  private var position = 0
  /// The line of the position.
  private(set) var line = 1

  init(_ text: PlainText) { bytes = text.bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    advance(to: position + text.utf8.count)
    return true
  }

  /// Skips whitespace. Returns whether there was any.
  mutating func skipBlanks() -> Bool {
    let end = bytes[position...].firstIndex { !Self.blanks.contains($0) } ?? bytes.count
    defer { advance(to: end) }
    return end > position
  }

  mutating func name() throws(LineFault) -> String {
    let end = bytes[position...].firstIndex { Self.delimiters.contains($0) } ?? bytes.count
    guard end > position else { throw LineFault("a name is missing: check the tag") }
    defer { advance(to: end) }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }

  /// Reads `= "value"`, with either kind of quote.
  mutating func attributeValue() throws(LineFault) -> String {
    _ = skipBlanks()
    guard take("=") else { throw LineFault("an attribute has no value: write name=\"value\"") }
    _ = skipBlanks()
    for quote in ["\"", "'"] as [Unicode.Scalar] where take(String(quote)) {
      let value = try characters(until: quote)
      guard take(String(quote)) else {
        throw LineFault("the closing quote of an attribute is missing: add it")
      }
      return value
    }
    throw LineFault("an attribute's value is not in quotes: write name=\"value\"")
  }

  /// Returns what comes before `end`, as it is written, and takes both.
  mutating func text(until end: String, of name: String) throws(LineFault) -> String {
    guard let range = bytes[position...].firstRange(of: Array(end.utf8)) else {
      throw LineFault("\(name) does not end: write \(end) after it")
    }
    defer { advance(to: range.upperBound) }
    return String(decoding: bytes[position..<range.lowerBound], as: UTF8.self)
  }

  /// Returns the text before `end` or the end of the file, with the entities replaced.
  mutating func characters(until end: Unicode.Scalar) throws(LineFault) -> String {
    let (end, ampersand) = (UInt8(ascii: end), UInt8(ascii: "&"))
    var text: [UInt8] = []
    while position < bytes.count, bytes[position] != end {
      if take("&") {
        text += Array(String(Character(try entity())).utf8)
      } else {
        let stop = bytes[position...].firstIndex { $0 == end || $0 == ampersand } ?? bytes.count
        text += bytes[position..<stop]
        advance(to: stop)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads an entity after its `&`.
  private mutating func entity() throws(LineFault) -> Unicode.Scalar {
    // The longest is &#x10FFFF; but zeros may lead.
    let name = String(
      decoding: bytes[position...].prefix(32).prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
    guard let scalar = Self.entities[name] ?? Self.numbered(name),
      bytes.dropFirst(position + name.utf8.count).first == UInt8(ascii: ";")
    else { throw LineFault("an '&' begins no entity of XML: write &amp; for it") }
    advance(to: position + name.utf8.count + 1)
    return scalar
  }

  private static func numbered(_ name: String) -> Unicode.Scalar? {
    if name.hasPrefix("#x") {
      return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    }
    return name.hasPrefix("#") ? UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) : nil
  }

  private mutating func advance(to end: Int) {
    line += bytes[position..<end].count { $0 == lineFeed }
    position = end
  }

  private static let entities: [String: Unicode.Scalar] = [
    "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
  ]
  private static let blanks = Set(" \t\r\n".utf8)
  private static let delimiters = blanks.union("=<>/\"'".utf8)
}
