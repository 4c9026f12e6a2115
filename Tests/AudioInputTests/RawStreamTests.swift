import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AudioInput
@testable import RealTime

/// Raw PCM from a pipe that delivers it in pieces, late, endlessly, or not at all.
@Suite struct RawStreamTests {
  let samples: [Int16] = noise(100_000)

  private func source(
    _ pipe: TestPipe, _ format: RawPCMFormat = RawPCMFormat(sampleRate: 16_000),
    _ channels: ChannelSelection = .mix
  ) throws -> AudioFileSource {
    try AudioFileSource(pipe.reading, format: format, channels: channels)
  }

  /// The pieces cut frames anywhere.
  @Test(arguments: [1, 2]) func piecesMayCutFramesAnywhere(channelCount: Int) throws {
    var generator = SeededGenerator(seed: 4)
    var (rest, pieces) = (int16Bytes(samples)[...], [[UInt8]]())
    while !rest.isEmpty {
      pieces.append(Array(rest.prefix(Int.random(in: 1...9999, using: &generator))))
      rest = rest.dropFirst(pieces.last!.count)
    }
    let pipe = try TestPipe()
    pipe.feed(pieces)
    let format = RawPCMFormat(sampleRate: 16_000, channelCount: channelCount)
    let decoded = try readAll(try source(pipe, format, .each), capacity: 1000)
    for channel in 0..<channelCount {
      let expected = stride(from: channel, to: samples.count, by: channelCount)
      #expect(decoded.channels[channel] == expected.map { Float(samples[$0]) / 32768 })
    }
    #expect(decoded.warnings == [])
  }

  @Test func bytesMayArriveOneAtATime() throws {
    let pipe = try TestPipe()
    pipe.feed(int16Bytes(Array(samples.prefix(500))).map { [$0] })
    #expect(try readAll(try source(pipe)).channels == [scaled(Array(samples.prefix(500)))])
  }

  @Test(arguments: 1...5) func aTornLastFrameIsReported(leftover: Int) throws {
    let pipe = try TestPipe()
    pipe.feed([Array(int16Bytes(samples).prefix(6 * 100 + leftover))])
    let format = RawPCMFormat(sampleRate: 16_000, channelCount: 3)
    let decoded = try readAll(try source(pipe, format, .each))
    #expect(decoded.frameCount == 100)
    #expect(decoded.warnings == [.tornFrame(bytes: leftover)])
    let words =
      leftover == 1
      ? "the input ends in an incomplete frame; its last byte was ignored"
      : "the input ends in an incomplete frame; its last \(leftover) bytes were ignored"
    #expect("\(decoded.warnings[0])" == words)
  }

  @Test func anEmptyStreamHasNoSamples() throws {
    let pipe = try TestPipe()
    pipe.feed([])
    let source = try source(pipe)
    let decoded = try readAll(source)
    #expect(decoded.channels == [[]])
    #expect(decoded.warnings == [])
    var block = PCMBlock(channelCount: 1)
    #expect(try !source.read(into: &block))
  }

  @Test func theSourceDescribesItsStream() throws {
    let pipe = try TestPipe()
    let format = RawPCMFormat(sampleRate: 48_000, sampleFormat: .f32be, channelCount: 2)
    let source = try source(pipe, format)
    #expect(source.name == "standard input")
    #expect(source.formatName == "raw PCM, f32be")
    #expect(source.sampleRate == 48_000)
    #expect(source.inputChannelCount == 2 && source.channelCount == 1)
    #expect(source.expectedFrameCount == nil)
    #expect(source.rawFormat == format)
  }

  @Test func samplesComeBeforeTheStreamEnds() throws {
    let pipe = try TestPipe()
    let source = try source(pipe)
    var block = PCMBlock(channelCount: 1)
    for value in [Int16(1), 2, 3] {
      try pipe.writing.writeAll(int16Bytes([value]))
      #expect(try source.read(into: &block))
      #expect(block.frameCount == 1 && block.missingFrames == 0)
      block.withSamples(ofChannel: 0) { samples in
        let first = samples[0]
        #expect(first == Float(value) / 32768)
      }
    }
    try pipe.writing.close()
    #expect(try !source.read(into: &block))
  }

