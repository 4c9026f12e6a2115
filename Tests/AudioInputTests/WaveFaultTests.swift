import AudioInput
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Headers with false claims.
@Suite struct WaveFaultTests {
  let folder = TemporaryFolder()
  let samples: [Int16] = noise(1000)

  private var wave: WaveWriter { WaveWriter(data: int16Bytes(samples)) }

  private func expectAll(_ bytes: [UInt8], _ comment: Comment? = nil) throws {
    let decoded = try decode(try folder.write(bytes))
    #expect(decoded.channels == [scaled(samples)], comment)
    #expect(decoded.warnings == [], comment)
  }

  /// The sizes that real writers to a pipe leave: 0, and the placeholders of sox and espeak-ng, arecord and
  /// ffmpeg.
  @Test(arguments: [
    (0, 0), (0, 8), (0, 36), (0x7FFF_F000, 0x7FFF_F024), (0x7FFF_FFFF, 0x7FFF_FFFF),
    (0x8000_0000, 0x8000_0024), (0xFFFF_FFFF, 0xFFFF_FFFF), (0xFFFF_FFDB, 0xFFFF_FFFF),
  ])
  func streamedHeadersAreRead(dataSize: Int, formSize: Int) throws {
    var wave = wave
    wave.claimedDataSize = UInt32(dataSize)
    wave.claimedFormSize = UInt32(formSize)
    try expectAll(wave.bytes())
    wave.form = "RIFX"
    wave.data = samples.flatMap { littleEndian($0, reversed: true) }
    try expectAll(wave.bytes(), "RIFX")
  }

  @Test func aStreamMayFollowAListChunk() throws {
    var wave = wave
    wave.claimedDataSize = 0
    wave.before = wave.chunk("LIST", Array("INFOISFT".utf8) + [2, 0, 0, 0, 65, 0])
    try expectAll(wave.bytes())
  }

  @Test(arguments: [(0, 0), (UInt64.max, UInt64.max), (1 << 63, 1 << 62)])
  func aStreamedRF64IsRead(formSize: UInt64, dataSize: UInt64) throws {
    var wave = wave
    wave.form = "RF64"
    (wave.claimedDataSize, wave.claimedFormSize) = (.max, .max)
    wave.claimedLongSizes = (formSize, dataSize)
    try expectAll(wave.bytes())
  }

  @Test func rf64MayLackItsSizes() throws {
    var wave = wave
    wave.form = "RF64"
    (wave.claimedDataSize, wave.claimedFormSize) = (.max, .max)
    try expectAll(wave.bytes())
    wave.claimedDataSize = nil
    try expectAll(wave.bytes(), "a size of 32 bits")
  }

  @Test(arguments: [0, 1, 10, UInt32.max]) func aWrongFormSizeIsIgnored(size: UInt32) throws {
    var wave = wave
    wave.claimedFormSize = size
    try expectAll(wave.bytes())
  }

  @Test func anOddChunkMayLackItsPadding() throws {
    var wave = wave
    wave.before = wave.chunk("JUNK", [1, 2, 3]).dropLast()
    try expectAll(wave.bytes())
  }

  @Test func dataMayPrecedeTheFormat() throws {
    let plain = wave.bytes()
    let (format, data) = (plain[12..<36], plain[36...])
    try expectAll(Array(plain[..<12]) + data + format)
  }

  @Test func aBlockAlignmentOfZeroIsCorrected() throws {
    var bytes = wave.bytes()
    for index in 28..<34 { bytes[index] = 0 }
    try expectAll(bytes)
  }

  @Test func theLastPaddingMayBeMissing() throws {
    let codes: [UInt8] = [0, 128, 255]
    let bytes = WaveWriter(bitsPerSample: 8, data: codes).bytes().dropLast()
    let decoded = try decode(try folder.write(Array(bytes)))
    #expect(decoded.channels == [[-1, 0, 127.0 / 128]])
    #expect(decoded.warnings == [])
  }

  @Test func aTornFileIsReadAndSaysHowMuchIsMissing() throws {
    var wave = wave
    wave.claimedDataSize = 5000
    let decoded = try decode(try folder.write(wave.bytes()))
    #expect(decoded.channels == [scaled(samples)])
    #expect(decoded.warnings == [.torn(missingBytes: 3000, missingSeconds: 1500.0 / 16_000)])
    expectMessage("\(decoded.warnings[0])", "cut off", "0.094 s", "3000 bytes", "end")
  }

  @Test func aTornFrameIsLeftOut() throws {
    var wave = wave
    wave.claimedDataSize = 2000
    let decoded = try decode(try folder.write(wave.bytes().dropLast()))
    #expect(decoded.channels == [scaled(samples.dropLast())])
    #expect(decoded.warnings.count == 1)
  }

