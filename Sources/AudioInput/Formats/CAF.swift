internal import CSndFile
internal import RealTime

/// CAF.
///
/// Source: "Apple Core Audio Format Specification 1.0".
extension AudioFormat {
  static let caf = AudioFormat(
    name: "CAF", endings: ["caf"], recognise: isCAF, decoder: .libsndfile, demuxers: ["caf"],
    pcm: cafPCM, unit: coreAudioChunk, isTornSilently: true)

  @Sendable private static func isCAF(_ head: [UInt8]) -> Certainty {
    guard head.has("caff", at: 0) else { return .no }
    return head.dropFirst(4).starts(with: [0, 1, 0, 0]) && head.has("desc", at: 8)
      ? .anywhere : .atStart
  }

  /// A head of 8 bytes, and chunks. The size is −1 if it is unknown.
  @Sendable private static func coreAudioChunk(_ file: Region, _ offset: Int64) -> Int64? {
    if offset == 0 { return 8 }
    var chunks = Chunks(of: file, .coreAudio, from: offset)
    guard let chunk = chunks.next(), !isPlaceholder(chunk.size) else { return nil }
    return chunks.offset - offset
  }

  /// The samples follow 4 bytes, which count the edits.
  @Sendable private static func cafPCM(_ region: Region) -> PCMDescription? {
    guard let (found, data) = Chunks(of: region, .coreAudio, from: 8).find(["desc"], until: "data"),
      let format = found["desc"], format.count >= 32, let samples = samples(format)
    else { return nil }
    let rate = Double(bitPattern: format.integer(at: 0, isBigEndian: true))
    return PCMDescription(
      container: SF_FORMAT_CAF, sampleRate: 0..<1e9 ~= rate ? Int(rate) : 0,
      channelCount: Int(format.integer(at: 24, as: UInt32.self, isBigEndian: true)),
      samples: samples, start: data.start + 4,
      stated: isPlaceholder(data.size) || data.size < 4 ? nil : data.size - 4, chunks: .coreAudio)
  }

  private static func samples(_ format: [UInt8]) -> RawSampleFormat? {
    let (flags, bits) = (
      format[15], Int(format.integer(at: 28, as: UInt32.self, isBigEndian: true))
    )
    let (isFloat, isBigEndian) = (flags & 1 != 0, flags & 2 == 0)
    switch String(decoding: format[8..<12], as: UTF8.self) {
    case "lpcm" where isFloat: return PCMDescription.floats(bits: bits, isBigEndian: isBigEndian)
    case "lpcm" where bits % 8 == 0:
      return PCMDescription.integers(bits: bits, isBigEndian: isBigEndian)
    case "ulaw": return .mulaw
    case "alaw": return .alaw
    default: return nil
    }
  }
}
