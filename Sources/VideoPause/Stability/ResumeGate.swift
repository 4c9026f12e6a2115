/// Keeps one stream from being resumed too soon and too often.
///
/// A resume forced by opting out of pauses ignores the gate, but counts like any other. Otherwise at most `resumeLimit`
/// resumes lie in any period, therefore at most one pause more, therefore at most `2 * resumeLimit + 1` toggles.
///
/// The first stream in rank passes the gate. A stream gives way to another only if it ``canReturn(at:_:)``. So changes
/// of rank cause no more toggles than that either, and a stream that gave way may come back as soon as there is room.
/// The limits hold for all inputs except a new pin of the subscriber's own, which clears the history.
struct ResumeGate {
  /// The times of both rings.
  private var times: [Timestamp]
  private var resumes: Ring
  /// The toggles that no shortage forced.
  private var toggles: Ring
  private(set) var lastPause: Timestamp?
  /// Whether that pause was for another stream, and not for lack of room.
  private var gaveWay = false

  init(resumeLimit: Int) {
    resumes = Ring(start: 0, count: resumeLimit)
    toggles = Ring(start: resumeLimit, count: 2 * resumeLimit + 1)
    times = Array(repeating: .distantPast, count: 3 * resumeLimit + 1)
  }

  /// Whether another resume now would be one too many.
  func isShut(at now: Timestamp, _ timing: Timing) -> Bool {
    times[resumes.oldest].isWithin(timing.gatePeriod, before: now)
  }

  /// Whether the last pause has not lasted yet as long as a pause should.
  func isHeld(at now: Timestamp, _ timing: Timing) -> Bool {
    lastPause.map { now.microseconds(since: $0) < timing.holdOff } ?? false
  }

  /// Returns when the gate will be less shut than now; nil if it is open.
  func opens(at now: Timestamp, _ timing: Timing) -> Timestamp? {
    .earliest(
      isShut(at: now, timing)
        ? times[resumes.oldest].advanced(byMicroseconds: timing.gatePeriod) : nil,
      isHeld(at: now, timing) ? lastPause?.advanced(byMicroseconds: timing.holdOff) : nil)
  }

  /// Whether the stream may toggle twice more without need: to give way, and to come back from that.
  func canReturn(at now: Timestamp, _ timing: Timing) -> Bool {
    !times[toggles.next].isWithin(timing.gatePeriod, before: now)
  }

  mutating func notePause(at now: Timestamp, givesWay: Bool) {
    (lastPause, gaveWay) = (now, givesWay)
    if givesWay { toggles.note(now, in: &times) }
  }

  mutating func noteResume(at now: Timestamp, _ timing: Timing) {
    if gaveWay || !isShut(at: now, timing) { toggles.note(now, in: &times) }
    resumes.note(now, in: &times)
  }

  /// Clears the history because the subscriber asks for this very stream now.
  mutating func forget() {
    for place in times.indices { times[place] = .distantPast }
    (lastPause, gaveWay) = (nil, false)
  }
}

/// The last few times of an event: a part of an array, used as a ring.
private struct Ring {
  /// The place of the oldest time.
  @Narrow<Int16> private(set) var oldest: Int
  @Narrow<Int16> private var start: Int
  @Narrow<Int16> private var count: Int

  /// The place of the oldest but one.
  var next: Int { start + (oldest - start + 1) % count }

  init(start: Int, count: Int) {
    self.start = start
    self.count = count
    oldest = start
  }

  mutating func note(_ now: Timestamp, in times: inout [Timestamp]) {
    times[oldest] = now
    oldest = next
  }
}

extension Timestamp {
  /// Before all others: the time of what never happened.
  fileprivate static var distantPast: Timestamp { Timestamp(microseconds: .min) }

  /// Whether this happened less than `period` before `now`.
  fileprivate func isWithin(_ period: Int64, before now: Timestamp) -> Bool {
    // A host's clock may begin that early, too.
    self != .distantPast && now.microseconds(since: self) < period
  }
}
