/// Matroska and WebM.
///
/// Source: RFC 8794.
extension AudioFormat {
  /// The version of EBML, 1, comes first wherever it is written.
  static let matroska = AudioFormat(
    name: "Matroska or WebM", endings: ["webm", "weba", "mkv", "mka"],
    heads: ["\u{1A}E\u{DF}\u{A3}"],
    certainHeads: [
      "\u{1A}E\u{DF}\u{A3}?B\u{86}\u{81}\u{1}", "\u{1A}E\u{DF}\u{A3}????????B\u{86}\u{81}\u{1}",
    ],
    demuxers: ["matroska"], unit: element)

  /// An ID and a size of variable lengths. A segment or cluster of unknown size is entered, so that its elements come
  /// next.
  @Sendable private static func element(_ file: Region, _ offset: Int64) -> Int64? {
    let head = file.upTo(12, at: offset)
    guard let idLength = variableLength(head, at: 0, most: 4),
      idLength == 4 || shortIDs.contains(head[0]),
      let sizeLength = variableLength(head, at: idLength, most: 8)
    else { return nil }
    let value = head[idLength..<idLength + sizeLength].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let mask = UInt64(1) << (7 * sizeLength) - 1
    let headLength = Int64(idLength + sizeLength)
    guard value & mask == mask else { return headLength + Int64(value & mask) }
    let entered: [[UInt8]] = [[0x18, 0x53, 0x80, 0x67], [0x1F, 0x43, 0xB6, 0x75]]
    return entered.contains { head.starts(with: $0) } ? headLength : nil
  }

  /// Void, CRC-32, and in a cluster: time, SimpleBlock, BlockGroup, size before, position. All others have 4 bytes.
  private static let shortIDs: Set<UInt8> = [0xEC, 0xBF, 0xE7, 0xA3, 0xA0, 0xAB, 0xA7]

  /// Returns the number of bytes of an ID or size, which is the position of the highest bit of its first byte.
  private static func variableLength(_ bytes: [UInt8], at index: Int, most: Int) -> Int? {
    guard index < bytes.count else { return nil }
    let length = bytes[index].leadingZeroBitCount + 1
    return length <= most && index + length <= bytes.count ? length : nil
  }
}
