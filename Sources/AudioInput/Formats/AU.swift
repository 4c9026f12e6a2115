internal import RealTime

/// AU.
///
/// Source: au(4) of SunOS.
extension AudioFormat {
  /// Anywhere, the encoding must be up to 27, the rate below 2^24 and the number of channels below 2^16.
  static let au = AudioFormat(
    name: "AU", endings: ["au", "snd"], heads: [".snd", "dns."],
    certainHeads: [Head(".snd????????\0\0\0?\0???\0\0??") { 1...27 ~= $0[15] }],
    decoder: .libsndfile, demuxers: ["au"], pcm: auPCM, unit: soundAndHead, isTornSilently: true)

  /// A head that states its own length and that of the sound, and what follows it as its own.
  @Sendable private static func soundAndHead(_ file: Region, _ offset: Int64) -> Int64? {
    guard offset == 0, let head = file.fields(at: 0, count: 12, isBigEndian: true),
      head.text(0) == ".snd"
    else { return nil }
    return statedSize(head.u32(8)).map { Int64(head.u32(4)) + Int64($0) }
  }

  @Sendable private static func auPCM(_ region: Region) -> PCMDescription? {
    let isBigEndian = region.upTo(1, at: 0) == [UInt8(ascii: ".")]
    guard let head = region.fields(at: 0, count: 24, isBigEndian: isBigEndian),
      let samples = samples(encoding: head.u32(12), isBigEndian)
    else { return nil }
    // Annotations are short; an absurd offset is none.
    let stated = Int64(head.u32(4))
    let start = stated <= min(1 << 20, region.count) ? stated : 24
    return PCMDescription(
      container: "AU (Sun/NeXT)",
      format: RawPCMFormat(
        sampleRate: head.u32(16), sampleFormat: samples, channelCount: head.u32(20)),
      start: start, stated: statedSize(head.u32(8)))
  }

  private static func samples(encoding: Int, _ isBigEndian: Bool) -> RawSampleFormat? {
    switch encoding {
    case 1: .mulaw
    case 2...5: RawSampleFormat(bits: 8 * (encoding - 1), isBigEndian: isBigEndian)
    case 6, 7:
      RawSampleFormat(bits: encoding == 6 ? 32 : 64, isFloat: true, isBigEndian: isBigEndian)
    case 27: .alaw
    default: nil
    }
  }
}
