import SystemPackage
import TestSupport
import Testing

@testable import AudioInput

/// Where the first of two recordings in one file ends. The length of the first file is known.
@Suite struct RecordingEndTests {
  private let folder = try! TemporaryFolder()

  init() throws {
    let wave = WaveWriter(sampleRate: 16_000, data: int16Bytes(noise(40_000)))
    try folder.write(wave.bytes(), to: "a.wav")
  }

  /// The options of ffmpeg for each format, and the name of the format.
  static let formats = [
    ("-c:a aac -f ipod", "MP4"), ("-c:a aac -f mp4 -movflags faststart", "MP4"),
    ("-c:a aac -f mp4 -movflags frag_keyframe+empty_moov -frag_duration 300000", "MP4"),
    ("-f mov", "MP4"), ("-c:a libopus -f webm", "Matroska or WebM"),
    ("-c:a aac -f matroska", "Matroska or WebM"), ("-f asf", "WMA"),
    ("-c:a aac -f flv", "Flash video"),
    ("-f tta", "True Audio"), ("-f aiff", "AIFF"),
  ]

  private func make(_ options: String, _ output: String = "-y a") throws -> [UInt8] {
    try Tool.run("ffmpeg -i a.wav \(options) \(output)", in: folder)
    return try folder.read("a")
  }

  private func end(_ bytes: [UInt8]) throws -> RecordingEnd? {
    let descriptor = try FileDescriptor.open(try folder.write(bytes), .readOnly)
    let file = try ByteFile(descriptor)
    return AudioContainer(file).flatMap { RecordingEnd(of: $0, in: file) }
  }

  @Test(arguments: formats) func theSecondIsFound(options: String, format: String) throws {
    let first = try make(options)
    let expected = Int64(first.count)
    #expect(try end(first) == nil)
    let twice = try #require(try end(first + first))
    #expect(twice.offset == expected && twice.next.name == format)
    let other = try #require(try end(first + folder.read("a.wav")))
    #expect(other.offset == expected && other.next == .wave)
    #expect(try end(first + Array(repeating: 0, count: 10_000)) == nil)
  }

  /// A live writer does not know the lengths of the segment and of its clusters.
  @Test func aStreamedWebM() throws {
    let first = try make("-c:a libopus -f webm", "- | cat > a")
    #expect(try end(first) == nil)
    #expect(try end(first + first)?.offset == Int64(first.count))
  }

  /// Changed bytes must not crash it, and must not keep it from an end.
  @Test func damage() throws {
    var random = SeededGenerator(seed: 3)
    for (options, _) in Self.formats {
      let bytes = try make(options)
      for _ in 0..<50 {
        var changed = bytes + bytes
        for _ in 0..<20 {
          let place = Int.random(in: 0..<600, using: &random)
          changed[place] = UInt8.random(in: 0...255, using: &random)
        }
        if let found = try end(changed) { #expect(0...Int64(changed.count) ~= found.offset) }
      }
    }
  }

  /// The first is decoded as when it is alone.
  @Test(arguments: formats) func theSecondIsNotHeard(options: String, format: String) throws {
    let first = try make(options)
    try folder.write(first + first, to: "two")
    let alone = try readAll(try Recording.open(folder.file("a"), channels: .each))
    let both = try readAll(try Recording.open(folder.file("two"), channels: .each))
    #expect(both.channels == alone.channels)
    #expect(alone.warnings == [] && both.warnings == [.followed(by: format)])
  }

  /// A recording of any format may follow a WAV, whose end is known.
  @Test func anMP4BehindAWave() throws {
    let wave = try folder.read("a.wav")
    let path = try folder.write(wave + make("-c:a aac -f ipod"), to: "two")
    #expect(try decode(path).warnings == [.followed(by: "MP4")])
    let pipe = try TestPipe()
    pipe.feed([try folder.read("two")])
    let piped = try decode(FilePath("/dev/fd/\(pipe.reading.rawValue)"))
    #expect(piped.warnings == [.followed(by: "MP4")] && piped.frameCount == 40_000)
  }
}
