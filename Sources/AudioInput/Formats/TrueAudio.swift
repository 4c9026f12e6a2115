/// True Audio.
///
/// Sources: "True Audio (TTA) format description"; "APEv2 specification".
extension AudioFormat {
  static let trueAudio = AudioFormat(
    name: "True Audio", endings: ["tta"], recognise: isTrueAudio, demuxers: ["tta"], unit: frames)

  /// Anywhere, the format, the channels and the bits must be those of integers.
  @Sendable private static func isTrueAudio(_ head: [UInt8]) -> Certainty {
    guard head.has("TTA1", at: 0), head.count >= 10 else { return .no }
    return head[4] == 1 && head[5] == 0 && 1...8 ~= head[6] && head[7] == 0 && head[9] == 0
      && [8, 16, 24].contains(head[8]) ? .anywhere : .atStart
  }

  /// A head of 22 bytes, a table of the frames' lengths with 4 bytes behind it, and the frames. A frame has 256/245 s. A
  /// tag may follow, as ffmpeg writes it: a head of 32 bytes, and what its size announces.
  @Sendable private static func frames(_ file: Region, _ offset: Int64) -> Int64? {
    guard let head = file.bytes(at: offset, count: 22) else { return nil }
    guard offset == 0 else {
      return head.starts(with: "APETAGEX".utf8)
        ? 32 + Int64(head.integer(at: 12, as: UInt32.self)) : nil
    }
    let (rate, count): (UInt32, UInt32) = (head.integer(at: 10), head.integer(at: 14))
    let frame = Int64(rate) * 256 / 245
    guard frame > 0 else { return nil }
    let tableLength = 4 * ((Int64(count) + frame - 1) / frame)
    guard tableLength <= 1 << 24, let table = file.bytes(at: 22, count: Int(tableLength)) else {
      return nil
    }
    return stride(from: 0, to: table.count, by: 4).reduce(26 + tableLength) { sum, index in
      sum + Int64(table.integer(at: index, as: UInt32.self))
    }
  }
}
