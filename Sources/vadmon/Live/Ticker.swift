/// An action that is due at regular intervals. Missed times are skipped.
struct Ticker {
  typealias Instant = ContinuousClock.Instant

  let interval: Duration
  private(set) var next: Instant

  init(every interval: Duration, from start: Instant) {
    self.interval = interval
    next = start
  }

  /// Returns whether the action is due. If it is, the next time follows.
  mutating func takeIfDue(at now: Instant) -> Bool {
    guard now >= next else { return false }
    next += interval
    if next <= now { next = now + interval }
    return true
  }

  /// Makes the action due again soon, because its data is not available yet.
  mutating func postpone(to now: Instant) { next = now + interval / 4 }
}
