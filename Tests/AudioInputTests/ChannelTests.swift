import AudioInput
import RealTime
import SystemPackage
import TestSupport
import Testing
import VoiceActivity

/// Mixing, selecting and separating channels, from files and raw PCM alike.
@Suite struct ChannelTests {
  let folder = TemporaryFolder()
  let samples: [Int16] = noise(3 * 5000)

  private var wave: WaveWriter { WaveWriter(channelCount: 3, data: int16Bytes(samples)) }
  private var frames: [[Float]] {
    stride(from: 0, to: samples.count, by: 3).map { scaled(Array(samples[$0..<$0 + 3])) }
  }

  private func both(_ selection: ChannelSelection, capacity: Int = 4096) throws -> [Decoded] {
    let fromFile = try decode(try folder.write(wave.bytes()), selection, capacity: capacity)
    let raw = try folder.write(int16Bytes(samples), to: "raw")
    let descriptor = try FileDescriptor.open(raw, .readOnly)
    defer { try? descriptor.close() }
    let source = try AudioFileSource(
      descriptor, format: RawPCMFormat(sampleRate: 16_000, channelCount: 3), channels: selection)
    return [fromFile, try readAll(source, capacity: capacity)]
  }

  /// Exactly the mean, in the order and precision written here.
  @Test func channelsAreMixedToTheirMean() throws {
    let expected = frames.map { ($0[0] + $0[1] + $0[2]) * (1 / 3) }
    for decoded in try both(.mix) { #expect(decoded.channels == [expected]) }
  }

  @Test func twoChannelsAreMixedToTheirMean() throws {
    let wave = WaveWriter(channelCount: 2, data: int16Bytes(samples))
    let all = scaled(samples)
    let expected = stride(from: 0, to: all.count, by: 2).map { (first: Int) -> Float in
      (all[first] + all[first + 1]) / 2
    }
    #expect(try decode(try folder.write(wave.bytes()), .mix).channels == [expected])
  }

  @Test func theMeanOfEqualChannelsIsThatChannelAtFullScale() throws {
    let loud: [Int16] = [.max, .max, .min, .min]
    let wave = WaveWriter(channelCount: 2, data: int16Bytes(loud))
    #expect(try decode(try folder.write(wave.bytes()), .mix).channels == [[32767.0 / 32768, -1]])
  }

  @Test(arguments: [1, 7, 4096, 9000]) func eachChannelIsReadSeparately(capacity: Int) throws {
    let expected = (0..<3).map { channel in frames.map { $0[channel] } }
    for decoded in try both(.each, capacity: capacity) { #expect(decoded.channels == expected) }
  }

  @Test(arguments: 1...3) func oneChannelIsSelected(number: Int) throws {
    let expected = frames.map { $0[number - 1] }
    for decoded in try both(.channel(number)) { #expect(decoded.channels == [expected]) }
  }

  @Test func notANumberStaysOne() throws {
    let values: [Float] = [.nan, 0.5, .infinity, 0.5, 0.25, 0.5]
    let wave = WaveWriter(
      formatTag: 3, channelCount: 2, bitsPerSample: 32,
      data: values.flatMap { littleEndian($0.bitPattern) })
    let mixed = try decode(try folder.write(wave.bytes()), .mix).channels[0]
    #expect(mixed[0].isNaN)
    #expect(mixed[1...] == [.infinity, 0.375])
  }

  @Test func aThousandChannelsAreRead() throws {
    let samples: [Int16] = noise(1024 * 40)
    let wave = WaveWriter(channelCount: 1024, data: int16Bytes(samples))
    let decoded = try decode(try folder.write(wave.bytes()), .channel(1000))
    #expect(
      decoded.channels == [
        stride(from: 999, to: samples.count, by: 1024).map { Float(samples[$0]) / 32768 }
      ])
  }

  @Test(arguments: [
    ("mix", ChannelSelection.mix), ("each", .each), ("any", .any), ("1", .channel(1)),
    ("12", .channel(12)),
  ])
  func aSelectionIsReadAndWritten(text: String, selection: ChannelSelection) {
    #expect(ChannelSelection(text) == selection)
    #expect("\(selection)" == text)
  }

  @Test(arguments: ["", "0", "-1", "left", "1.5", "Mix", " 1"]) func anInvalidSelectionIsRefused(
    text: String
  ) {
    #expect(ChannelSelection(text) == nil)
  }
}
