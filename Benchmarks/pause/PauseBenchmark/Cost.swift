import CountedMalloc
import Glibc

/// The cost of one decision.
struct Cost {
  /// The thread's processor time; the median of the repetitions.
  var microseconds: Double
  /// The time to sort as many random numbers, measured alternately with it: another machine, or a busy one, is slower
  /// at both.
  var microsecondsToSort: Double
  /// The number of allocator calls in all timed decisions.
  var allocations: UInt
  var decisions: Int

  static let repetitions = 15

  static func measure(_ count: Int, _ event: Meeting.Event) throws -> Cost {
    var meeting = try Meeting(count: count)
    let batch = max(20, 40_000 / count)
    // Warm up, so that all layers, orders and buffers have been used once.
    for _ in 0..<max(batch, 4 * count) { try meeting.decide(about: event) }
    var (ours, sorts, allocations) = ([Double](), [Double](), UInt(0))
    for seed in 0..<repetitions {
      let before = counted_allocations()
      var allocated: UInt = 0
      ours.append(
        try microseconds {
          for _ in 0..<batch { try meeting.decide(about: event) }
          allocated = counted_allocations() - before
        } / Double(batch))
      allocations += allocated
      sorts.append(microsecondsToSort(count, times: batch, seed: UInt64(seed)))
    }
    return Cost(
      microseconds: median(ours), microsecondsToSort: median(sorts), allocations: allocations,
      decisions: repetitions * batch)
  }

  private static func microsecondsToSort(_ count: Int, times: Int, seed: UInt64) -> Double {
    var random = Seeded(seed)
    let numbers = (0..<count).map { _ in Int.random(in: 0..<(.max), using: &random) }
    var checksum = 0
    let time = microseconds {
      for _ in 0..<times { checksum &+= numbers.sorted()[count / 2] }
    }
    precondition(checksum != .min)
    return time / Double(times)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func microseconds(_ work: () throws -> Void) rethrows -> Double {
    let start = now()
    try work()
    return now() - start
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}