  @Test func aTornRF64IsReadAsFarAsItGoes() throws {
    var wave = wave
    wave.form = "RF64"
    (wave.claimedDataSize, wave.claimedFormSize) = (.max, .max)
    wave.claimedLongSizes = (6_000_000_072, 6_000_000_000)
    let decoded = try decode(try folder.write(wave.bytes()))
    #expect(decoded.channels == [scaled(samples)])
    #expect(
      decoded.warnings
        == [.torn(missingBytes: 5_999_998_000, missingSeconds: 2_999_999_000.0 / 16_000)])
  }

  @Test func aHeaderWithoutItsSoundIsReported() throws {
    var wave = WaveWriter()
    wave.claimedDataSize = 5000
    let decoded = try decode(try folder.write(wave.bytes()))
    #expect(decoded.channels == [[]])
    #expect(decoded.warnings == [.torn(missingBytes: 5000, missingSeconds: nil)])
  }

  @Test func aFileWithoutSamplesIsReported() throws {
    let decoded = try decode(try folder.write(WaveWriter().bytes()))
    #expect(decoded.channels == [[]])
    #expect(decoded.warnings == [.noSamples])
  }

  /// Size 0 is true where chunks follow up to the end of the file. Where they do not, it marks a stream.
  @Test func chunksMayFollowNoSamples() throws {
    var wave = WaveWriter()
    wave.behind = wave.chunk("LIST", Array("INFOISFT".utf8) + [2, 0, 0, 0, 65, 0])
    #expect(try decode(try folder.write(wave.bytes())).channels == [[]])
  }

  /// The size is that of half of the sound. What follows it is no chunk, and so more sound.
  @Test(arguments: [false, true], [0, 1]) func soundBeyondATooSmallSizeIsRead(
    throughPipe: Bool, odd: Int
  ) throws {
    var wave = wave
    wave.claimedDataSize = UInt32(1000 + odd)
    let decoded = try read(wave.bytes(), throughPipe: throughPipe)
    let stated = UInt64(1000 + odd)
    #expect(decoded.channels == [scaled(samples)])
    #expect(decoded.warnings == [.exceeded(statedBytes: stated, bytes: 2000 - stated)])
  }

  /// Chunks may follow the sound, and zeros, but other bytes may not, nor a part of a chunk.
  @Test(arguments: [false, true]) func bytesAfterTheChunksAreCounted(throughPipe: Bool) throws {
    var wave = wave
    let list = wave.chunk("LIST", Array(repeating: 65, count: 70_001))
    wave.claimedDataSize = 2000
    for (rest, count) in [
      ([], 0), ([0], 0), ([0, 1, 2], 2), (Array(repeating: 0, count: 100_000), 0),
      (list.dropLast(2), list.count - 2), (list.dropLast(), 0), ([UInt8]("note".utf8), 4),
    ] as [([UInt8], Int)] {
      wave.behind = list + rest
      let decoded = try read(wave.bytes(), throughPipe: throughPipe)
      #expect(decoded.channels == [scaled(samples)])
      #expect(
        decoded.warnings == (count == 0 ? [] : [.unread(bytes: UInt64(count))]), "\(rest.count)")
    }
  }

  private func read(_ bytes: [UInt8], throughPipe: Bool) throws -> Decoded {
    guard throughPipe else { return try decode(try folder.write(bytes)) }
    let pipe = try TestPipe()
    pipe.feed([bytes])
    return try decode(FilePath("/dev/fd/\(pipe.reading.rawValue)"))
  }

  /// A size that overflowed 32 bits: 4 GiB and 2000 bytes, nearly all of which is a hole in the file.
  @Test func riffMayExceedFourGibibytes() throws {
    let path = try folder.write(wave.bytes())
    let size: Int64 = (1 << 32) + 2000
    try Tool.run("truncate -s \(44 + size) input", in: folder)
    let source = try AudioFileSource(path: path)
    #expect(source.expectedFrameCount == size / 2)
  }

  @Test func rf64MayExceedFourGibibytes() throws {
    var wave = wave
    wave.form = "RF64"
    let size: UInt64 = 5_000_000_000
    (wave.claimedDataSize, wave.claimedFormSize) = (.max, .max)
    wave.claimedLongSizes = (size + 72, size)
    let path = try folder.write(wave.bytes())
    try Tool.run("truncate -s \(80 + size) input", in: folder)
    let source = try AudioFileSource(path: path)
    #expect(source.expectedFrameCount == Int64(size / 2))
    #expect(source.warnings == [])
  }

  @Test func theFileIsLeftAlone() throws {
    var wave = wave
    wave.claimedDataSize = 0
    let bytes = wave.bytes()
    _ = try decode(try folder.write(bytes))
    #expect(try folder.read("input") == bytes)
  }

  /// What ffmpeg and espeak-ng really write to a pipe.
  @Test func streamsOfRealWritersAreRead() throws {
    try folder.write(wave.bytes(), to: "plain.wav")
    let cases = [
      "ffmpeg -v error -i plain.wav -f wav - | cat > streamed",
      "ffmpeg -v error -i plain.wav -f wav -rf64 always - | cat > streamed",
      "sox -D plain.wav -t wav - | cat > streamed",
    ]
    for command in cases {
      try Tool.run(command, in: folder)
      let decoded = try decode(folder.file("streamed"))
      #expect(decoded.channels == [scaled(samples)], "\(command)")
      #expect(decoded.warnings == [], "\(command)")
    }
  }

  /// espeak-ng writes the same samples to a file, with a correct header.
  @Test func aStreamOfEspeakIsRead() throws {
    try Tool.run(
      "espeak-ng --stdout Hello. | cat > streamed && espeak-ng -w whole.wav Hello.", in: folder)
    let (streamed, whole) = (
      try decode(folder.file("streamed")), try decode(folder.file("whole.wav"))
    )
    #expect(streamed.channels == whole.channels)
    #expect(streamed.frameCount > 5000)
    #expect(streamed.warnings == [])
  }
}
