internal import Synchronization

/// Says which calls are timed.
struct TimedCalls: BitwiseCopyable {
  /// See ``VoiceActivityTimes``.
  private static let stride = 17
  private var untilNext = 0

  /// When this call began if it is one that is timed, ns.
  @inline(__always)
  mutating func start() -> Int64? {
    untilNext -= 1
    guard untilNext < 0 else { return nil }
    untilNext = Self.stride - 1
    return monotonicTime()
  }
}

/// Times one detector's calls. The thread that analyses starts and counts, any thread reads.
///
/// Bare memory instead of a class: the analysis counts no references.
struct Stopwatch: @unchecked Sendable {
  private let calls = UnsafeMutablePointer<TimedCalls>.allocate(capacity: 1)
  private let counts = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: TimeClass.count)

  init() {
    calls.initialize(to: TimedCalls())
    for place in 0..<TimeClass.count { (counts + place).initialize(to: Atomic(0)) }
  }

  func deallocate() {
    calls.deallocate()
    counts.deinitialize(count: TimeClass.count)
    counts.deallocate()
  }

  @inline(__always)
  func start() -> Int64? { calls.pointee.start() }

  /// Counts a call that took so many ns.
  func count(_ nanoseconds: Int64) {
    counts[TimeClass(nanoseconds: nanoseconds).place].wrappingAdd(1, ordering: .relaxed)
  }

  /// Any thread.
  var times: VoiceActivityTimes {
    VoiceActivityTimes(
      counts: (0..<TimeClass.count).map { counts[$0].load(ordering: .relaxed) })
  }
}
