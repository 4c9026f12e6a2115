import RealTime
import TestSupport
import Testing

@testable import VoiceActivity

/// What several loudspeakers play as one channel, against the mean by hand.
@Suite struct PlayedMixTests {
  private static let rate = 16_000
  private let left = noise(seed: 1), right = noise(seed: 2)

  private static func noise(seed: UInt64) -> [Float] {
    var random = SeededGenerator(seed: seed)
    return (0..<3 * rate).map { _ in Float.random(in: -0.5...0.5, using: &random) }
  }

  private func mixed(_ channels: [[Float]], chunks: [Int] = [320]) -> [Float] {
    var mix = PlayedMix(channelCount: channels.count, sampleRate: Self.rate)
    var block = PCMBlock(channelCount: channels.count)
    var result: [Float] = []
    var turn = 0
    while result.count < channels[0].count {
      let count = min(chunks[turn % chunks.count], channels[0].count - result.count)
      for (index, channel) in channels.enumerated() {
        block.withRoom(ofChannel: index) { room in
          for frame in 0..<count { room[frame] = channel[result.count + frame] }
        }
      }
      block.frameCount = count
      mix.mix(&block)
      block.withSamples(ofChannel: 0) { samples in
        for frame in 0..<count { result.append(samples[frame]) }
      }
      turn += 1
    }
    return result
  }

  private func rms(_ samples: some Collection<Float>) -> Float {
    (samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)).squareRoot()
  }

  /// Whether samples are the same to the rounding of a mean. A failure shows no samples.
  private func agree(_ some: some Collection<Float>, _ others: some Collection<Float>) -> Bool {
    some.count == others.count && zip(some, others).allSatisfy { abs($0 - $1) <= 1e-6 }
  }

  @Test func channelsThatAgreeOrHaveNothingInCommonAreTheirMean() {
    #expect(agree(mixed([left]), left))
    #expect(agree(mixed([left, left]), left))
    let mean = zip(left, right).map { ($0 + $1) / 2 }
    #expect(agree(mixed([left, right]), mean))
    let alike = zip(left, right).map { $0 * 0.5 + $1 }
    #expect(agree(mixed([left, alike]), zip(left, alike).map { ($0 + $1) / 2 }))
  }

  @Test func oppositeChannelsDoNotCancel() {
    #expect(agree(mixed([left, left.map { -$0 }]).dropFirst(160), left.dropFirst(160)))
    let four = mixed([left, left.map { -$0 }, left, left.map { -$0 }])
    #expect(agree(four.dropFirst(160), left.dropFirst(160)))
    let nearly = zip(left, right).map { 0.3 * $1 - $0 }
    #expect(rms(mixed([left, nearly]).dropFirst(Self.rate)) > 0.9 * rms(left))
  }

  /// The sign follows within a second or two, as a recording may be spliced.
  @Test func theSignFollows() {
    let half = left.count / 2
    let changing = left.enumerated().map { $0.offset < half ? -$0.element : $0.element }
    let mix = mixed([left + left, changing + left])
    #expect(rms(mix[160..<half]) > 0.25)
    #expect(rms(mix.suffix(Self.rate)) > 0.25)
  }

  @Test func chunksDoNotMatter() {
    let opposite = zip(left, right).map { 0.2 * $1 - $0 }
    #expect(agree(mixed([left, opposite], chunks: [1, 7, 1_000, 33]), mixed([left, opposite])))
  }

  @Test func whatIsNoNumberDoesNotStay() {
    var broken = left.map { -$0 }
    broken[5_000] = .nan
    broken[5_001] = .infinity
    broken[5_002] = 3e38
    let mix = mixed([left, broken])
    #expect(mix[5_000].isNaN)
    #expect(agree(mix.suffix(20_000), left.suffix(20_000)))
  }
}
