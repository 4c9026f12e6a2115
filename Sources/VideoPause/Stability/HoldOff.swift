/// Keeps a subscriber, after a pause for bandwidth, from resuming anything by sending more.
///
/// The hold-off grows each time that the last resume proves premature.
struct HoldOff {
  private var length: Int64 = 0
  private(set) var ends: Timestamp?
  private var lastResume: Timestamp?

  func isClosed(at now: Timestamp) -> Bool { ends.map { now < $0 } ?? false }

  /// Returns how much longer than usual a rate must have been carried before it is sent, in microseconds: while resumes
  /// prove premature, as much as the hold-off has grown.
  func doubt(at now: Timestamp, _ timing: Timing) -> Int64 {
    guard let ends, now.microseconds(since: ends) < timing.gatePeriod else { return 0 }
    return max(0, length - timing.holdOff)
  }

  mutating func resumed(at now: Timestamp) { lastResume = now }

  /// Starts or extends the hold-off. A drop that comes in steps is one mistake, not several, so only a pause that
  /// undoes a resume doubles the length.
  mutating func paused(at now: Timestamp, _ timing: Timing) {
    let undoesResume = lastResume.map { now.microseconds(since: $0) < timing.gatePeriod } ?? false
    let isLongAgo = ends.map { now.microseconds(since: $0) > timing.gatePeriod } ?? true
    if undoesResume {
      length = min(timing.maximumHoldOff, max(timing.holdOff, 2 * length))
    } else if isLongAgo {
      length = timing.holdOff
    }
    lastResume = nil
    ends = now.advanced(byMicroseconds: length)
  }
}
