/// The lines of a text file, numbered from 1 as editors number them.
///
/// They end with LF or CR LF; a byte-order mark, which Windows programs put before UTF-8, is passed over.
struct TextLines: Sequence, IteratorProtocol {
  struct Line {
    var number: Int
    var bytes: ArraySlice<UInt8>
  }

  private var rest: ArraySlice<UInt8>
  private var number = 0

  init(_ bytes: [UInt8]) { rest = bytes.dropFirst(byteOrderMark(of: bytes)) }

  mutating func next() -> Line? {
    guard !rest.isEmpty else { return nil }
    let end = rest.firstIndex(of: lineFeed) ?? rest.endIndex
    number += 1
    let line = Line(number: number, upToLineFeed: rest[..<end])
    rest = end < rest.endIndex ? rest[(end + 1)...] : []
    return line
  }
}

let lineFeed = UInt8(ascii: "\n")

/// Length of the byte-order mark that a file begins with; 0 if it has none.
func byteOrderMark(of bytes: some Sequence<UInt8>) -> Int {
  bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
}

extension TextLines.Line {
  /// `bytes` may end with the CR of CR LF.
  init(number: Int, upToLineFeed bytes: ArraySlice<UInt8>) {
    let hasReturn = bytes.last == UInt8(ascii: "\r")
    self.init(number: number, bytes: hasReturn ? bytes.dropLast() : bytes)
  }

  /// Nothing but blanks and tabs.
  var isBlank: Bool { bytes.allSatisfy(isBlankByte) }

  /// What stands between blanks and tabs.
  var fields: [ArraySlice<UInt8>] { bytes.split(whereSeparator: isBlankByte) }

  func hasPrefix(_ prefix: String) -> Bool { bytes.starts(with: prefix.utf8) }
}

private func isBlankByte(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}

/// Bytes of a file as they are shown in a message, shortened.
func quoted(_ bytes: ArraySlice<UInt8>) -> String {
  let shown = String(decoding: bytes.prefix(40), as: UTF8.self)
  return "'\(shown)\(bytes.count > 40 ? "…" : "")'"
}
