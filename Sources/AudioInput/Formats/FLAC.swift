/// FLAC.
///
/// Source: RFC 9639.
extension AudioFormat {
  static let flac = AudioFormat(
    name: "FLAC", endings: ["flac"], recognise: isFLAC, decoder: .libFLAC, demuxers: ["flac"])

  /// Anywhere, the first block of metadata must be the one of 34 bytes.
  @Sendable private static func isFLAC(_ head: [UInt8]) -> Certainty {
    guard head.has("fLaC", at: 0) else { return .no }
    return head.count >= 8 && head[4] & 0x7F == 0 && head[5..<8].elementsEqual([0, 0, 34])
      ? .anywhere : .atStart
  }
}
