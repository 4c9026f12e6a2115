/// Keeps one stream from being resumed too often.
///
/// A resume forced by opting out of pauses ignores the gate, but counts like any other. Otherwise at most `resumeLimit`
/// resumes lie in any period, therefore at most one pause more, therefore at most `2 * resumeLimit + 1` toggles. The
/// limit holds for all inputs except a new pin of the subscriber's own, which clears the history.
struct ResumeGate {
  /// The times of the last resumes, as a ring; nil where there was none.
  private var resumes: [Timestamp?]
  private var oldest = 0

  init(resumeLimit: Int) { resumes = Array(repeating: nil, count: resumeLimit) }

  /// Returns when the next resume is allowed; nil if it is allowed now.
  func shutUntil(at now: Timestamp, period: Int64) -> Timestamp? {
    guard let resume = resumes[oldest] else { return nil }
    let end = resume.advanced(byMicroseconds: period)
    return end > now ? end : nil
  }

  mutating func noteResume(at now: Timestamp) {
    resumes[oldest] = now
    oldest = (oldest + 1) % resumes.count
  }

  /// Clears the history because the subscriber asks for this very stream now.
  mutating func forgetResumes() {
    for place in resumes.indices { resumes[place] = nil }
  }
}
