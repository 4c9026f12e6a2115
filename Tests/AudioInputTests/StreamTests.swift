import Foundation
import RealTime
import SystemPackage
import TestSupport
import Testing

@testable import AudioInput

/// Recordings that arrive through a pipe.
@Suite struct StreamTests {
  private let folder = TemporaryFolder()
  private let samples: [Int16] = noise(100_000)

  private func throughPipe(_ bytes: [UInt8]) throws -> Decoded {
    let pipe = try TestPipe()
    pipe.feed([bytes])
    return try decode(FilePath("/dev/fd/\(pipe.reading.rawValue)"))
  }

  @Test(arguments: [nil, 0, .max, 0x7FFF_F000, 0x8000_0000] as [UInt32?])
  func sizesMayBeUnknown(claimed: UInt32?) throws {
    var wave = WaveWriter(data: int16Bytes(samples))
    (wave.claimedDataSize, wave.claimedFormSize) = (claimed, claimed)
    let decoded = try throughPipe(wave.bytes())
    #expect(decoded.channels == [scaled(samples)])
    #expect(decoded.warnings.isEmpty)
  }

  @Test(arguments: ["RF64", "BW64"], [0, 200_000, UInt64.max])
  func longSizesMayBeUnknown(form: String, claimed: UInt64) throws {
    var wave = WaveWriter(form: form, data: int16Bytes(samples))
    (wave.claimedDataSize, wave.claimedFormSize) = (.max, .max)
    wave.claimedLongSizes = (claimed, claimed)
    #expect(try throughPipe(wave.bytes()).channels == [scaled(samples)])
  }

  @Test func trailingChunksAreNotSound() throws {
    var wave = WaveWriter(data: int16Bytes(samples))
    wave.before = wave.chunk("LIST", Array("INFOabc".utf8))
    wave.behind = wave.chunk("LIST", Array(repeating: 77, count: 70_000))
    #expect(try throughPipe(wave.bytes()).channels == [scaled(samples)])
  }

  /// Pictures and notes come before the sound, in many pieces.
  @Test func aLongHeaderPrecedesTheSound() throws {
    var wave = WaveWriter(data: int16Bytes(samples))
    wave.before = wave.chunk("LIST", Array(repeating: 77, count: 900_000))
    let bytes = wave.bytes()
    let pipe = try TestPipe()
    pipe.feed(stride(from: 0, to: bytes.count, by: 997).map { Array(bytes[$0...].prefix(997)) })
    let decoded = try decode(FilePath("/dev/fd/\(pipe.reading.rawValue)"))
    #expect(decoded.channels == [scaled(samples)])
  }

  @Test func aTornStreamIsReadAsFarAsItGoes() throws {
    let bytes = WaveWriter(data: int16Bytes(samples)).bytes()
    let decoded = try throughPipe(Array(bytes.dropLast(32_000)))
    #expect(decoded.channels == [scaled(Array(samples.dropLast(16_000)))])
    #expect(decoded.warnings == [.torn(missingBytes: 32_000, missingSeconds: 1)])
  }

  /// A cut within the sound has the same warning in a file and in a pipe.
  @Test(arguments: [44, 45, 46, 144, 145, 241, 242, 243])
  func aTornStreamIsReportedAsATornFileIs(count: Int) throws {
    let cut = Array(WaveWriter(data: int16Bytes(Array(samples.prefix(100)))).bytes().prefix(count))
    let fromFile = try decode(folder.write(cut))
    let fromPipe = try throughPipe(cut)
    #expect(fromPipe.channels == fromFile.channels && fromFile.warnings.count == 1)
    #expect(fromPipe.warnings == fromFile.warnings, "\(fromFile.warnings)")
  }

  /// The writer has not ended, and has written only a part.
  @Test(arguments: ["wav", "flac", "w64"])
  func soundIsThereBeforeTheEnd(format: String) throws {
    try folder.write(WaveWriter(data: int16Bytes(samples)).bytes(), to: "plain.wav")
    try Tool.run("sox plain.wav -t \(format) coded", in: folder)
    let pipe = try TestPipe()
    let part = Array(try folder.read("coded").prefix(60_000))
    _ = try pipe.writing.writeAll(part)
    let source = try AudioFileSource(path: FilePath("/dev/fd/\(pipe.reading.rawValue)"))
    var block = PCMBlock(channelCount: 1)
    #expect(try source.read(into: &block) && block.frameCount == 1024)
    let first = block.withSamples(ofChannel: 0) { $0.withUnsafeBufferPointer { Array($0) } }
    #expect(first == scaled(Array(samples.prefix(1024))))
    source.stop()
    #expect(try !source.read(into: &block))
    try pipe.writing.close()
  }

  /// The header of the first recording says where that ends, not where the row does.
  @Test(arguments: ["wav", "flac", "ogg", "mp3"])
  func aRowThatIsStoppedHasNotEnded(format: String) throws {
    try folder.write(WaveWriter(data: int16Bytes(samples)).bytes(), to: "plain.wav")
    try Tool.run("ffmpeg -i plain.wav -f \(format) coded", in: folder)
    let coded = try folder.read("coded")
    let source = try AudioFileSource(path: folder.write(coded + coded))
    var block = PCMBlock(channelCount: 1)
    var count = 0
    while count < samples.count + 8192 {
      try #require(try source.read(into: &block))
      count += block.frameCount
    }
    source.stop()
    #expect(try !source.read(into: &block))
    #expect(!source.hasEnded && source.warnings.isEmpty, "\(source.warnings)")
    let whole = try AudioFileSource(path: folder.write(coded + coded))
    #expect(try readAll(whole).frameCount >= 2 * samples.count && whole.hasEnded)
  }

