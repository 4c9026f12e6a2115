/// Keeps one stream from being resumed too soon and too often.
///
/// A resume forced by opting out of pauses ignores the gate, but counts like any other. Otherwise at most `resumeLimit`
/// resumes lie in any period, therefore at most one pause more, therefore at most `2 * resumeLimit + 1` toggles. The
/// limit holds for all inputs except a new pin of the subscriber's own, which clears the history.
struct ResumeGate {
  /// The times of the last resumes, as a ring; nil where there was none.
  private var resumes: [Timestamp?]
  private var oldest = 0
  private(set) var lastPause: Timestamp?

  init(resumeLimit: Int) { resumes = Array(repeating: nil, count: resumeLimit) }

  /// Whether another resume now would be one too many.
  func isShut(at now: Timestamp, _ timing: Timing) -> Bool {
    resumes[oldest].map { now.microseconds(since: $0) < timing.gatePeriod } ?? false
  }

  /// Whether the last pause has not lasted yet as long as a pause should.
  func isHeld(at now: Timestamp, _ timing: Timing) -> Bool {
    lastPause.map { now.microseconds(since: $0) < timing.holdOff } ?? false
  }

  /// Returns when the gate will be less shut than now; nil if it is open.
  func opens(at now: Timestamp, _ timing: Timing) -> Timestamp? {
    .earliest(
      isShut(at: now, timing) ? resumes[oldest]?.advanced(byMicroseconds: timing.gatePeriod) : nil,
      isHeld(at: now, timing) ? lastPause?.advanced(byMicroseconds: timing.holdOff) : nil)
  }

  mutating func notePause(at now: Timestamp) { lastPause = now }

  mutating func noteResume(at now: Timestamp) {
    resumes[oldest] = now
    oldest = (oldest + 1) % resumes.count
  }

  /// Clears the history because the subscriber asks for this very stream now.
  mutating func forget() {
    for place in resumes.indices { resumes[place] = nil }
    lastPause = nil
  }
}
