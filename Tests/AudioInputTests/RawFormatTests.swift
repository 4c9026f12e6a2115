import AudioInput
import RealTime
import SystemPackage
import TestSupport
import Testing
import VoiceActivity

/// Every raw sample format, compared with what SoX and the WAV reader make of the same samples.
@Suite struct RawFormatTests {
  let folder = TemporaryFolder()

  private func decodeRaw(_ path: FilePath, _ format: RawSampleFormat) throws -> [Float] {
    let descriptor = try FileDescriptor.open(path, .readOnly)
    defer { try? descriptor.close() }
    let source = try AudioFileSource(
      descriptor, format: RawPCMFormat(sampleRate: 16_000, sampleFormat: format))
    let decoded = try readAll(source)
    #expect(decoded.warnings == [])
    return decoded.channels[0]
  }

  /// SoX writes the format. 16-bit samples are exact in all formats of at least 16 bits.
  @Test(arguments: RawSampleFormat.allCases) func everyFormatIsReadAsSoxWritesIt(
    format: RawSampleFormat
  ) throws {
    var samples: [Int16] = noise(20_000)
    let isShort = format.byteCount == 1
    if isShort { samples = samples.map { $0 & ~0xFF } }
    try folder.write(WaveWriter(data: int16Bytes(samples)).bytes(), to: "plain.wav")
    let name = format.rawValue
    let encoding =
      switch format {
      case .mulaw: "mu-law"
      case .alaw: "a-law"
      default: name.hasPrefix("f") ? "floating-point" : name.hasPrefix("u") ? "unsigned" : "signed"
      }
    let raw =
      "-t raw -e \(encoding) -b \(8 * format.byteCount) \(name.hasSuffix("be") ? "-B" : "-L")"
    // What SoX reads again is the same, but for G.711, which is lossy.
    try Tool.run(
      "sox -D plain.wav \(raw) raw && sox -D -r 16000 -c 1 \(raw) raw -t s16 again", in: folder)
    #expect(try folder.read("raw").count == 20_000 * format.byteCount)
    let again = try folder.read("again").withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    #expect(try decodeRaw(folder.file("raw"), format) == scaled(again))
    #expect([.mulaw, .alaw].contains(format) || again == samples)
  }

  @Test func sameAsTheWavReader() throws {
    let deep: [Int32] = noise(5000)
    let bytes24 = deep.flatMap { littleEndian($0).suffix(3) }
    let bytes32 = deep.flatMap { littleEndian($0) }
    for (bits, bytes, format) in [(24, bytes24, RawSampleFormat.s24le), (32, bytes32, .s32le)] {
      let wave = WaveWriter(bitsPerSample: UInt16(bits), data: bytes)
      let fromWave = try decode(try folder.write(wave.bytes(), to: "wave"))
      #expect(try decodeRaw(try folder.write(bytes, to: "raw"), format) == fromWave.channels[0])
    }
  }

  @Test func extremesAndNotANumber() throws {
    let values: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -0.0]
    let bytes = values.flatMap { littleEndian($0.bitPattern) }
    let decoded = try decodeRaw(try folder.write(bytes), .f32le)
    #expect(decoded.map(\.bitPattern) == values.map(\.bitPattern))
    let doubles: [Double] = [.nan, 1e300, -1e-300]
    let large = try decodeRaw(
      try folder.write(doubles.flatMap { littleEndian($0.bitPattern) }), .f64le)
    #expect(large[0].isNaN && large[1] == .infinity && large[2] == 0)
  }

  @Test func impossibleFormatsAreRefused() throws {
    let descriptor = try FileDescriptor.open("/dev/null", .readOnly)
    defer { try? descriptor.close() }
    func error(_ rate: Int, _ channelCount: Int, _ selection: ChannelSelection = .mix) throws
      -> AudioInputError
    {
      try #require(throws: AudioInputError.self) {
        try AudioFileSource(
          descriptor, format: RawPCMFormat(sampleRate: rate, channelCount: channelCount),
          channels: selection)
      }
    }
    #expect(try error(7999, 1) == .sampleRate(name: "standard input", 7999))
    #expect(try error(0, 1) == .sampleRate(name: "standard input", 0))
    #expect(try error(16_000, 0) == .channelCount(name: "standard input", 0))
    expectMessage("\(try error(16_000, 1025))", "standard input", "1025 channels", "1", "1024")
    #expect(
      try error(16_000, 2, .channel(3))
        == .noSuchChannel(name: "standard input", 3, channelCount: 2))
  }
}
