import Foundation
import RealTime
import SystemPackage
import TestSupport
import Testing

@testable import AudioInput

/// One sentence that names the file, the fault and the remedy, and the matching exit code.
@Suite struct FileErrorTests {
  let folder = TemporaryFolder()

  private func error(
    _ path: FilePath, _ channels: ChannelSelection = .mix
  ) throws -> AudioInputError {
    try #require(throws: AudioInputError.self) {
      try readAll(try AudioFileSource(path: path, channels: channels))
    }
  }

  @Test func aMissingFileIsReported() throws {
    let path = folder.file("nowhere.wav")
    let error = try error(path)
    #expect(error == .cannotOpen(name: path.string, .noSuchFileOrDirectory))
    #expect(
      "\(error)" == """
        cannot open \(path): No such file or directory; check its name
        """)
    #expect(!AudioFileSource.recognises(path))
  }

  @Test func aFolderIsReported() throws {
    let path = FilePath(folder.path)
    let error = try error(path)
    #expect(error == .isFolder(name: folder.path))
    expectMessage("\(error)", folder.path, "folder", "file")
    #expect(!AudioFileSource.recognises(path))
  }

  @Test(arguments: [
    Array("0.5\t1.5\tspeech\n".utf8), Array(repeating: 0, count: 5000),
    Array("RIFF".utf8), Array("ID3".utf8), Array("#!/bin/sh\necho hello\n".utf8),
    [0xFF, 0xFE] + Array("h\0e\0l\0l\0o\0".utf8) + Array(repeating: 0x41, count: 4000),
    [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + Array(repeating: 1, count: 500),
  ])
  func aFileWithoutAudioIsReported(bytes: [UInt8]) throws {
    let path = try folder.write(bytes, to: "notes.txt")
    let error = try error(path)
    guard case .notAudio(path.string, _) = error else {
      Issue.record("\(error)")
      return
    }
    #expect("\(error)".hasPrefix("cannot read \(path): "))
    #expect("\(error)".hasSuffix("; check that it is a recording, and export it again"))
    #expect("\(error)".contains("ffmpeg"))
    #expect(!AudioFileSource.recognises(path))
  }

  /// The message says who was asked, and the head makes it a recording nevertheless.
  @Test(arguments: [
    ("RIFF\u{1}\0\0\0AVI LIST", "ffmpeg says"), ("OggS", "libsndfile "), ("fLaC", "libFLAC says"),
  ])
  func aHeadAloneIsDamaged(head: String, words: String) throws {
    let path = try folder.write(Array(head.utf8), to: "notes.txt")
    #expect("\(try error(path))".contains(words))
    #expect(AudioFileSource.recognises(path))
  }

  @Test func anEmptyFileSaysSo() throws {
    let path = try folder.write([])
    #expect(try error(path) == .empty(name: path.string))
  }

  /// The tag may be longer than the file.
  @Test(arguments: [UInt8(4), 127]) func aTagAloneSaysSo(length: UInt8) throws {
    let path = try folder.write(Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, length, 0, 0, 0, 0])
    #expect(try error(path) == .notAudio(name: path.string, reason: "it ends with its tag"))
  }

  @Test func theRemedyQuotesTheName() {
    let quoted = AudioInputError.sampleRate(name: "Bob's talk.wav", 4000)
    #expect("\(quoted)".hasSuffix("e.g. with sox 'Bob'\\''s talk.wav' -r 16000 out.flac"))
  }

  @Test(arguments: [7999, 192_001, 4_000_000]) func anUnsupportedRateIsReported(rate: UInt32) throws
  {
    let path = try folder.write(WaveWriter(sampleRate: rate, data: [0, 0]).bytes())
    let error = try error(path)
    #expect(error == .sampleRate(name: path.string, Int(rate)))
    #expect(
      "\(error)" == """
        cannot read \(path): its rate of \(rate) Hz is outside 8000 … 192000; \
        resample it, e.g. with sox \(path) -r 16000 out.flac
        """)
    #expect(AudioFileSource.recognises(path))
  }

  @Test func headersWithZerosAreReported() throws {
    let noChannels = try error(try folder.write(WaveWriter(channelCount: 0, data: [0, 0]).bytes()))
    #expect("\(noChannels)".contains("its header says 0 channels"))
    let noRate = try error(try folder.write(WaveWriter(sampleRate: 0, data: [0, 0]).bytes()))
    #expect("\(noRate)".contains("its header says 0 Hz"))
    let noBits = try error(try folder.write(WaveWriter(bitsPerSample: 0, data: [0, 0]).bytes()))
    #expect("\(noBits)".contains("libsndfile says") && "\(noBits)".contains("ffmpeg says"))
  }

  @Test(arguments: [(1, 2), (2, 3), (3, 0), (3, -1)]) func aMissingChannelIsReported(
    has: Int, asked: Int
  ) throws {
    let wave = WaveWriter(channelCount: UInt16(has), data: Array(repeating: 0, count: 2 * has))
    let path = try folder.write(wave.bytes())
    let error = try error(path, .channel(asked))
    #expect(error == .noSuchChannel(name: path.string, asked, channelCount: has))
    let count =
      has == 1 ? "only channel 1; choose that" : "\(has) channels; choose one from 1 to \(has)"
    #expect(
      "\(error)" == """
        cannot read channel \(asked) of \(path): it has \(count)
        """)
  }

  @Test func aForbiddenFileIsReported() throws {
    let path = try folder.write(WaveWriter().bytes())
    try Tool.run("chmod 0 input", in: folder)
    // root may read everything.
    if getuid() == 0 { return }
    #expect(try error(path) == .cannotOpen(name: path.string, .permissionDenied))
  }

  private func open(_ descriptor: FileDescriptor) throws(AudioInputError) -> AudioFileSource {
    let stream = try ByteStream(descriptor, name: "disk", closing: true)
    return try AudioFileSource(stream, Opening(), .mix)
  }

  /// The descriptor becomes unreadable, before opening and while reading.
  @Test func aFailingDiskIsReported() throws {
    let path = try folder.write(WaveWriter(data: Array(repeating: 1, count: 100_000)).bytes())
    let writeOnly = try FileDescriptor.open(path, .writeOnly)
    let unreadable = try writeOnly.duplicate()
    let early = try #require(throws: AudioInputError.self) { try open(unreadable) }
    #expect(early == .readFailed(name: "disk", .badFileDescriptor))

    let descriptor = try FileDescriptor.open(path, .readOnly)
    let source = try open(descriptor)
    var block = PCMBlock(channelCount: 1)
    #expect(try source.read(into: &block))
    _ = try writeOnly.duplicate(as: descriptor)
    let late = try #require(throws: AudioInputError.self) {
      while try source.read(into: &block) {}
    }
    #expect(late == .readFailed(name: "disk", .badFileDescriptor))
    #expect(
      "\(late)" == """
        cannot read disk to its end: Bad file descriptor; \
        check the disk or the program that feeds it
        """)
    #expect(try !source.read(into: &block))
    try writeOnly.close()
  }

  @Test func aFileThatShrinksWhileItIsReadIsReported() throws {
    let path = try folder.write(WaveWriter(data: Array(repeating: 1, count: 100_000)).bytes())
    let source = try AudioFileSource(path: path)
    try Tool.run("truncate -s 20044 input", in: folder)
    let decoded = try readAll(source)
    #expect(decoded.frameCount == 10_000)
    #expect(decoded.warnings == [.torn(missingBytes: 80_000, missingSeconds: 40_000.0 / 16_000)])
  }
}
