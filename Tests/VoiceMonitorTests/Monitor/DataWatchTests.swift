import TestSupport
import Testing

@testable import VoiceActivity
@testable import VoiceMonitor

private let millisecond: Int64 = 1_000_000
private let second = 1000 * millisecond

/// The time after which a source counts as giving no data. The oracle is a list of blocks with their times of arrival.
@Suite struct DataWatchTests {
  private static let limit = 500 * millisecond

  /// Returns how often a source with these blocks is overdue before its next block.
  private func overdue(_ blocks: [(time: Int64, length: Int64)], limit: Int64 = limit) -> Int {
    var (watch, count) = (DataWatch(limit: limit, at: 0), 0)
    for (time, length) in blocks {
      if watch.deadline <= time { count += 1 }
      watch.came(length, at: time)
    }
    return count
  }

  /// Returns the blocks of a host that delivers `length` at a time, each block up to `jitter` late, in `parts` calls
  /// with the detector's blocks between them.
  private func host(length: Int64, jitter: Int64 = 0, parts: Int64 = 1) -> [(Int64, Int64)] {
    var random = SeededGenerator(seed: UInt64(length + jitter + parts))
    return (1...200).flatMap { block in
      let time = Int64(block) * length + (jitter == 0 ? 0 : .random(in: 0...jitter, using: &random))
      return (0..<parts).map { (time + $0 * 100_000, length / parts) }
    }
  }

  @Test(arguments: [1, 10, 20, 100, 600, 1000, 1500, 2000] as [Int64], [1, 4, 25] as [Int64])
  func aHostThatDeliversBlocksIsNeverOverdue(length: Int64, parts: Int64) {
    #expect(overdue(host(length: length * millisecond, parts: parts)) == 0)
    #expect(
      overdue(host(length: length * millisecond, jitter: 400 * millisecond, parts: parts)) == 0)
  }

  /// Blocks of 600 to 1000 ms at random.
  @Test(arguments: 1...5 as ClosedRange<UInt64>) func aHostWithVaryingBlocksIsNotOverdue(
    seed: UInt64
  ) {
    var (random, time) = (SeededGenerator(seed: seed), Int64(0))
    let blocks = (0..<500).map { _ in
      let length = Int64.random(in: 600...1000, using: &random) * millisecond
      time += length
      return (time, length)
    }
    #expect(overdue(blocks) == 0)
  }

  /// A microphone that stops is overdue after the limit and its period, whenever it stops: the patience with the first
  /// sound is not left over for the next.
  @Test(arguments: [10, 20, 100] as [Int64], [1, 30, 3000] as [Int64])
  func aMicrophoneThatStopsIsOverdue(period: Int64, blocks: Int64) {
    var watch = DataWatch(limit: Self.limit, at: 0)
    for index in 1...blocks { watch.came(period * millisecond, at: index * period * millisecond) }
    #expect(watch.deadline == blocks * period * millisecond + Self.limit + period * millisecond)
  }

  /// An unused lead of 2 s is gone after 20 s of sound in real time.
  @Test func aLeadIsForgotten() {
    var watch = DataWatch(limit: Self.limit, at: 0)
    watch.came(2 * second, at: 0)
    for index in 1...3000 { watch.came(10 * millisecond, at: Int64(index) * 10 * millisecond) }
    #expect(watch.deadline <= 30 * second + Self.limit + 10 * millisecond)
  }

  /// A file or a pipe may run ahead without limit, but at most 3 s of it count.
  @Test func atMostThreeSecondsAheadCount() {
    var watch = DataWatch(limit: Self.limit, at: 0)
    for _ in 0..<1000 { watch.came(second, at: 5) }
    #expect(watch.deadline == 5 + DataWatch.longestLead + Self.limit)
  }

  /// Sound servers begin up to 2 s late.
  @Test func theFirstSoundMayBeLate() {
    let watch = DataWatch(limit: Self.limit, at: 7)
    #expect(watch.deadline == 7 + 2 * second + Self.limit)
  }

  /// A gap alone does not count as sound.
  @Test func aGapAloneIsNoSound() {
    var watch = DataWatch(limit: Self.limit, at: 0)
    watch.came(10 * millisecond, at: 4 * second)
    watch.came(0, at: 4 * second + 10 * millisecond)
    #expect(watch.deadline <= 4 * second + 10 * millisecond + Self.limit)
  }
}
