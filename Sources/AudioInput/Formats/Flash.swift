/// Flash video.
///
/// Source: "Adobe Flash Video File Format" 10.1.
extension AudioFormat {
  static let flash = AudioFormat(
    name: "Flash video", endings: ["flv"], recognise: isFlash, demuxers: ["flv"],
    unit: tag, isTornSilently: true)

  /// Anywhere, the head must have 9 bytes.
  @Sendable private static func isFlash(_ head: [UInt8]) -> Certainty {
    guard head.has("FLV\u{1}", at: 0) else { return .no }
    return head.dropFirst(5).starts(with: [0, 0, 0, 9]) ? .anywhere : .atStart
  }

  /// A head of 9 bytes, and tags of 11 bytes and their content, each followed by 4 bytes.
  @Sendable private static func tag(_ file: Region, _ offset: Int64) -> Int64? {
    if offset == 0 { return 13 }
    guard let head = file.bytes(at: offset, count: 4) else { return 4 }
    guard [8, 9, 18].contains(head[0] & 0x1F) else { return nil }
    return 15 + Int64(head.integer(at: 0, as: UInt32.self, isBigEndian: true) & 0xFF_FFFF)
  }
}
