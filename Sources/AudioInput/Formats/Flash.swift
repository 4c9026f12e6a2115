/// Flash video.
///
/// Source: "Adobe Flash Video File Format" 10.1.
extension AudioFormat {
  /// Anywhere, the head must have 9 bytes.
  static let flash = AudioFormat(
    name: "Flash video", endings: ["flv"], heads: ["FLV\u{1}"],
    certainHeads: ["FLV\u{1}?\0\0\0\u{9}"], demuxers: ["flv"], unit: tag, isTornSilently: true)

  /// A head of 9 bytes, and tags of 11 bytes and their content, each followed by 4 bytes.
  @Sendable private static func tag(_ file: Region, _ offset: Int64) -> Int64? {
    if offset == 0 { return 13 }
    guard let head = file.fields(at: offset, count: 4, isBigEndian: true) else { return 4 }
    guard [8, 9, 18].contains(head.bytes[0] & 0x1F) else { return nil }
    return 15 + Int64(head.u32(0) & 0xFF_FFFF)
  }
}
