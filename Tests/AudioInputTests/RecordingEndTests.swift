import RealTime
import SystemPackage
import TestSupport
import Testing

@testable import AudioInput

/// Where the first of two recordings in one file ends. The length of the first file is known.
@Suite struct RecordingEndTests {
  private let folder = TemporaryFolder()

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
    ("-f tta", "True Audio"), ("-f aiff", "AIFF"), ("-f avi", "AVI"), ("-f voc", "VOC"),
    ("-f caf", "CAF"), ("-f au", "AU"), ("-c:a libvorbis -f ogg", "Ogg"),
    ("-c:a libopus -f ogg", "Ogg"), ("-c:a flac -f ogg", "Ogg"), ("-f w64", "W64"),
    ("-c:a ac3 -f w64", "W64"),
  ]

  private func make(_ options: String, _ output: String = "-y a") throws -> [UInt8] {
    try Tool.run("ffmpeg -i a.wav \(options) \(output)", in: folder)
    return try folder.read("a")
  }

  private func end(_ bytes: [UInt8]) throws -> RecordingEnd? {
    let descriptor = try FileDescriptor.open(try folder.write(bytes), .readOnly)
    let file = Region(try ByteStream(descriptor, name: "input", closing: true))
    return AudioFormat(of: file).flatMap { RecordingEnd(of: $0, in: file) }
  }

  @Test(arguments: formats) func theSecondIsFound(options: String, format: String) throws {
    let first = try make(options)
    #expect(try end(first) == nil)
    // A tag may be the last of its own.
    let descriptor = try FileDescriptor.open(try folder.write(first), .readOnly)
    let file = try ByteStream(descriptor, name: "input", closing: true)
    let expected = try #require(file.size)
    #expect(try end(first + first) == .at(expected))
    #expect(try end(first + folder.read("a.wav")) == .at(expected))
    let padded = try end(first + Array(repeating: 0, count: 10_000))
    #expect([nil, .at(expected), .at(Int64(first.count))].contains(padded))
  }

  /// A live writer does not know the lengths of the segment and of its clusters.
  @Test func theEndOfAStreamedWebMIsFound() throws {
    let first = try make("-c:a libopus -f webm", "- | cat > a")
    #expect(try end(first) == nil)
    #expect(try end(first + first) == .at(Int64(first.count)))
  }

  /// Changed bytes must not crash it, and must not keep it from an end.
  @Test func damagedRecordingsStillEnd() throws {
    var random = SeededGenerator(seed: 3)
    for (options, _) in Self.formats {
      let bytes = try make(options)
      for _ in 0..<50 {
        var changed = bytes + bytes
        for _ in 0..<20 {
          let place = Int.random(in: 0..<600, using: &random)
          changed[place] = UInt8.random(in: 0...255, using: &random)
        }
        if case .at(let offset)? = try end(changed) {
          #expect(0...Int64(changed.count) ~= offset)
        }
      }
    }
  }

  /// The second is heard behind the first, as when each is alone.
  @Test(arguments: formats) func theSecondIsHeard(options: String, format: String) throws {
    let first = try make(options)
    try folder.write(first + first, to: "two")
    let alone = try readAll(try AudioFileSource(path: folder.file("a"), channels: .each))
    let both = try readAll(try AudioFileSource(path: folder.file("two"), channels: .each))
    #expect(both.channels == [alone.channels[0] + alone.channels[0]])
    #expect(alone.warnings == [] && both.warnings == [])
  }

  /// A recording of any format may follow where the end of the first is known.
  @Test(arguments: formats) func mpegFramesBehindARecordingAndATagAreHeard(
    options: String, format: String
  ) throws {
    let first = try make(options)
    let alone = try readAll(try AudioFileSource(path: folder.file("a"), channels: .each))
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 20)
    let second = try tag + make("-c:a libmp3lame -f mp3 -id3v2_version 0 -write_xing 0")
    let mpeg = try readAll(try AudioFileSource(path: folder.file("a"), channels: .each))
    try folder.write(first + second, to: "two")
    let source = try AudioFileSource(path: folder.file("two"), channels: .each)
    let both = try readAll(source)
    #expect(both.warnings == [])
    // Some of the formats have another rate than MPEG audio.
    let rest = Double(mpeg.frameCount) * Double(source.sampleRate) / 16_000
    #expect(abs(Double(both.frameCount - alone.frameCount) - rest) <= 1)
  }

  /// The end of a FLAC is unknown until it is decoded. A head of at least eight bytes is found behind it.
  @Test(
    arguments: [
      ("-c:a aac -f ipod", "MP4"), ("-c:a libopus -f webm", "Matroska or WebM"), ("-f asf", "WMA"),
      ("-f avi", "AVI"), ("-f voc", "VOC"),
    ], [false, true])
  func aRecordingBehindAFLACIsHeard(second: (options: String, format: String), throughPipe: Bool)
    throws
  {
    let bytes = try make("-f flac") + make(second.options)
    let alone = try readAll(try AudioFileSource(path: folder.file("a"), channels: .each))
    let decoded: Decoded
    if throughPipe {
      let pipe = try TestPipe()
      pipe.feed([bytes])
      decoded = try decode(FilePath("/dev/fd/\(pipe.reading.rawValue)"))
    } else {
      decoded = try decode(folder.write(bytes, to: "two"))
    }
    #expect(decoded.warnings == [] && decoded.frameCount >= 40_000 + alone.frameCount / 3)
  }

  /// Each is cut off in the middle of its sound. ffmpeg and libsndfile do not report that.
  @Test(arguments: ["-f voc", "-f avi", "-c:a pcm_s16le -f avi"])
  func aTornFileIsReported(options: String) throws {
    let whole = try make(options)
    #expect(try end(whole) == nil)
    let torn = try folder.write(Array(whole.prefix(whole.count * 2 / 3)), to: "torn")
    let decoded = try readAll(try AudioFileSource(path: torn, channels: .each))
    #expect(decoded.warnings.contains(.endedEarly(missingSeconds: nil)), "\(decoded.warnings)")
    #expect(20_000..<40_000 ~= decoded.frameCount)
  }

  /// These state their duration, so the warning says how much is missing, also if ffmpeg reports the cut.
  @Test(arguments: [
    "-c:a aac -movflags faststart -f ipod", "-c:a aac -f flv", "-f tta", "-c:a libopus -f matroska",
  ])
  func aTornFileOfKnownDurationIsMeasured(options: String) throws {
    let whole = try make(options)
    let intact = try readAll(
      AudioFileSource(path: folder.write(whole, to: "whole"), channels: .each))
    #expect(intact.warnings.isEmpty)
    let path = try folder.write(Array(whole.prefix(whole.count * 2 / 3)), to: "torn")
    let source = try AudioFileSource(path: path, channels: .each)
    let torn = try readAll(source)
    let missing = Double(intact.frameCount - torn.frameCount) / Double(source.sampleRate)
    guard case .endedEarly(let seconds?)? = torn.warnings.last else {
      Issue.record("no length: \(torn.warnings)")
      return
    }
    #expect(0.5..<1.5 ~= seconds && abs(seconds - missing) < 0.1)
  }

  /// The picture may be longer than the sound, so the duration proves nothing.
  @Test func aLongerPictureIsNoCut() throws {
    let picture = "-f lavfi -i testsrc=size=64x64:rate=5:duration=9"
    try Tool.run("ffmpeg \(picture) -i a.wav -c:v mpeg4 -c:a aac -f mp4 video", in: folder)
    let decoded = try readAll(AudioFileSource(path: folder.file("video"), channels: .each))
    #expect(decoded.warnings.isEmpty)
  }

  /// Every cut is within a block, except where a block or the whole ends.
  @Test func everyTruncatedVOCIsDetected() throws {
    // A head of 26 bytes, a block of 4 + 12 + 200 bytes, and the end.
    let head = Array("Creative Voice File\u{1A}".utf8) + [26, 0, 0x14, 1, 0x1F, 0x11]
    let format: [UInt8] = [0x80, 0x3E, 0, 0, 16, 1, 4, 0, 0, 0, 0, 0]
    let sound = [UInt8](repeating: 7, count: 200)
    let whole = head + [9, 212, 0, 0] + format + sound + [0]
    for count in 27...whole.count {
      let isWhole = count >= whole.count - 1
      #expect(try end(Array(whole.prefix(count))) == (isWhole ? nil : .torn), "\(count)")
    }
    // Padding, and a tag in no known form.
    for rest in [[UInt8](repeating: 0, count: 100), [1, 255, 255, 255, 0, 0]] {
      #expect(try end(whole + rest) == nil)
    }
  }

  /// sox states wrong sizes; the longer sound has more bytes than 24 bits can state.
  @Test(arguments: [1, 600]) func theEndOfAVOCBySoxIsFound(seconds: Int) throws {
    try Tool.run("sox -n -r 16000 -b 16 a.voc synth \(seconds) sine 300", in: folder)
    let first = try folder.read("a.voc")
    #expect(try end(first) == nil)
    #expect(try end(first + first) == .at(Int64(first.count)))
    #expect(try end(Array(first.dropLast(1000))) == .torn)
  }

  /// Some writers count the 8 bytes of the head in the size of the form.
  @Test func anAVISizeMayBeTooLarge() throws {
    var bytes = try make("-f avi")
    bytes[4] += 8
    #expect(try end(bytes) == nil)
    bytes[5] += 1
    #expect(try end(bytes) == .torn)
  }

  /// A recording of any format may follow a WAV, whose end is known.
  @Test func anMP4BehindAWaveIsHeard() throws {
    let wave = try folder.read("a.wav")
    let path = try folder.write(wave + make("-c:a aac -f ipod"), to: "two")
    let alone = try readAll(try AudioFileSource(path: folder.file("a"), channels: .each))
    let decoded = try decode(path)
    #expect(decoded.warnings == [] && decoded.frameCount == 40_000 + alone.frameCount)
    let pipe = try TestPipe()
    pipe.feed([try folder.read("two")])
    let piped = try decode(FilePath("/dev/fd/\(pipe.reading.rawValue)"))
    #expect(piped.channels == decoded.channels && piped.warnings == [])
  }

  /// A second recording is resampled, but not from any rate: that took hours.
  @Test(arguments: [UInt32(1), 7999, 192_001, 4_000_000_000])
  func aSecondAtAnUnsupportedRateIsReported(rate: UInt32) throws {
    let second = WaveWriter(sampleRate: rate, data: Array(repeating: 1, count: 20_000)).bytes()
    let decoded = try decode(folder.write(folder.read("a.wav") + second, to: "two"))
    #expect(decoded.warnings == [.followed(by: "WAV")] && decoded.frameCount == 40_000)
  }

  /// A recording that nobody can read is reported, and what comes before it is heard.
  @Test func anUnreadableSecondIsReported() throws {
    let path = try folder.write(folder.read("a.wav") + Array("MAC ".utf8) + noise(5000), to: "two")
    let decoded = try decode(path)
    #expect(decoded.warnings == [.followed(by: "Monkey's Audio")] && decoded.frameCount == 40_000)
  }
}
