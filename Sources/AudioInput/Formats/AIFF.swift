internal import CSndFile
internal import RealTime

/// AIFF and AIFF-C.
///
/// Source: "Audio Interchange File Format AIFF-C" (Apple, 1991).
extension AudioFormat {
  static let aiff = AudioFormat(
    name: "AIFF", endings: ["aif", "aiff", "aifc"], recognise: isAIFF, decoder: .libsndfile,
    demuxers: ["aiff"], pcm: aiffPCM, unit: chunk)

  @Sendable private static func isAIFF(_ head: [UInt8]) -> Certainty {
    head.has("FORM", at: 0) && (head.has("AIFF", at: 8) || head.has("AIFC", at: 8))
      ? .anywhere : .no
  }

  /// A head of 12 bytes, and chunks.
  @Sendable static func chunk(_ file: Region, _ offset: Int64) -> Int64? {
    if offset == 0 { return 12 }
    var chunks = Chunks(of: file, .rifx, from: offset)
    return chunks.next().flatMap { isPlaceholder($0.size) ? nil : chunks.offset - offset }
  }

  /// The samples follow 8 bytes and an offset. A count of frames of 32 bits stands in COMM too.
  @Sendable private static func aiffPCM(_ region: Region) -> PCMDescription? {
    guard let (found, sound) = Chunks(of: region, .rifx, from: 12).find(["COMM"], until: "SSND"),
      let common = found["COMM"], common.count >= 18,
      let samples = samples(common), let head = region.bytes(at: sound.start, count: 4)
    else { return nil }
    let skipped = 8 + UInt64(head.integer(at: 0, as: UInt32.self, isBigEndian: true))
    // What writers to a pipe leave is a placeholder, or only the 8 bytes.
    let isStated = !isPlaceholder(sound.size) && sound.size >= skipped
    return PCMDescription(
      container: SF_FORMAT_AIFF, sampleRate: rate(common),
      channelCount: Int(common.integer(at: 0, as: UInt16.self, isBigEndian: true)),
      samples: samples, start: sound.start + Int64(skipped),
      stated: isStated ? sound.size - skipped : nil, chunks: .rifx)
  }

  /// The codecs of AIFF-C that are PCM.
  private static func samples(_ common: [UInt8]) -> RawSampleFormat? {
    let bits = Int(common.integer(at: 6, as: UInt16.self, isBigEndian: true))
    guard common.count >= 22 else { return PCMDescription.integers(bits: bits, isBigEndian: true) }
    return switch String(decoding: common[18..<22], as: UTF8.self) {
    case "NONE", "twos", "in24", "in32": PCMDescription.integers(bits: bits, isBigEndian: true)
    case "sowt": PCMDescription.integers(bits: bits, isBigEndian: false)
    case "fl32", "FL32": .f32be
    case "fl64", "FL64": .f64be
    case "ulaw", "ULAW": .mulaw
    case "alaw", "ALAW": .alaw
    default: nil
    }
  }

  /// The rate is a float of 80 bits: an exponent of 15 bits and a mantissa of 64.
  private static func rate(_ common: [UInt8]) -> Int {
    let exponent = Int(common.integer(at: 8, as: UInt16.self, isBigEndian: true) & 0x7FFF) - 16_383
    let mantissa: UInt64 = common.integer(at: 10, isBigEndian: true)
    return 0..<32 ~= exponent ? Int(mantissa >> UInt64(63 - exponent)) : 0
  }
}
