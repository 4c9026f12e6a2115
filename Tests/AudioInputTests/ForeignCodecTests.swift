import AudioInput
import Foundation
import RealTime
import SystemPackage
import TestSupport
import Testing

/// Files of formats that libsndfile reads, with what it refuses or misreads and ffmpeg decodes.
@Suite struct ForeignCodecTests {
  private let folder = TemporaryFolder()

  init() throws {
    let wave = WaveWriter(sampleRate: 16_000, data: int16Bytes(noise(40_000)))
    try folder.write(wave.bytes(), to: "a.wav")
  }

  /// The options of ffmpeg, and the name of the format.
  static let formats = [
    ("-c:a mp2 -f wav", "WAV"), ("-c:a adpcm_yamaha -f wav", "WAV"), ("-c:a ac3 -f w64", "W64"),
    ("-c:a alac -f caf", "CAF"), ("-c:a g722 -f au", "AU"), ("-c:a pcm_alaw -f voc", "VOC"),
    ("-c:a pcm_s16le -f voc", "VOC"),
    // ffmpeg writes its times as 0.
    ("-ar 8000 -c:a real_144 -f rm", "RealMedia"),
  ]

  private func make(_ options: String) throws -> [UInt8] {
    try Tool.run("ffmpeg -y -i a.wav \(options) coded", in: folder)
    return try folder.read("coded")
  }

  @Test(arguments: formats) func ffmpegDecodesForeignCodecs(options: String, format: String) throws
  {
    _ = try make(options)
    try Tool.run("ffmpeg -i coded -f f32le -c:a pcm_f32le oracle", in: folder)
    let oracle = try folder.read("oracle").withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let source = try AudioFileSource(path: folder.file("coded"), channels: .each)
    #expect(source.formatName == "\(format), decoded by ffmpeg")
    let decoded = try readAll(source)
    #expect(decoded.channels == [oracle] && decoded.warnings == [])
  }

  /// Apple's writers count packets, others frames.
  @Test(arguments: [125, 20_000]) func gsmInAIFFIsDecodedWhole(stated: UInt32) throws {
    // The decoders differ where loud noise clips.
    let signal = tone(440, count: 20_000, rate: 8000, amplitude: 0.3)
    try folder.write(
      WaveWriter(sampleRate: 8000, data: int16Bytes(int16(signal))).bytes(), to: "a.wav")
    let packets = try make("-c:a libgsm -f gsm")
    try Tool.run("ffmpeg -f gsm -i coded -f f32le -c:a pcm_f32le oracle", in: folder)
    let oracle = try folder.read("oracle").withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    func big(_ number: UInt32) -> [UInt8] { littleEndian(number, reversed: true) }
    let rate: [UInt8] = [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
    let common = [0, 1] + big(stated) + [0, 16] + rate + Array("GSM \u{3}GSM".utf8)
    let body =
      Array("AIFCCOMM".utf8) + big(UInt32(common.count)) + common + Array("SSND".utf8)
      + big(UInt32(packets.count + 8)) + big(0) + big(0) + packets + [0]
    let path = try folder.write(Array("FORM".utf8) + big(UInt32(body.count)) + body)
    let decoded = try decode(path)
    #expect(decoded.channels == [oracle] && decoded.warnings == [])
  }

  /// Formats that have to seek are copied first, whoever decodes them then.
  @Test func foreignCodecsAreDecodedThroughAPipe() throws {
    let bytes = try make("-c:a alac -f caf")
    let whole = try readAll(try AudioFileSource(path: folder.file("coded"), channels: .each))
    let pipe = try TestPipe()
    pipe.feed([bytes])
    let path = FilePath("/dev/fd/\(pipe.reading.rawValue)")
    #expect(
      try readAll(try AudioFileSource(path: path, channels: .each)).channels == whole.channels)
  }

  @Test func trailingAndMissingDataAreReported() throws {
    let first = try make("-c:a mp2 -f wav")
    let alone = try readAll(try AudioFileSource(path: folder.file("coded"), channels: .each))
    let both = try readAll(
      try AudioFileSource(path: folder.write(first + folder.read("a.wav")), channels: .each))
    #expect(both.warnings == [] && both.frameCount == alone.frameCount + 40_000)
    for options in ["-c:a mp2 -f wav", "-c:a flac -f ogg", "-c:a ac3 -f w64"] {
      let whole = try make(options)
      let torn = try folder.write(Array(whole.prefix(whole.count * 2 / 3)))
      let warnings = try readAll(try AudioFileSource(path: torn, channels: .each)).warnings
      let isTorn = warnings.contains { if case .endedEarly = $0 { true } else { false } }
      #expect(isTorn, "\(options): \(warnings)")
    }
  }

  /// Neither decoder reads it, and libsndfile's reason names the fault.
  @Test func aDamagedHeaderIsNotReportedAsACodec() throws {
    var wave = WaveWriter(sampleRate: 16_000, data: int16Bytes(noise(1000)))
    wave.channelCount = 0
    let path = try folder.write(wave.bytes())
    let error = try #require(throws: AudioInputError.self) { try AudioFileSource(path: path) }
    #expect("\(error)".hasPrefix("cannot read \(path): its header says 0 channels, and libsndfile"))
  }

  /// ffmpeg repeats the path behind the message that matters.
  @Test func aForbiddenFormatUnderALongPathIsReported() throws {
    let list = """
      <?xml version="1.0"?>
      <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011">
      </MPD>
      """
    let name = String(repeating: "d", count: 200)
    try FileManager.default.createDirectory(
      atPath: folder.file("\(name)/\(name)/\(name)").string, withIntermediateDirectories: true)
    for path in ["x.m4a", "\(name)/\(name)/\(name)/x.m4a"] {
      let file = try folder.write(Array(list.utf8), to: path)
      let error = try #require(throws: AudioInputError.self) { try AudioFileSource(path: file) }
      expectMessage("\(error)", file.string, "playlist", "ffmpeg")
    }
  }
}
