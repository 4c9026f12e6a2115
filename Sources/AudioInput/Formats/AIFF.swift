internal import RealTime

/// AIFF and AIFF-C.
///
/// Source: "Audio Interchange File Format AIFF-C" (Apple, 1991).
extension AudioFormat {
  static let aiff = AudioFormat(
    name: "AIFF", endings: ["aif", "aiff", "aifc"],
    certainHeads: ["FORM????AIFF", "FORM????AIFC"], decoder: .libsndfile,
    flaws: { Flaws(isForFFmpeg: countsPackets($0)) }, demuxers: ["aiff"], pcm: aiffPCM,
    chunks: .interchange,
    isTornSilently: true)

  /// The samples follow 8 bytes and an offset. A count of frames of 32 bits stands in COMM too.
  @Sendable private static func aiffPCM(_ region: Region) -> PCMDescription? {
    guard let (found, sound) = ChunkForm.interchange.find(["COMM"], in: region),
      let common = found["COMM"], common.count >= 18, let samples = samples(common),
      let head = region.fields(at: sound.start, count: 4, isBigEndian: true)
    else { return nil }
    let format = RawPCMFormat(
      sampleRate: rate(common), sampleFormat: samples, channelCount: common.u16(0))
    // An offset that leaves too little room is none.
    let (size, offset) = (8 + common.u32(2) * format.frameByteCount, head.u32(0))
    let skipped = 8 + (UInt64(size + offset) <= sound.size ? offset : 0)
    // What writers to a pipe leave is a placeholder, or only the 8 bytes.
    return PCMDescription(
      container: "AIFF (Apple/SGI)", format: format, start: sound.start + Int64(skipped),
      stated: statedSize(sound.size, behind: UInt64(skipped)), chunks: .interchange)
  }

  /// Coded sound has at most 4 bytes a frame. Fewer frames are packets, of which libsndfile would read as many frames.
  @Sendable private static func countsPackets(_ region: Region) -> Bool {
    guard let (found, sound) = ChunkForm.interchange.find(["COMM"], in: region),
      let common = found["COMM"], common.count >= 6
    else { return false }
    return sound.size > UInt64(4 * common.u16(0) * common.u32(2))
  }

  /// The codecs of AIFF-C that are PCM.
  private static func samples(_ common: Fields) -> RawSampleFormat? {
    switch common.count < 22 ? "NONE" : common.text(18) {
    case "NONE", "twos": RawSampleFormat(bits: common.u16(6), isBigEndian: true)
    case "in24": .s24be
    case "in32": .s32be
    case "sowt": RawSampleFormat(bits: common.u16(6), isBigEndian: false)
    case "fl32", "FL32": .f32be
    case "fl64", "FL64": .f64be
    case "ulaw", "ULAW": .mulaw
    case "alaw", "ALAW": .alaw
    default: nil
    }
  }

  /// The rate is a float of 80 bits: an exponent of 15 bits and a mantissa of 64.
  private static func rate(_ common: Fields) -> Int {
    let exponent = common.u16(8) & 0x7FFF - 16_383
    return 0..<32 ~= exponent ? Int(common.u64(10) >> UInt64(63 - exponent)) : 0
  }
}
