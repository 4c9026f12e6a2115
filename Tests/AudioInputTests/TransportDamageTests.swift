import AudioInput
import RealTime
import TestSupport
import Testing

/// Damage that ffmpeg does not report as an error: in MPEG transport streams and WavPack.
@Suite struct TransportDamageTests {
  private let folder = TemporaryFolder()
  private static let packet = 188
  private static let (video, sound) = (0x100, 0x101)

  init() throws {
    let signal = tone(440, count: 192_000, rate: 48_000)
    let wave = WaveWriter(sampleRate: 48_000, data: int16Bytes(int16(signal)))
    try folder.write(wave.bytes(), to: "a.wav")
  }

  private func make(_ codecs: String) throws -> [UInt8] {
    try Tool.run(
      """
      ffmpeg -y -f lavfi -i testsrc=size=64x64:duration=4:rate=25 -i a.wav -map 0 -map 1 \
      -c:v mpeg2video \(codecs) -f mpegts coded
      """, in: folder)
    return try folder.read("coded")
  }

  private func warnings(_ bytes: [UInt8]) throws -> [AudioInputWarning] {
    try readAll(try AudioFileSource(path: try folder.write(bytes), channels: .each)).warnings
  }

  /// Returns the offsets of the packets of a stream.
  private func packets(_ stream: Int, _ bytes: [UInt8]) -> [Int] {
    stride(from: 0, to: bytes.count, by: Self.packet).filter { start in
      Int(bytes[start + 1] & 0x1F) << 8 | Int(bytes[start + 2]) == stream
    }
  }

  private func without(_ offsets: some Collection<Int>, _ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for offset in offsets.reversed() { bytes.removeSubrange(offset..<offset + Self.packet) }
    return bytes
  }

  private func isFault(_ warnings: [AudioInputWarning]) -> Bool {
    warnings.count == 1 && warnings.allSatisfy { if case .decoder = $0 { true } else { false } }
  }

  /// A packet wherever, and in MP2 also the 13 packets of a frame.
  @Test(arguments: ["-c:a mp2", "-c:a aac"]) func everyHoleInTheSoundIsReported(codec: String)
    throws
  {
    let bytes = try make(codec)
    #expect(try warnings(bytes).isEmpty)
    let packets = packets(Self.sound, bytes)
    let begins = packets.indices.filter { bytes[packets[$0] + 1] & 0x40 != 0 }
    for index in stride(from: 5, to: packets.count - 20, by: 37) {
      let damaged = try warnings(without(packets[index...index], bytes))
      #expect(isFault(damaged), "\(index): \(damaged)")
    }
    guard codec == "-c:a mp2" else { return }
    let frame = packets[begins[20]..<begins[21]]
    #expect(frame.count == 13)
    let damaged = try warnings(without(frame, bytes))
    #expect(isFault(damaged), "\(damaged)")
  }

  @Test func aHoleInThePictureIsIgnored() throws {
    let bytes = try make("-c:a mp2")
    let packets = packets(Self.video, bytes)
    for index in [packets.count / 3, packets.count / 2] {
      #expect(try warnings(without(packets[index...index], bytes)).isEmpty)
    }
  }

  /// ffmpeg decodes pictures, too, until it knows the streams.
  @Test func damageWithinThePictureIsIgnored() throws {
    var bytes = try make("-c:v libx264 -c:a mp2")
    for start in packets(Self.video, bytes).prefix(40) where bytes[start + 1] & 0x40 == 0 {
      bytes.replaceSubrange(start + 20..<start + 120, with: repeatElement(0xAA, count: 100))
    }
    #expect(try warnings(bytes).isEmpty)
  }

  /// Cut within a packet, wherever, and behind a packet that does not end a frame.
  @Test(arguments: [188, 192]) func aCutIsReported(length: Int) throws {
    var bytes = try make("-c:a mp2")
    if length == 192 {
      try Tool.run("ffmpeg -i coded -c copy -mpegts_m2ts_mode 1 -f mpegts m2ts", in: folder)
      bytes = try folder.read("m2ts")
    }
    let middle = bytes.count / 2 / length * length
    for count in [middle - 1, middle + 1, middle + 100] {
      let warnings = try warnings(Array(bytes.prefix(count)))
      #expect(warnings.contains(.endedEarly(missingSeconds: nil)), "\(count): \(warnings)")
    }
    guard length == Self.packet else { return }
    let packets = packets(Self.sound, bytes)
    let second = try #require(
      packets.indices.dropFirst(packets.count / 2).first { index in
        bytes[packets[index - 1] + 1] & 0x40 != 0
      })
    let warnings = try warnings(Array(bytes.prefix(packets[second])))
    #expect(isFault(warnings), "\(warnings)")
  }

  /// Transport streams may be joined, and all of them is read.
  @Test func joinedStreamsAreIntact() throws {
    let bytes = try make("-c:a mp2")
    let decoded = try readAll(
      try AudioFileSource(path: try folder.write(bytes + bytes), channels: .each))
    #expect(decoded.warnings.isEmpty)
    #expect(abs(decoded.frameCount - 2 * 192_000) < 9600)
  }

  @Test func zerosWithinWavPackAreReported() throws {
    try Tool.run("ffmpeg -i a.wav -f wv coded", in: folder)
    var bytes = try folder.read("coded")
    #expect(try warnings(bytes).isEmpty)
    // The headers of blocks stay intact.
    let blocks = bytes.indices.filter { bytes[$0...].starts(with: "wvpk".utf8) }
    let start = try #require(blocks.dropFirst(2).first) + 400
    bytes.replaceSubrange(start..<start + 200, with: repeatElement(0, count: 200))
    let decoded = try readAll(try AudioFileSource(path: try folder.write(bytes), channels: .each))
    #expect(isFault(decoded.warnings), "\(decoded.warnings)")
    #expect(decoded.frameCount == 192_000)
  }

  /// Neither cut is within a block. What is missing within a recording is silence of the same length.
  @Test func missingBlocksOfWavPackKeepTheTimes() throws {
    try Tool.run("ffmpeg -i a.wav -f wv coded", in: folder)
    let bytes = try folder.read("coded")
    let blocks = bytes.indices.filter { bytes[$0...].starts(with: "wvpk".utf8) }
    // ffmpeg writes blocks of a second, and a tag behind them.
    try #require(blocks.count == 4)
    let torn = Array(bytes[..<blocks[3]])
    #expect(try warnings(torn) == [.endedEarly(missingSeconds: 1)])
    let hollow = Array(bytes[..<blocks[1]] + bytes[blocks[2]...])
    let decoded = try readAll(try AudioFileSource(path: try folder.write(hollow), channels: .each))
    #expect(decoded.frameCount == 192_000)
    #expect(decoded.channels[0][60_000..<90_000].allSatisfy { $0 == 0 })
  }
}
