internal import RealTime

/// CAF.
///
/// Source: "Apple Core Audio Format Specification 1.0".
extension AudioFormat {
  /// A head of 8 bytes, and chunks. The size is −1 if it is unknown.
  static let caf = AudioFormat(
    name: "CAF", endings: ["caf"], heads: ["caff"], certainHeads: ["caff\0\u{1}\0\0desc"],
    decoder: .libsndfile, demuxers: ["caf"], pcm: cafPCM,
    chunks: .coreAudio, isTornSilently: true)

  /// The samples follow 4 bytes, which count the edits.
  @Sendable private static func cafPCM(_ region: Region) -> PCMDescription? {
    guard let (found, data) = ChunkForm.coreAudio.find(["desc"], in: region),
      let format = found["desc"], format.count >= 32, let samples = samples(format)
    else { return nil }
    let rate = Double(bitPattern: format.u64(0))
    return PCMDescription(
      container: "CAF (Apple Core Audio File)",
      format: RawPCMFormat(
        sampleRate: 0..<1e9 ~= rate ? Int(rate) : 0, sampleFormat: samples,
        channelCount: format.u32(24)),
      start: data.start + 4,
      stated: statedSize(data.size, behind: 4), chunks: .coreAudio)
  }

  private static func samples(_ format: Fields) -> RawSampleFormat? {
    let (flags, packet, channels) = (format.u32(12), format.u32(16), format.u32(24))
    switch format.text(8) {
    // The valid bits are the upper ones of a sample that may be wider.
    case "lpcm":
      let bits = max(format.u32(28), 8 * packet / max(1, channels))
      return RawSampleFormat(bits: bits, isFloat: flags & 1 != 0, isBigEndian: flags & 2 == 0)
    case "ulaw": return .mulaw
    case "alaw": return .alaw
    default: return nil
    }
  }
}
