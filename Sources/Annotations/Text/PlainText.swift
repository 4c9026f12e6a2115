/// The text of a file in one form, whatever program wrote it: UTF-8 without a byte-order mark, with LF at the end of
/// each line. Files are UTF-8, or UTF-16 with a byte-order mark, which Praat and Windows programs write; their lines
/// end with LF, CR LF, or CR alone, also mixed.
///
/// Only this type knows about line ends, so every format that is read from it accepts them all.
package struct PlainText {
  package let bytes: [UInt8]

  package init(_ file: [UInt8]) {
    let text = Self.utf8(file)
    bytes = Self.withLineFeeds(text.dropFirst(byteOrderMark(of: text)))
  }

  /// Returns whether a file begins with the byte-order mark of UTF-16.
  static func isUTF16(_ file: [UInt8]) -> Bool {
    file.starts(with: [0xFE, 0xFF]) || file.starts(with: [0xFF, 0xFE])
  }

  private static func utf8(_ file: [UInt8]) -> [UInt8] {
    guard isUTF16(file) else { return file }
    let (high, low) = file[0] == 0xFE ? (0, 1) : (1, 0)
    let units = stride(from: 2, to: file.count - 1, by: 2).map { index in
      UInt16(file[index + high]) << 8 | UInt16(file[index + low])
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func withLineFeeds(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(carriageReturn) else { return Array(text) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var follows = false
    for byte in text {
      // The LF of CR LF ends no second line.
      if byte != lineFeed || !follows { bytes.append(byte == carriageReturn ? lineFeed : byte) }
      follows = byte == carriageReturn
    }
    return bytes
  }
}

package let lineFeed = UInt8(ascii: "\n")
package let carriageReturn = UInt8(ascii: "\r")

/// Returns the length of the byte-order mark of UTF-8 at the beginning of a file, or 0 if there is none.
package func byteOrderMark(of bytes: some Sequence<UInt8>) -> Int {
  bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
}
