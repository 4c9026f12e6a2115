import TestSupport
import Testing

@testable import vadmon

/// The buffer of sound behaves as an array of all frames does.
@Suite struct SoundBufferTests {
  @Test(arguments: 1...3, 0..<20 as Range<UInt64>)
  func itKeepsWhatAnArrayKeeps(channels: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var buffer = SoundBuffer(channelCount: channels)
    var all: [Float] = []
    for _ in 0..<200 {
      let count = Int.random(in: 0...9, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        buffer.append(silence: UInt64(count))
        all += [Float](repeating: 0, count: count * channels)
      case 1:
        buffer.drop(
          before: UInt64.random(in: 0...buffer.end + 1, using: &random) / 2 + buffer.start / 2)
      default:
        let frames = (0..<count * channels).map { _ in Float.random(in: 1...2, using: &random) }
        buffer.append(frames.span)
        all += frames
      }
      #expect(Int(buffer.end) * channels == all.count)
      let from = UInt64.random(in: buffer.start...buffer.end, using: &random)
      let range = from..<UInt64.random(in: from...buffer.end, using: &random)
      let expected = all[Int(range.lowerBound) * channels..<Int(range.upperBound) * channels]
      #expect(buffer.frames(range) == Array(expected))
    }
  }

  @Test func dropForgetsUpToTheEnd() {
    var buffer = SoundBuffer(channelCount: 1)
    buffer.append([1, 2, 3].span)
    buffer.drop(before: 99)
    #expect(buffer.start == 3 && buffer.end == 3 && buffer.frames(3..<3).isEmpty)
  }

  /// It would take 400 TB.
  @Test func silenceTakesNoMemory() {
    var buffer = SoundBuffer(channelCount: 1)
    buffer.append(silence: 100_000_000_000_000)
    buffer.append([1].span)
    #expect(buffer.frames(99_999_999_999_999..<100_000_000_000_001) == [0, 1])
  }
}
