internal import CSndFile
internal import RealTime

/// WAV in RIFF, RIFX (big endian), RF64 and BW64, W64, and AVI.
///
/// Sources: "Multimedia Programming Interface and Data Specifications 1.0", IBM and Microsoft, 1991; EBU Tech 3306 (RF64);
/// ITU-R BS.2088 (BW64); "Sony Pictures Digital Wave 64" (2003); "OpenDML AVI File Format Extensions" 1.02.
extension AudioFormat {
  static let wave = AudioFormat(
    name: "WAV", endings: ["wav", "wave", "bwf", "rf64", "bw64", "rifx"], recognise: isWave,
    decoder: .libsndfile, demuxers: ["wav"], pcm: WaveFormat.inRIFF, unit: form,
    isTornSilently: true)

  static let wave64 = AudioFormat(
    name: "W64", endings: ["w64"], recognise: heads(WaveFormat.wave64ID, count: .anywhere),
    decoder: .libsndfile, demuxers: ["w64"], pcm: WaveFormat.inWave64, unit: wave64Length,
    isTornSilently: true)

  static let avi = AudioFormat(
    name: "AVI", endings: ["avi"],
    recognise: { $0.has("RIFF", at: 0) && $0.has("AVI ", at: 8) ? .anywhere : .no },
    demuxers: ["avi"], unit: form, isTornSilently: true)

  @Sendable private static func isWave(_ head: [UInt8]) -> Certainty {
    ["RIFF", "RIFX", "RF64", "BW64"].contains { head.has($0, at: 0) } && head.has("WAVE", at: 8)
      ? .anywhere : .no
  }

  /// A RIFF form, which further forms may follow. Its size is a placeholder if its writer could not go back. Some
  /// writers count its 8 bytes of head twice, or leave out the padding.
  @Sendable private static func form(_ file: Region, _ offset: Int64) -> Int64? {
    guard let head = file.bytes(at: offset, count: 8), head.has("RIFF", at: 0) else { return nil }
    let size: UInt32 = head.integer(at: 4)
    guard size > 0, !isPlaceholder(UInt64(size)) else { return nil }
    let length = 8 + Int64(size) + Int64(size % 2)
    let rest = file.count - offset
    return 1...9 ~= length - rest ? rest : length
  }

  /// A name of 16 bytes, and the size of the recording, which is a placeholder if its writer could not go back.
  @Sendable private static func wave64Length(_ file: Region, _ offset: Int64) -> Int64? {
    guard offset == 0, let head = file.bytes(at: 16, count: 8) else { return nil }
    let size: UInt64 = head.integer(at: 0)
    return size < 40 || isPlaceholder(size) ? nil : Int64(size)
  }
}

/// The content of a `fmt ` chunk.
struct WaveFormat {
  fileprivate static let wave64ID: [UInt8] = [
    0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00,
  ]

  private let bytes: [UInt8]
  private let isBigEndian: Bool

  private func field(_ offset: Int) -> Int {
    Int(bytes.integer(at: offset, as: UInt16.self, isBigEndian: isBigEndian))
  }

  private var isExtensible: Bool { field(0) == 0xFFFE && bytes.count >= 26 }
  var channelCount: Int { field(2) }
  var sampleRate: Int { Int(bytes.integer(at: 4, as: UInt32.self, isBigEndian: isBigEndian)) }

  /// How a sample is stored; `nil` if not as PCM, or if bits and bytes contradict each other.
  private var samples: RawSampleFormat? {
    let (bits, alignment) = (field(14), field(12))
    let byteCount = channelCount == 0 ? 0 : alignment / channelCount
    let isPlain = alignment == 0 || byteCount == (bits + 7) / 8
    switch isExtensible ? field(24) : field(0) {
    case 1 where isPlain:
      return PCMDescription.integers(bits: bits, isBigEndian: isBigEndian, isSigned8: false)
    // The valid bits are the upper ones of a wider sample.
    case 1 where isExtensible && byteCount > bits / 8:
      return PCMDescription.integers(
        bits: 8 * byteCount, isBigEndian: isBigEndian, isSigned8: false)
    case 3 where isPlain: return PCMDescription.floats(bits: bits, isBigEndian: isBigEndian)
    case 6 where isPlain: return .alaw
    case 7 where isPlain: return .mulaw
    default: return nil
    }
  }

  /// Describes the PCM that begins at `start`. A size of 0 is what a writer to a pipe leaves.
  private func description(container: Int, start: Int64, size: UInt64, _ chunks: ChunkForm)
    -> PCMDescription?
  {
    guard let samples else { return nil }
    return PCMDescription(
      container: isExtensible && container == SF_FORMAT_WAV ? SF_FORMAT_WAVEX : container,
      sampleRate: sampleRate, channelCount: channelCount, samples: samples, start: start,
      stated: isPlaceholder(size) ? nil : size, chunks: chunks)
  }

  private init?(_ bytes: [UInt8]?, isBigEndian: Bool) {
    guard let bytes, bytes.count >= 16 else { return nil }
    (self.bytes, self.isBigEndian) = (bytes, isBigEndian)
  }

  @Sendable fileprivate static func inRIFF(_ region: Region) -> PCMDescription? {
    guard let head = region.bytes(at: 0, count: 12) else { return nil }
    let isBigEndian = head.has("RIFX", at: 0)
    let (isLong, form) = (
      head.has("RF64", at: 0) || head.has("BW64", at: 0), isBigEndian ? ChunkForm.rifx : .riff
    )
    guard
      let (found, data) = Chunks(of: region, form, from: 12)
        .find(isLong ? ["fmt ", "ds64"] : ["fmt "], until: "data"),
      let format = WaveFormat(found["fmt "], isBigEndian: isBigEndian)
    else { return nil }
    // RF64 sets the size of 32 bits to its maximum and stores the real one in `ds64`, after that of the form.
    let long = found["ds64"].flatMap { $0.count >= 16 ? $0.integer(at: 8, as: UInt64.self) : nil }
    let size = data.size == UInt64(UInt32.max) ? long ?? data.size : data.size
    return format.description(
      container: isLong ? SF_FORMAT_RF64 : SF_FORMAT_WAV, start: data.start, size: size, form)
  }

  @Sendable fileprivate static func inWave64(_ region: Region) -> PCMDescription? {
    guard let (found, data) = Chunks(of: region, .wave64, from: 40).find(["fmt "], until: "data"),
      let format = WaveFormat(found["fmt "], isBigEndian: false)
    else { return nil }
    return format.description(
      container: SF_FORMAT_W64, start: data.start, size: data.size, .wave64)
  }

  /// Returns the true size of the sound in a file and its place in the header, if the header states another.
  static func trueSize(_ region: Region) -> (offset: Int64, bytes: [UInt8])? {
    guard let (_, data) = Chunks(of: region, .riff, from: 12).find(["fmt "], until: "data") else {
      return nil
    }
    let present = region.count - data.start
    let behind = Region(region.stream, from: region.start + ChunkForm.riff.end(of: data))
    guard Int64(data.size) > present || !RecordingEnd.isAt(behind, .riff, isOdd: false),
      let size = UInt32(exactly: present)
    else { return nil }
    return (data.start - 4, withUnsafeBytes(of: size.littleEndian, Array.init))
  }
}
