/// The lines of a text file, numbered from 1 as in editors.
///
/// Lines end with LF or CR LF. A leading byte-order mark, which Windows programs write before UTF-8, is skipped.
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

  package init(_ bytes: [UInt8]) { rest = bytes.dropFirst(byteOrderMark(of: bytes)) }

  package mutating func next() -> Line? {
    guard !rest.isEmpty else { return nil }
    let end = rest.firstIndex(of: lineFeed) ?? rest.endIndex
    number += 1
    let line = Line(number: number, upToLineFeed: rest[..<end])
    rest = end < rest.endIndex ? rest[(end + 1)...] : []
    return line
  }
}

package let lineFeed = UInt8(ascii: "\n")

/// Returns the length of the byte-order mark at the beginning of a file, or 0 if there is none.
package func byteOrderMark(of bytes: some Sequence<UInt8>) -> Int {
  bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
}

extension TextLines.Line {
  /// Creates a line from `bytes`, which may end with the CR of CR LF.
  package init(number: Int, upToLineFeed bytes: ArraySlice<UInt8>) {
    let hasReturn = bytes.last == UInt8(ascii: "\r")
    self.init(number: number, bytes: hasReturn ? bytes.dropLast() : bytes)
  }

  /// Whether the line consists of spaces and tabs only.
  package var isBlank: Bool { bytes.allSatisfy(isBlankByte) }

  /// The fields that spaces and tabs separate.
  package var fields: [ArraySlice<UInt8>] { bytes.split(whereSeparator: isBlankByte) }

  package func hasPrefix(_ prefix: String) -> Bool { bytes.starts(with: prefix.utf8) }
}

private func isBlankByte(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}

/// Returns bytes of a file as quoted text for a message, cut after 40 bytes.
package func quoted(_ bytes: ArraySlice<UInt8>) -> String {
  let shown = String(decoding: bytes.prefix(40), as: UTF8.self)
  return "'\(shown)\(bytes.count > 40 ? "…" : "")'"
}