  /// A folder can be opened but not read. What came before an error stays valid.
  @Test func aReadErrorIsReported() throws {
    let descriptor = try FileDescriptor.open("/", .readOnly)
    defer { try? descriptor.close() }
    let source = try AudioFileSource(
      descriptor, name: "feed", format: RawPCMFormat(sampleRate: 8000))
    let error = try #require(throws: AudioInputError.self) { try readAll(source) }
    #expect(error == .readFailed(name: "feed", .isDirectory))
  }

  @Test func aClosedDescriptorIsReported() throws {
    // A number that no other test can get in the meantime.
    let source = try AudioFileSource(
      FileDescriptor(rawValue: 1_000_000), format: RawPCMFormat(sampleRate: 8000))
    let error = try #require(throws: AudioInputError.self) { try readAll(source) }
    #expect(error == .readFailed(name: "standard input", .badFileDescriptor))
  }

  @Test func aNonblockingDescriptorIsRead() throws {
    let pipe = try TestPipe()
    _ = fcntl(pipe.reading.rawValue, F_SETFL, O_NONBLOCK)
    let source = try source(pipe)
    pipe.feed(int16Bytes(samples).chunks(of: 7001))
    #expect(try readAll(source).channels == [scaled(samples)])
  }

  // MARK: Bounded memory

  /// Nobody reads. The pipe accepts what fits into itself, and no more.
  @Test func theWriterOfThePipeWaits() throws {
    let pipe = try TestPipe()
    let source = try source(pipe)
    _ = fcntl(pipe.writing.rawValue, F_SETFL, O_NONBLOCK)
    let getPipeSize: Int32 = 1032  // F_GETPIPE_SZ, which Swift's Glibc lacks.
    let bound = Int(fcntl(pipe.writing.rawValue, getPipeSize))
    let bytes = int16Bytes(samples)
    var written = 0
    while let count = bytes[written...].withUnsafeBytes({ try? pipe.writing.write($0) }), count > 0
    {
      written += count
    }
    #expect(written <= bound && bound < bytes.count)
    // Nothing was lost either.
    try pipe.writing.close()
    #expect(try readAll(source).channels[0] == scaled(Array(samples.prefix(written / 2))))
  }

  /// An endless stream, /dev/zero, is read for a while and then stopped.
  @Test func anEndlessStreamCanBeStopped() throws {
    let zero = try FileDescriptor.open("/dev/zero", .readOnly)
    defer { try? zero.close() }
    let source = try AudioFileSource(
      zero, format: RawPCMFormat(sampleRate: 8000, sampleFormat: .s8))
    var block = PCMBlock(channelCount: 1)
    var frameCount = 0
    while frameCount < 1_000_000 {
      #expect(try source.read(into: &block))
      frameCount += block.frameCount
    }
    source.stop()
    #expect(try !source.read(into: &block))
    #expect(source.warnings == [])
  }

  // MARK: Stopping

  @Test func stopEndsAWaitForInput() async throws {
    let pipe = try TestPipe()
    let source = try source(pipe)
    #expect(await readWhileStopping(source) == false)
    try pipe.writing.close()
  }

  /// A stream that was stopped has not ended, so it is neither empty nor torn. The reader sees the end that the stop
  /// causes before or after the stop itself; many tries cover both.
  @Test func aStoppedStreamIsNotEmpty() async throws {
    for _ in 0..<200 {
      let pipe = try TestPipe()
      let source = try AudioFileSource(
        try ByteStream(pipe.reading, name: "pipe"), raw: RawPCMFormat(sampleRate: 16_000), .mix,
        mayBeEmpty: false)
      let reader = Task.detached {
        var block = PCMBlock(channelCount: 1)
        return try source.read(into: &block)
      }
      source.stop()
      #expect(try await reader.value == false)
      try pipe.writing.close()
    }
  }

  @Test func aStoppedFileReturnsNoMore() throws {
    let folder = TemporaryFolder()
    let path = try folder.write(WaveWriter(data: int16Bytes(samples)).bytes())
    let source = try AudioFileSource(path: path)
    var block = PCMBlock(channelCount: 1)
    #expect(try source.read(into: &block))
    source.stop()
    #expect(try !source.read(into: &block))
    #expect(source.warnings == [])
  }
}

extension Array {
  fileprivate func chunks(of count: Int) -> [[Element]] {
    stride(from: 0, to: self.count, by: count).map {
      Array(self[$0..<Swift.min($0 + count, self.count)])
    }
  }
}
