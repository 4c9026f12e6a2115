import AudioInput
import RealTime
import TestSupport
import Testing

/// AIFF, AU, Wave64, CAF and SPH, written by sox and ffmpeg.
@Suite struct OtherContainerTests {
  let folder = TemporaryFolder()
  let samples: [Int16] = noise(2000)

  init() throws {
    try folder.write(
      WaveWriter(channelCount: 2, data: int16Bytes(samples)).bytes(), to: "plain.wav")
  }

  private var left: [Float] {
    stride(from: 0, to: samples.count, by: 2).map { Float(samples[$0]) / 32768 }
  }

  @Test(arguments: ["aiff", "aifc", "au", "w64", "caf", "sph"])
  func wholeFilesAreDecoded(ending: String) throws {
    try Tool.run("sox -D plain.wav -t \(ending) whole", in: folder)
    let decoded = try decode(folder.file("whole"))
    #expect(decoded.channels[0] == left)
    #expect(decoded.warnings == [])
  }

  /// The last 1000 bytes, or 250 frames, are cut off.
  @Test(arguments: ["aiff", "aifc", "au", "w64", "caf", "sph"])
  func tornFilesAreDecodedAsFarAsTheyGo(ending: String) throws {
    try Tool.run("sox -D plain.wav -t \(ending) torn && truncate -s -1000 torn", in: folder)
    let decoded = try decode(folder.file("torn"))
    #expect(decoded.channels[0] == Array(left.prefix(750)))
    guard case .torn(let bytes, let seconds?) = decoded.warnings.first else {
      Issue.record("no warning: \(decoded.warnings)")
      return
    }
    // Some formats count a few bytes of their own as samples.
    #expect(1000...1008 ~= bytes)
    #expect(abs(seconds - 250.0 / 16_000) < 0.0005)
  }

  @Test(arguments: ["w64", "au", "caf -c:a pcm_s16le", "aiff"])
  func streamedFilesAreDecoded(format: String) throws {
    try Tool.run("ffmpeg -v error -i plain.wav -f \(format) - | cat > streamed", in: folder)
    let decoded = try decode(folder.file("streamed"))
    #expect(decoded.channels[0] == left)
    #expect(decoded.warnings == [])
  }

  /// The upper 24 bits of 32 are valid.
  @Test(arguments: [false, true]) func samplesOfCAFMayBePadded(isBigEndian: Bool) throws {
    func number<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
      littleEndian(value, reversed: true)
    }
    let words = samples.flatMap { littleEndian(Int32($0) << 16, reversed: isBigEndian) }
    let fields: [UInt32] = [isBigEndian ? 0 : 2, 8, 1, 2, 24]
    let format =
      number((16_000.0).bitPattern) + Array("lpcm".utf8) + fields.flatMap { number($0) }
    let bytes =
      Array("caff\0\u{1}\0\0desc".utf8) + number(UInt64(32)) + format + Array("data".utf8)
      + number(UInt64(words.count + 4)) + [0, 0, 0, 0] + words
    let decoded = try decode(folder.write(bytes))
    #expect(decoded.channels[0] == left && decoded.warnings == [])
  }

  /// The offset of the first sample may be that of an alignment, but not of sound that is there.
  @Test(arguments: [(0, 0), (12, 0), (12, 12), (12, 16), (0, 100), (0, 1 << 20), (0, .max)])
  func anOffsetOfAIFFThatLeavesTooLittleRoomIsNone(padding: Int, offset: UInt32) throws {
    try Tool.run("sox -D plain.wav -t aiff whole", in: folder)
    var bytes = try folder.read("whole")
    let place = try #require(bytes.firstRange(of: Array("SSND".utf8))).lowerBound
    bytes.insert(contentsOf: [UInt8](repeating: 0, count: padding), at: place + 16)
    let size = littleEndian(UInt32(8 + padding + 2 * samples.count), reversed: true)
    bytes.replaceSubrange(
      place + 4..<place + 12, with: size + littleEndian(offset, reversed: true))
    let first = padding == 0 || offset == padding ? 0 : padding / 4
    let decoded = try decode(folder.write(bytes))
    #expect(Array(decoded.channels[0].dropFirst(first)) == left && decoded.warnings == [])
  }

  @Test func aiffStreamedBySoxIsRead() throws {
    try Tool.run("sox -D plain.wav -t aiff - | cat > streamed", in: folder)
    let decoded = try decode(folder.file("streamed"))
    #expect(decoded.channels[0] == left)
    #expect(decoded.warnings == [])
  }
}
