/// Keeps one stream from being resumed too often.
///
/// A resume that opting out forces is not asked for, and counts like any other.
///
/// At most `resumeLimit` resumes lie in any period, hence at most one pause more, hence `2 * resumeLimit + 1` toggles,
/// whatever the inputs are.
struct StreamGate {
  /// Paused for bandwidth and not forwarded since: also while the stream is hidden or muted meanwhile.
  private(set) var isPaused = false
  /// The last resumes, a ring; nil where there was none.
  private var resumes: [Timestamp?]
  private var oldest = 0

  init(resumeLimit: Int) { resumes = Array(repeating: nil, count: resumeLimit) }

  /// When the next resume is allowed; nil: now.
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

  /// Somebody wants this very stream now: what was is forgotten.
  mutating func forgetResumes() {
    for place in resumes.indices { resumes[place] = nil }
  }
}

/// After a pause for want of bandwidth keeps a subscriber from resuming anything by sending more, longer each time
/// that the last resume proves to have been too early.
struct HoldOff {
  private var length: Int64 = 0
  private(set) var ends: Timestamp?
  private var lastResume: Timestamp?

  func isClosed(at now: Timestamp) -> Bool { ends.map { now < $0 } ?? false }

  /// How much longer than usual something must have been carried before it is sent, in microseconds: while resumes prove to
  /// be too early, by as much as the hold-off has grown.
  func doubt(at now: Timestamp, _ timing: Timing) -> Int64 {
    guard let ends, now.microseconds(since: ends) < timing.gatePeriod else { return 0 }
    return max(0, length - timing.holdOff)
  }

  mutating func resumed(at now: Timestamp) { lastResume = now }

  /// A drop that comes in steps is one mistake, not several: only a pause that undoes a resume doubles.
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
