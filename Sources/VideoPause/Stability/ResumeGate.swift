/// Keeps one stream from being resumed too soon and too often.
///
/// A resume forced by opting out of pauses ignores the gate, but counts like any other. Otherwise at most `resumeLimit`
/// resumes lie in any period, therefore at most one pause more, therefore at most `2 * resumeLimit + 1` toggles.
///
/// The first stream in rank passes the gate. Where a shortage paused it, nothing else is asked. Where it gave way to
/// another stream, it may be resumed only as long as it ``mayToggle(at:_:)``, so that no change of rank is worth more
/// toggles than that. The limits hold for all inputs except a new pin of the subscriber's own, which clears the history.
struct ResumeGate {
  private var resumes: LastTimes
  /// The toggles that no shortage forced.
  private var toggles: LastTimes
  private(set) var lastPause: Timestamp?
  /// Whether that pause was for another stream, and not for lack of room.
  private(set) var gaveWay = false

  init(resumeLimit: Int) {
    resumes = LastTimes(count: resumeLimit)
    toggles = LastTimes(count: 2 * resumeLimit + 1)
  }

  /// Whether another resume now would be one too many.
  func isShut(at now: Timestamp, _ timing: Timing) -> Bool {
    resumes.areAll(within: timing.gatePeriod, of: now)
  }

  /// Whether the last pause has not lasted yet as long as a pause should.
  func isHeld(at now: Timestamp, _ timing: Timing) -> Bool {
    lastPause.map { now.microseconds(since: $0) < timing.holdOff } ?? false
  }

  /// Returns when the gate will be less shut than now; nil if it is open.
  func opens(at now: Timestamp, _ timing: Timing) -> Timestamp? {
    .earliest(
      isShut(at: now, timing) ? resumes.oldest?.advanced(byMicroseconds: timing.gatePeriod) : nil,
      isHeld(at: now, timing) ? lastPause?.advanced(byMicroseconds: timing.holdOff) : nil)
  }

  /// Whether the stream may toggle once more without need, to give way or to come back from that.
  func mayToggle(at now: Timestamp, _ timing: Timing) -> Bool {
    !toggles.areAll(within: timing.gatePeriod, of: now)
  }

  mutating func notePause(at now: Timestamp, givesWay: Bool) {
    (lastPause, gaveWay) = (now, givesWay)
    if givesWay { toggles.note(now) }
  }

  mutating func noteResume(at now: Timestamp, _ timing: Timing) {
    if gaveWay || !isShut(at: now, timing) { toggles.note(now) }
    resumes.note(now)
  }

  /// Clears the history because the subscriber asks for this very stream now.
  mutating func forget() {
    resumes.forget()
    toggles.forget()
    (lastPause, gaveWay) = (nil, false)
  }
}

/// The last few times of an event.
private struct LastTimes {
  /// A ring; nil where there was no event.
  private var times: [Timestamp?]
  private var head = 0

  init(count: Int) { times = Array(repeating: nil, count: count) }

  var oldest: Timestamp? { times[head] }

  /// Whether as many events as are kept lie less than `period` microseconds before `now`.
  func areAll(within period: Int64, of now: Timestamp) -> Bool {
    oldest.map { now.microseconds(since: $0) < period } ?? false
  }

  mutating func note(_ now: Timestamp) {
    times[head] = now
    head = (head + 1) % times.count
  }

  mutating func forget() {
    for place in times.indices { times[place] = nil }
  }
}
