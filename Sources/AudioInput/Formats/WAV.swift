internal import RealTime

/// WAV in RIFF, RIFX (big endian), RF64 and BW64, W64, and AVI.
///
/// Sources: "Multimedia Programming Interface and Data Specifications 1.0", IBM and Microsoft, 1991; EBU Tech 3306
/// (RF64); ITU-R BS.2088 (BW64); "Sony Pictures Digital Wave 64" (2003); "OpenDML AVI File Format Extensions" 1.02.
extension AudioFormat {
  static let wave = AudioFormat(
    name: "WAV", endings: ["wav", "wave", "bwf", "rf64", "bw64", "rifx"],
    certainHeads: ["RIFF????WAVE", "RIFX????WAVE", "RF64????WAVE", "BW64????WAVE"],
    decoder: .libsndfile, demuxers: ["wav"], pcm: WaveFormat.inRIFF, chunks: .riff, unit: form,
    isTornSilently: true)

  static let wave64 = AudioFormat(
    name: "W64", endings: ["w64"],
    certainHeads: ["riff.\u{91}\u{CF}\u{11}\u{A5}\u{D6}(\u{DB}\u{4}\u{C1}\0\0"],
    decoder: .libsndfile, demuxers: ["w64"], pcm: WaveFormat.inWave64, chunks: .wave64,
    isTornSilently: true)

  static let avi = AudioFormat(
    name: "AVI", endings: ["avi"], certainHeads: ["RIFF????AVI "], demuxers: ["avi"], unit: form,
    isTornSilently: true, isWithoutTimes: true)

  /// A RIFF form, which further forms may follow. Its size is a placeholder if its writer could not go back. Some
  /// writers count its 8 bytes of head twice, or leave out the padding.
  @Sendable private static func form(_ file: Region, _ offset: Int64) -> Int64? {
    guard let head = file.fields(at: offset, count: 8), head.text(0) == "RIFF",
      let size = statedSize(head.u32(4)), size > 0
    else { return nil }
    let length = 8 + Int64(size) + Int64(size % 2)
    let rest = file.count - offset
    return 1...9 ~= length - rest ? rest : length
  }
}

/// What stands in the chunks of WAV and W64.
enum WaveFormat {
  @Sendable fileprivate static func inRIFF(_ region: Region) -> PCMDescription? {
    guard let head = region.fields(at: 0, count: 12)?.bytes else { return nil }
    let isLong = head.has("RF64", at: 0) || head.has("BW64", at: 0)
    return description(
      region, head.has("RIFX", at: 0) ? .rifx : .riff, isLong ? "RF64 (RIFF 64)" : nil)
  }

  @Sendable fileprivate static func inWave64(_ region: Region) -> PCMDescription? {
    description(region, .wave64, "W64 (SoundFoundry WAVE 64)")
  }

  private static func description(
    _ region: Region, _ form: ChunkForm, _ container: String?
  ) -> PCMDescription? {
    let names: Set = container == nil ? ["fmt "] : ["fmt ", "ds64"]
    guard let (found, data) = form.find(names, in: region),
      let format = found["fmt "], format.count >= 16, let samples = samples(format)
    else { return nil }
    // RF64 sets the size of 32 bits to its maximum and stores the real one in `ds64`, after that of the form.
    let long = found["ds64"].flatMap { $0.count >= 16 ? $0.u64(8) : nil }
    let size = data.size == UInt64(UInt32.max) ? long ?? data.size : data.size
    let plain = isExtensible(format) ? "WAVEX (Microsoft)" : "WAV (Microsoft)"
    return PCMDescription(
      container: container ?? plain,
      format: RawPCMFormat(
        sampleRate: format.u32(4), sampleFormat: samples, channelCount: format.u16(2)),
      start: data.start, stated: statedSize(size), chunks: form)
  }

  private static func isExtensible(_ format: Fields) -> Bool {
    format.u16(0) == 0xFFFE && format.count >= 26
  }

  /// How a sample is stored; `nil` if not as PCM, or if bits and bytes contradict each other.
  private static func samples(_ format: Fields) -> RawSampleFormat? {
    let (isExtensible, isBigEndian) = (isExtensible(format), format.isBigEndian)
    let (channelCount, alignment, bits) = (format.u16(2), format.u16(12), format.u16(14))
    let byteCount = channelCount == 0 ? 0 : alignment / channelCount
    let isPlain = alignment == 0 || byteCount == (bits + 7) / 8
    switch format.u16(isExtensible ? 24 : 0) {
    // The valid bits are the upper ones of a sample that may be wider.
    case 1 where isPlain || byteCount > bits / 8:
      return RawSampleFormat(
        bits: max(bits, 8 * byteCount), isBigEndian: isBigEndian, isSigned8: false)
    case 3 where isPlain:
      return RawSampleFormat(bits: bits, isFloat: true, isBigEndian: isBigEndian)
    case 6 where isPlain: return .alaw
    case 7 where isPlain: return .mulaw
    default: return nil
    }
  }
}
