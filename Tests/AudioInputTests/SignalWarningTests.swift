import AudioInput
import RealTime
import SystemPackage
import TestSupport
import Testing

/// Warnings of channels that cancel and of floats beyond full scale, from files and raw PCM alike.
@Suite struct SignalWarningTests {
  let folder = TemporaryFolder()
  let left: [Int16] = noise(2 * 16_000)

  private func warnings(
    _ samples: [Int16], channelCount: Int, _ selection: ChannelSelection
  ) throws -> [[AudioInputWarning]] {
    let wave = WaveWriter(channelCount: UInt16(channelCount), data: int16Bytes(samples))
    let file = try decode(try folder.write(wave.bytes()), selection).warnings
    let raw = try folder.write(int16Bytes(samples), to: "raw")
    let descriptor = try FileDescriptor.open(raw, .readOnly)
    defer { try? descriptor.close() }
    let source = try AudioFileSource(
      descriptor, format: RawPCMFormat(sampleRate: 16_000, channelCount: channelCount),
      channels: selection)
    return [file, try readAll(source).warnings]
  }

  @Test func aMixThatCancelsIsReportedOnce() throws {
    let inverted = left.flatMap { [$0, $0 == .min ? .max : -$0] }
    for found in try warnings(inverted, channelCount: 2, .mix) {
      guard case .cancelledMix(2, 2, 2, let decibels)? = found.first, found.count == 1 else {
        Issue.record("\(found)")
        continue
      }
      #expect(decibels > 60)
      #expect(found[0].description.contains("--channel any"))
    }
  }

  @Test func whoChoseChannelsIsNotWarned() throws {
    let inverted = left.flatMap { [$0, $0 == .min ? .max : -$0] }
    for selection in [ChannelSelection.each, .any, .channel(2)] {
      #expect(try warnings(inverted, channelCount: 2, selection) == [[], []])
    }
  }

  @Test func ordinaryStereoAndMonoAreNotReported() throws {
    #expect(try warnings(left, channelCount: 2, .mix) == [[], []])
    #expect(try warnings(left, channelCount: 1, .mix) == [[], []])
    #expect(try warnings(left.flatMap { [$0, 0] }, channelCount: 2, .mix) == [[], []])
    #expect(try warnings(left.map { _ in 0 }, channelCount: 2, .mix) == [[], []])
  }

  /// A float of 32 bits does not hold the square of such a sample.
  @Test func floatsWhoseSquaresOverflowAreReported() throws {
    let data = left.flatMap { littleEndian((Float($0) / 32_768 * 1e30).bitPattern) }
    for channelCount in [1, 2] {
      let wave = WaveWriter(
        formatTag: 3, channelCount: UInt16(channelCount), bitsPerSample: 32, data: data)
      let found = try decode(try folder.write(wave.bytes()), .mix).warnings
      #expect(found.count == 1 && found[0].description.contains("volume=-601dB"), "\(found)")
    }
  }

  @Test(arguments: [(Float(32_768), 1), (1, 0)])
  func floatsFarBeyondFullScaleAreReported(scale: Float, count: Int) throws {
    let data = left.flatMap { littleEndian((Float($0) / 32_768 * scale).bitPattern) }
    for bits in [32, 64] {
      let bytes =
        bits == 32
        ? data
        : left.flatMap { littleEndian((Double($0) / 32_768 * Double(scale)).bitPattern) }
      let wave = WaveWriter(formatTag: 3, channelCount: 1, bitsPerSample: UInt16(bits), data: bytes)
      let file = try decode(try folder.write(wave.bytes()), .mix).warnings
      let raw = try folder.write(bytes, to: "raw")
      let descriptor = try FileDescriptor.open(raw, .readOnly)
      defer { try? descriptor.close() }
      let format = RawPCMFormat(
        sampleRate: 16_000, sampleFormat: bits == 32 ? .f32le : .f64le, channelCount: 1)
      for found in [file, try readAll(try AudioFileSource(descriptor, format: format)).warnings] {
        #expect(found.count == count)
        guard count > 0 else { continue }
        guard case .beyondFullScale(let peak, _)? = found.first else {
          Issue.record("\(found)")
          continue
        }
        #expect(30_000...32_768 ~= peak)
        #expect(found[0].description.contains("volume=-9"))
      }
    }
  }
}
