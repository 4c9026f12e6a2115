import Foundation
import RealTime
import SystemPackage
import TestSupport
import Testing

@testable import AudioInput

/// Recordings that other programs change while they are read, after the first block.
@Suite(.timeLimit(.minutes(5))) struct ChangedFileTests {
  private let folder = TemporaryFolder()

  /// One for each way of decoding: here, by libFLAC, libmpg123, libsndfile (twice) and ffmpeg.
  private static let formats = [
    "wav", "flac", "mp3 -b:a 64k", "opus", "wav -c:a adpcm_ms", "mka -c:a pcm_s16le",
  ]

  /// Half a minute of noise, more than any decoder reads ahead, and an ending.
  private func record(_ format: String) throws -> FilePath {
    let (ending, options) = (format.prefix { $0 != " " }, format.drop { $0 != " " })
    try Tool.run(
      "ffmpeg -v error -f lavfi -i anoisesrc=r=48000:a=0.1:s=1:d=30 -ac 1\(options) input.\(ending)",
      in: folder)
    return folder.file("input.\(ending)")
  }

  /// Decodes a recording, and changes it behind the first block.
  private func decode(_ path: FilePath, changing change: () throws -> Void) throws -> Decoded {
    let source = try AudioFileSource(path: path, channels: .each)
    var block = PCMBlock(channelCount: 1)
    _ = try source.read(into: &block)
    var first: [Float] = []
    block.withSamples(ofChannel: 0) { samples in
      samples.withUnsafeBufferPointer { first.append(contentsOf: $0) }
    }
    try change()
    var decoded = try readAll(source)
    decoded.channels[0].insert(contentsOf: first, at: 0)
    return decoded
  }

  /// The results are those of the file that was opened.
  @Test(arguments: formats) func anotherFileOfTheSameNameChangesNothing(format: String) throws {
    let path = try record(format)
    let whole = try decode(path) {}
    let replaced = try decode(path) {
      try folder.write(Array("something else".utf8), to: "new")
      try Tool.run("mv new '\(path.lastComponent!)'", in: folder)
    }
    #expect(whole.frameCount > 1_400_000 && whole.warnings.isEmpty, "\(whole.warnings)")
    #expect(replaced.channels == whole.channels && replaced.warnings.isEmpty)
  }

  /// What is appended later is not read: the length is that at the opening.
  @Test(arguments: formats) func whatIsAppendedIsNotRead(format: String) throws {
    let path = try record(format)
    let whole = try decode(path) {}
    let grown = try decode(path) {
      let name = path.lastComponent!
      try Tool.run("cp '\(name)' copy && cat copy >> '\(name)'", in: folder)
    }
    #expect(grown.channels == whole.channels && grown.warnings.isEmpty, "\(grown.warnings)")
  }

  /// What is there is read, and a warning says that there was more.
  @Test(arguments: formats, [0, 2]) func aFileThatShrinksIsCutOff(format: String, part: Int) throws
  {
    let path = try record(format)
    let whole = try decode(path) {}
    let size = try folder.read(path.lastComponent!.string).count
    let shrunk = try decode(path) {
      try Tool.run(
        "truncate -s \(part == 0 ? 0 : size / part) '\(path.lastComponent!)'", in: folder)
    }
    #expect(shrunk.channels != whole.channels)
    #expect(shrunk.warnings.contains { "\($0)".contains("cut off") }, "\(shrunk.warnings)")
    // libsndfile puts silence in the place of some that is missing.
    #expect(shrunk.frameCount <= whole.frameCount)
    let count = zip(shrunk.channels[0], whole.channels[0]).prefix { $0 == $1 }.count
    #expect(count >= (part == 0 ? 1000 : whole.frameCount * 2 / 5))
  }
}
