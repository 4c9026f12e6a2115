/// What a file of text may be, checked block by block while it is read. A device without an end, a sparse file or a
/// recording that was named by mistake is refused before it fills the memory.
package struct TextBounds {
  /// The longest file in bytes, 1 GiB: the frame table of five days, at 200 MB a day.
  package static let longestFile = 1 << 30
  /// The longest line in bytes, 16 MiB: thousands of times longer than any line of text.
  package static let longestLine = 1 << 24

  private static let headLength = 16

  /// The number of bytes so far, and of those since the last line end.
  private var (count, lineLength) = (0, 0)
  private var head: [UInt8] = []
  private var last: UInt8 = 1

  package init() {}

  /// Adds the next bytes. Throws a fault if no text of labels goes on like this.
  package mutating func add(_ block: [UInt8]) throws(LineFault) {
    head += block.prefix(Self.headLength - head.count)
    guard !hasNUL(block) else {
      if TextGridLabels.isBinary(head) { throw TextGridLabels.notText }
      throw LineFault("it has a NUL byte, so it is not text: check its name, or save it as UTF-8")
    }
    count += block.count
    last = block.last ?? last
    guard count <= Self.longestFile else {
      throw LineFault(
        "it has more than \(Self.longestFile >> 30) GiB, the most that is read: check its name, or divide it"
      )
    }
    let end = block.lastIndex { $0 == lineFeed || $0 == carriageReturn }
    lineLength = end.map { block.count - $0 - 1 } ?? lineLength + block.count
    guard lineLength <= Self.longestLine || isDocument else {
      throw LineFault(
        "a line is longer than \(Self.longestLine >> 20) MiB: check that it is a text file")
    }
  }

  /// Returns whether a byte is 0 or, in UTF-16, the two bytes of a character.
  private func hasNUL(_ block: [UInt8]) -> Bool {
    guard PlainText.isUTF16(head) else { return block.contains(0) }
    let first = count % 2
    return first == 1 && last == 0 && block.first == 0
      || stride(from: first, to: block.count - 1, by: 2).contains {
        block[$0] == 0 && block[$0 + 1] == 0
      }
  }

  /// Whether the text is JSON or XML, which may stand on one line.
  private var isDocument: Bool {
    let first = head.first { !JSONReader.isBlank($0) && $0 != 0 && !Self.marks.contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "<")
  }

  /// The bytes of byte-order marks.
  private static let marks: [UInt8] = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
}
