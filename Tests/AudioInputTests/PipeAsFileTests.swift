import AudioInput
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Paths that lead to pipes, as a shell's <( … ) gives them.
@Suite struct PipeAsFileTests {
  let folder = TemporaryFolder()
  let samples: [Int16] = noise(100_000)

  private func throughPipe(_ bytes: [UInt8]) throws -> Decoded {
    let pipe = try TestPipe()
    pipe.feed([bytes])
    return try decode(FilePath("/dev/fd/\(pipe.reading.rawValue)"))
  }

  @Test func aWaveThroughAPipeIsRead() throws {
    var wave = WaveWriter(data: int16Bytes(samples))
    (wave.claimedDataSize, wave.claimedFormSize) = (.max, .max)
    #expect(try throughPipe(wave.bytes()).channels == [scaled(samples)])
  }

  @Test func aFLACThroughAPipeIsRead() throws {
    try folder.write(WaveWriter(data: int16Bytes(samples)).bytes(), to: "plain.wav")
    try Tool.run("flac -s -o coded plain.wav", in: folder)
    #expect(try throughPipe(try folder.read("coded")).channels == [scaled(samples)])
  }

  @Test func aPipeWithoutAudioIsReported() throws {
    let error = try #require(throws: AudioInputError.self) { try throughPipe(Array("hello".utf8)) }
    guard case .notAudio = error else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func aNamedPipeIsRead() throws {
    try Tool.run("mkfifo fifo", in: folder)
    let path = folder.file("fifo").string
    let bytes = WaveWriter(data: int16Bytes(samples)).bytes()
    Thread.detachNewThread {
      try? FileHandle(forWritingAtPath: path)?.write(contentsOf: Data(bytes))
    }
    #expect(try decode(folder.file("fifo")).channels == [scaled(samples)])
  }
}
