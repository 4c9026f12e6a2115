internal import CSndFile
internal import RealTime

/// AU.
///
/// Source: au(4) of SunOS.
extension AudioFormat {
  static let au = AudioFormat(
    name: "AU", endings: ["au", "snd"], recognise: isAU, decoder: .libsndfile, demuxers: ["au"],
    pcm: auPCM, unit: soundAndHead, isTornSilently: true)

  /// Anywhere, the encoding must be up to 27, the rate below 2^24 and the number of channels below 2^16.
  @Sendable private static func isAU(_ head: [UInt8]) -> Certainty {
    if head.has("dns.", at: 0) { return .atStart }
    guard head.has(".snd", at: 0) else { return .no }
    return head.count >= 24 && head[12..<15].allSatisfy { $0 == 0 } && 1...27 ~= head[15]
      && head[16] == 0 && head[20] == 0 && head[21] == 0 ? .anywhere : .atStart
  }

  /// A head that states its own length and that of the sound, and what follows it as its own.
  @Sendable private static func soundAndHead(_ file: Region, _ offset: Int64) -> Int64? {
    guard offset == 0, let head = file.bytes(at: 0, count: 12), head.has(".snd", at: 0) else {
      return nil
    }
    let (start, size): (UInt32, UInt32) = (
      head.integer(at: 4, isBigEndian: true), head.integer(at: 8, isBigEndian: true)
    )
    return isPlaceholder(UInt64(size)) ? nil : Int64(start) + Int64(size)
  }

  @Sendable private static func auPCM(_ region: Region) -> PCMDescription? {
    guard let head = region.bytes(at: 0, count: 24) else { return nil }
    let isBigEndian = head.has(".snd", at: 0)
    func field(_ offset: Int) -> UInt32 { head.integer(at: offset, isBigEndian: isBigEndian) }
    guard let samples = samples(encoding: field(12), isBigEndian: isBigEndian) else { return nil }
    let size = UInt64(field(8))
    return PCMDescription(
      container: SF_FORMAT_AU, sampleRate: Int(field(16)), channelCount: Int(field(20)),
      samples: samples, start: Int64(field(4)), stated: isPlaceholder(size) ? nil : size)
  }

  private static func samples(encoding: UInt32, isBigEndian: Bool) -> RawSampleFormat? {
    switch encoding {
    case 1: .mulaw
    case 2...5: PCMDescription.integers(bits: 8 * Int(encoding - 1), isBigEndian: isBigEndian)
    case 6: PCMDescription.floats(bits: 32, isBigEndian: isBigEndian)
    case 7: PCMDescription.floats(bits: 64, isBigEndian: isBigEndian)
    case 27: .alaw
    default: nil
    }
  }
}
