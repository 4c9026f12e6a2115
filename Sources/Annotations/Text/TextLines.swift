/// The lines of a text, numbered from 1 as in editors.
package struct TextLines: Sequence, IteratorProtocol {
  package struct Line {
    package var number: Int
    package var bytes: ArraySlice<UInt8>

    package init(number: Int, bytes: ArraySlice<UInt8>) {
      (self.number, self.bytes) = (number, bytes)
    }
  }

  private var rest: ArraySlice<UInt8>
  private var number = 0

  package init(_ text: PlainText) { rest = text.bytes[...] }

  package init(_ file: [UInt8]) { self.init(PlainText(file)) }

  package mutating func next() -> Line? {
    guard !rest.isEmpty else { return nil }
    let end = rest.firstIndex(of: lineFeed) ?? rest.endIndex
    number += 1
    let line = Line(number: number, bytes: rest[..<end])
    rest = end < rest.endIndex ? rest[(end + 1)...] : []
    return line
  }
}

extension TextLines.Line {
  /// Whether the line consists of spaces and tabs only.
  package var isBlank: Bool { bytes.allSatisfy(isBlankByte) }

  /// The fields that spaces and tabs separate.
  package var fields: [ArraySlice<UInt8>] { bytes.split(whereSeparator: isBlankByte) }

  package func hasPrefix(_ prefix: String) -> Bool { bytes.starts(with: prefix.utf8) }
}

/// Returns whether a byte is a space or a tab.
func isBlankByte(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}

/// Returns bytes of a file as quoted text for a message, cut after 40 bytes.
package func quoted(_ bytes: ArraySlice<UInt8>) -> String {
  let shown = String(decoding: bytes.prefix(40), as: UTF8.self)
  return "'\(shown)\(bytes.count > 40 ? "…" : "")'"
}