  @Test func aCopyOnDiskIsBounded() throws {
    for (length, fits) in [(1000, true), (1001, false)] {
      let pipe = try TestPipe()
      pipe.feed([Array(repeating: 7, count: length)])
      let stream = try ByteStream(pipe.reading, name: "pipe")
      if fits {
        try Spool.copy(stream, limit: 1000).close()
      } else {
        let error = try #require(throws: AudioInputError.self) {
          try Spool.copy(stream, limit: 1000).close()
        }
        #expect(error.description.contains("save it to a file and name that"))
      }
    }
  }

  @Test func ffmpegsSamplesAreReadUnchanged() throws {
    try folder.write(WaveWriter(data: int16Bytes(samples)).bytes(), to: "plain.wav")
    try Tool.run("ffmpeg -i plain.wav -ac 2 -c:a aac x.m4a", in: folder)
    try Tool.run("ffmpeg -i x.m4a -f f32le -c:a pcm_f32le oracle", in: folder)
    let decoded = try readAll(try AudioFileSource(path: folder.file("x.m4a"), channels: .each))
    let oracle = try folder.read("oracle").withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(decoded.channels.count == 2 && decoded.warnings.isEmpty)
    #expect(decoded.channels[0] == stride(from: 0, to: oracle.count, by: 2).map { oracle[$0] })
    #expect(decoded.channels[1] == stride(from: 1, to: oracle.count, by: 2).map { oracle[$0] })
  }
}

/// Formats recognised by the first bytes.
@Suite struct AudioFormatTests {
  private let folder = TemporaryFolder()

  private func format(_ bytes: [UInt8]) throws -> AudioFormat? {
    let descriptor = try FileDescriptor.open(try folder.write(bytes), .readOnly)
    return AudioFormat(
      of: Region(try ByteStream(descriptor, name: "input", closing: true)))
  }

  @Test func noiseIsRawPCM() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<5_000 {
      var bytes = (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) }
      // Each begins as a frame of MPEG or AC-3 may.
      (bytes[0], bytes[1]) = Bool.random(using: &random) ? (0xFF, bytes[1] | 0xE0) : (0x0B, 0x77)
      #expect(try format(bytes) == nil)
    }
  }

  @Test(arguments: ["-b 128", "-V 2", "-b 64 --resample 22.05", "--resample 8 -b 8", "-m m"])
  func threeFramesAreMPEG(flags: String) throws {
    let wave = WaveWriter(sampleRate: 44_100, data: int16Bytes(noise(60_000)))
    try folder.write(wave.bytes(), to: "a.wav")
    try Tool.run("lame --quiet -t \(flags) a.wav a.mp3", in: folder)
    let bytes = try folder.read("a.mp3")
    #expect(try format(bytes) == .mpeg)
    let frame = try #require(MPEGFrame(bytes.prefix(MPEGFrame.headerLength)))
    #expect(try format(Array(bytes.prefix(frame.length + 6))) == nil, "two frames are none")
  }

  /// The lengths of the frames depend on the rate and the bit rate.
  @Test(arguments: ["ac3 -b:a 48k", "ac3 -b:a 192k", "eac3 -b:a 96k"], [48_000, 44_100, 32_000])
  func threeFramesAreAC3(codec: String, rate: Int) throws {
    let wave = WaveWriter(sampleRate: UInt32(rate), data: int16Bytes(noise(60_000)))
    try folder.write(wave.bytes(), to: "a.wav")
    try Tool.run(
      "ffmpeg -y -i a.wav -c:a \(codec) -f \(codec.prefix { $0 != " " }) a.ac3", in: folder)
    let bytes = try folder.read("a.ac3")
    #expect(try format(bytes) == .ac3)
    let frame = try #require(MPEGFrame(bytes.prefix(MPEGFrame.headerLength)))
    #expect(bytes[frame.length...].starts(with: [0x0B, 0x77]))
    #expect(try format(Array(bytes.prefix(frame.length + 6))) == nil, "two frames are none")
  }

  /// Which counts on standard input, where everything else is raw PCM.
  @Test(arguments: [
    ("-c:a truehd -strict -2 -f truehd", "TrueHD"), ("-c:a mlp -strict -2 -f mlp", "MLP"),
    ("-f lavfi -i testsrc=size=720x576:rate=25:duration=1 -c:v mpeg2video -f gxf", "GXF"),
  ])
  func theFirstBytesTellTheFormat(options: String, name: String) throws {
    let wave = WaveWriter(sampleRate: 48_000, data: int16Bytes(noise(48_000)))
    try folder.write(wave.bytes(), to: "a.wav")
    try Tool.run("ffmpeg -i a.wav \(options) coded", in: folder)
    #expect(try format(Array(folder.read("coded").prefix(64)))?.name == name)
  }

  @Test func anIncompleteHeaderIsNotRecognised() throws {
    for head in [
      "RIFF", "RIFF\0\0\0\0AVIX", "ID3", "FORM\0\0\0\0ILBM", "Creative Voice File", "fLa", "Ogg",
      "",
    ] {
      #expect(try format(Array(head.utf8)) == nil)
    }
    #expect(try format([0, 0, 0, 24] + Array("ftypheic".utf8)) == nil, "a picture")
    #expect(try format([0, 0, 0, 24] + Array("ftypM4A ".utf8)) == .mp4)
  }
}
