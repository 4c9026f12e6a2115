/// Something that is due again and again, but never sooner than an interval after the last time.
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
    next = now + interval
    return true
  }
}
