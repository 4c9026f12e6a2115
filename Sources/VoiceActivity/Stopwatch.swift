internal import RealTime
internal import Synchronization

/// Picks the calls to time.
struct TimedCalls: BitwiseCopyable {
  /// One call in 17 is timed; ``VoiceActivityTimes`` gives the reason.
  private static let stride = 17
  private var untilNext = 0

  /// Returns the time in ns if this call is to be timed, otherwise `nil`.
  @inline(__always)
  mutating func start() -> Int64? {
    untilNext -= 1
    guard untilNext < 0 else { return nil }
    untilNext = Self.stride - 1
    return monotonicTime()
  }
}

/// Times one detector's calls. The thread that analyses starts and counts; any thread reads ``times``.
///
/// It uses bare memory instead of a class, so that the analysis does not count references. `@unchecked Sendable` is
/// safe because only the analysis touches `calls`, the counts are atomics, and ``DetectorCore`` calls ``deallocate()``
/// when nobody else can hold it. Relaxed order is enough, because no other memory depends on a count.
struct Stopwatch: @unchecked Sendable {
  /// Both are valid until ``DetectorCore``, their only owner, calls ``deallocate()`` in its `deinit`.
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

  /// Counts a call that took `nanoseconds`.
  func count(_ nanoseconds: Int64) {
    counts[TimeClass(nanoseconds: nanoseconds).place].wrappingAdd(1, ordering: .relaxed)
  }

  /// The calls counted so far. Any thread may read them.
  var times: VoiceActivityTimes {
    VoiceActivityTimes(
      counts: (0..<TimeClass.count).map { counts[$0].load(ordering: .relaxed) })
  }
}
