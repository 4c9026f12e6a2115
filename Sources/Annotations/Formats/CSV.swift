/// The character between the fields of a table: a comma (RFC 4180), or a tab in a table that is quoted the same way.
enum TableSeparator: UInt8, Sendable {
  case comma = 0x2C
  case tab = 0x09
}

/// The records of comma-separated values (RFC 4180), or of tab-separated values. A field in quotes may contain
/// separators, line ends and doubled quotes.
struct CSVRecords: Sequence, IteratorProtocol {
  struct Record {
    /// The line on which the record begins.
    var line: Int
    var fields: [ArraySlice<UInt8>]
    var fault: LineFault?
  }

  private let bytes: [UInt8]
  private let separator: TableSeparator
  private var position = 0
  private var line = 1

  init(_ text: PlainText, _ separator: TableSeparator) {
    bytes = text.bytes
    self.separator = separator
  }

  mutating func next() -> Record? {
    guard position < bytes.count else { return nil }
    var record = Record(line: line, fields: [], fault: nil)
    do throws(LineFault) {
      record.fields = try restOfRecord()
    } catch {
      record.fault = error
      skipLine()
    }
    return record
  }

  private mutating func restOfRecord() throws(LineFault) -> [ArraySlice<UInt8>] {
    var fields = [try nextField()]
    while take(separator.rawValue) { fields.append(try nextField()) }
    guard takeLineEnd() else {
      throw LineFault("text follows a closing quote: put a \(separator) between them")
    }
    return fields
  }

  private mutating func nextField() throws(LineFault) -> ArraySlice<UInt8> {
    if take(quote) { return try quotedField() }
    let start = position
    while position < bytes.count, !atEndOfField { position += 1 }
    let field = bytes[start..<position]
    if field.contains(quote) {
      throw LineFault(
        "the field \(quoted(field)) contains a quote: put the field in quotes and double the one inside"
      )
    }
    return field
  }

  /// Reads a quoted field after its opening quote.
  private mutating func quotedField() throws(LineFault) -> ArraySlice<UInt8> {
    var field: [UInt8] = []
    while position < bytes.count {
      if take(quote) {
        guard take(quote) else { return field[...] }
        field.append(quote)
      } else {
        if bytes[position] == lineFeed { line += 1 }
        field.append(bytes[position])
        position += 1
      }
    }
    throw LineFault("the closing quote is missing: add it, or write the file again")
  }

  private var atEndOfField: Bool {
    bytes[position] == separator.rawValue || bytes[position] == lineFeed
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Skips a line end. Returns `true` at a line end and at the end of the file.
  private mutating func takeLineEnd() -> Bool {
    guard position < bytes.count else { return true }
    guard take(lineFeed) else { return false }
    line += 1
    return true
  }

  private mutating func skipLine() {
    while position < bytes.count, bytes[position] != lineFeed { position += 1 }
    _ = takeLineEnd()
  }
}

private let quote = UInt8(ascii: "\"")
