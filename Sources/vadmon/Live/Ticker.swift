/// Something that is due again and again, at intervals; times that were missed are left out.
struct Ticker {
  typealias Instant = ContinuousClock.Instant

  let interval: Duration
  private(set) var next: Instant

  init(every interval: Duration, from start: Instant) {
    self.interval = interval
    next = start
  }

  mutating func isDue(at now: Instant) -> Bool {
    guard now >= next else { return false }
    next += interval
    if next <= now { next = now + interval }
    return true
  }

  /// What was due is not there yet: asks again soon.
  mutating func postpone(to now: Instant) { next = now + interval / 4 }
}
