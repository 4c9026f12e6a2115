/// True Audio.
///
/// Source: "True Audio (TTA) format description".
extension AudioFormat {
  /// Anywhere, the format, the channels and the bits must be those of integers.
  static let trueAudio = AudioFormat(
    name: "True Audio", endings: ["tta"], heads: ["TTA1"],
    certainHeads: [Head("TTA1\u{1}\0?\0?\0") { 1...8 ~= $0[6] && [8, 16, 24].contains($0[8]) }],
    demuxers: ["tta"], unit: frames)

  /// A head of 22 bytes, a table of the frames' lengths with 4 bytes behind it, and the frames. A frame has 256/245 s.
  @Sendable private static func frames(_ file: Region, _ offset: Int64) -> Int64? {
    guard offset == 0, let head = file.fields(at: 0, count: 22) else { return nil }
    let (frame, count) = (head.u32(10) * 256 / 245, head.u32(14))
    guard frame > 0 else { return nil }
    let tableLength = 4 * ((count + frame - 1) / frame)
    guard tableLength <= 1 << 24, let table = file.fields(at: 22, count: tableLength) else {
      return nil
    }
    return stride(from: 0, to: tableLength, by: 4).reduce(Int64(26 + tableLength)) { sum, index in
      sum + Int64(table.u32(index))
    }
  }
}
