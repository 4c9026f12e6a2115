/// Keeps one stream from being resumed too often.
///
/// A resume forced by opting out of pauses ignores the gate, but counts like any other. Otherwise at most `resumeLimit`
/// resumes lie in any period, therefore at most one pause more, therefore at most `2 * resumeLimit + 1` toggles. The
/// limit holds for all inputs except a new pin of the subscriber's own, which clears the history.
struct StreamGate {
  /// Whether the stream was paused for bandwidth and not forwarded since, even if it was hidden or muted in the
  /// meantime.
  private(set) var isPaused = false
  /// The times of the last resumes, as a ring; nil where there was none.
  private var resumes: [Timestamp?]
  private var oldest = 0

  init(resumeLimit: Int) { resumes = Array(repeating: nil, count: resumeLimit) }

  /// Returns when the next resume is allowed; nil if it is allowed now.
  func shutUntil(at now: Timestamp, period: Int64) -> Timestamp? {
    guard isPaused, let resume = resumes[oldest] else { return nil }
    let end = resume.advanced(byMicroseconds: period)
    return end > now ? end : nil
  }

  mutating func pause() { isPaused = true }

  mutating func resume(at now: Timestamp) {
    guard isPaused else { return }
    isPaused = false
    resumes[oldest] = now
    oldest = (oldest + 1) % resumes.count
  }

  /// Clears the history because the subscriber asks for this very stream now.
  mutating func forgetResumes() {
    for place in resumes.indices { resumes[place] = nil }
  }
}

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

/// The configuration's durations in microseconds, converted once.
struct Timing {
  let decisionInterval, holdOff, maximumHoldOff, gatePeriod, lockTimeout, hiddenGrace: Int64

  init(_ configuration: VideoPauseConfiguration) {
    decisionInterval = configuration.decisionInterval.wholeMicroseconds
    holdOff = configuration.holdOff.wholeMicroseconds
    maximumHoldOff = configuration.maximumHoldOff.wholeMicroseconds
    gatePeriod = configuration.gatePeriod.wholeMicroseconds
    lockTimeout = configuration.lockTimeout.wholeMicroseconds
    hiddenGrace = configuration.hiddenGrace.wholeMicroseconds
  }
}
