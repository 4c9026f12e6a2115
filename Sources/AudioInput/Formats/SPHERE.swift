internal import RealTime

/// SPHERE of NIST.
///
/// Source: "SPeech HEader REsources (SPHERE)" 2.6 (NIST).
extension AudioFormat {
  static let sphere = AudioFormat(
    name: "SPH", endings: ["sph", "nist"], certainHeads: ["NIST_1A\n"], decoder: .libsndfile,
    demuxers: ["nistsphere"], pcm: spherePCM)

  /// Headers have 1024 bytes, rarely a multiple of that.
  private static let longestHead = 1 << 14

  /// Lines of text, of which the second states the length of the header and the others have a name, a type and a value.
  /// The last is `end_head`.
  @Sendable private static func spherePCM(_ region: Region) -> PCMDescription? {
    guard let first = region.fields(at: 0, count: 16)?.bytes,
      let length = Int(lines(first).dropFirst().first?.first ?? ""), 16...longestHead ~= length,
      let head = region.fields(at: 0, count: length)?.bytes
    else { return nil }
    var values: [Substring: Substring] = [:]
    for line in lines(head).prefix(while: { $0 != ["end_head"] }) where line.count == 3 {
      values[line[0]] = values[line[0]] ?? line[2]
    }
    guard let rate = values["sample_rate"].flatMap({ UInt32($0) }),
      let count = UInt16(values["channel_count"] ?? "1"), let samples = samples(values)
    else { return nil }
    let frames = values["sample_count"].flatMap { UInt32($0) }
    let format = RawPCMFormat(
      sampleRate: Int(rate), sampleFormat: samples, channelCount: Int(count))
    return PCMDescription(
      container: "WAV (NIST Sphere)", format: format, start: Int64(length),
      stated: frames.map { UInt64($0) * UInt64(format.frameByteCount) })
  }

  private static func lines(_ head: [UInt8]) -> [[Substring]] {
    String(decoding: head, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
  }

  private static func samples(_ values: [Substring: Substring]) -> RawSampleFormat? {
    switch values["sample_coding"] ?? "pcm" {
    case "pcm":
      return RawSampleFormat(
        bits: 8 * Int(UInt8(values["sample_n_bytes"] ?? "") ?? 0),
        isBigEndian: values["sample_byte_format"]?.hasPrefix("10") ?? false)
    case "ulaw", "mu-law": return .mulaw
    case "alaw": return .alaw
    default: return nil
    }
  }
}
