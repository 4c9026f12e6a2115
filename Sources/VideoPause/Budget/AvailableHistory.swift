/// What was available for video during the last seconds, in parts of a twentieth of the evidence window.
///
/// Each part keeps the mean over its time, so a sample that lasts a millisecond counts for a millisecond. Memory and
/// time per call are constant, however often the estimate arrives.
struct AvailableHistory {
  /// How many parts the evidence for one more picture takes, the evidence for larger pictures, and the usual rate.
  private static let evidence = 20, recent = 5, usual = 80

  private let partLength: Int64
  /// The means of the past parts, as a ring. `head` is the place of the present part, whose mean is not in it.
  private var ring: [Int]
  private var head = 0
  /// The start of the present part; nil before the first value.
  private var start: Timestamp?
  /// The integral over the present part up to `at`: bits per second × microseconds.
  private var sum = 0.0
  private var at = Timestamp.zero
  private var latest = 0
  /// Scratch memory of ``quantile(_:of:over:at:)``, always of the same length.
  private var sorted: [Int]

  init(_ configuration: VideoPauseConfiguration) {
    partLength = configuration.evidenceWindow.wholeMicroseconds / Int64(Self.evidence)
    ring = Array(repeating: 0, count: Self.usual)
    sorted = ring
  }

  /// Discards the history; the next value counts as if it had always held.
  mutating func forget() { start = nil }

  /// Records a value that holds from now on.
  mutating func record(_ available: Int, at now: Timestamp) {
    advance(to: now)
    latest = available
    if start == nil { fill(at: now) }
  }

  /// The rate in bits per second that was available for four fifths of the evidence window: one bad part in five is no
  /// reason against a picture.
  mutating func mostly(at now: Timestamp) -> Int {
    quantile(1, of: 5, over: Self.evidence, at: now)
  }

  /// The median of the last quarter of the evidence window.
  mutating func recently(at now: Timestamp) -> Int {
    quantile(1, of: 2, over: Self.recent, at: now)
  }

  /// The median of the last four evidence windows.
  mutating func usually(at now: Timestamp) -> Int { quantile(1, of: 2, over: Self.usual, at: now) }

  /// Whether the evidence will rise if no new value arrives.
  var isSettling: Bool {
    guard partLength > 0, start != nil else { return false }
    return (1...Self.evidence).contains { past($0) < latest }
  }

  private mutating func quantile(
    _ part: Int, of parts: Int, over count: Int, at now: Timestamp
  ) -> Int {
    advance(to: now)
    guard partLength > 0, start != nil else { return latest }
    for back in 1...count {
      let value = past(back)
      var place = back - 1
      while place > 0, sorted[place - 1] > value {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = value
    }
    return sorted[(count - 1) * part / parts]
  }

  /// Returns the mean of the part that is `back` before the present one.
  private func past(_ back: Int) -> Int {
    ring[back <= head ? head - back : head - back + ring.count]
  }

  /// Extends the history to `now`; until the next value, the latest one holds.
  private mutating func advance(to now: Timestamp) {
    guard partLength > 0, let begin = start else { return }
    let elapsed = now.microseconds(since: begin)
    guard elapsed < Int64(ring.count) * partLength else { return fill(at: now) }
    if elapsed >= partLength {
      let rest = Double(partLength - at.microseconds(since: begin))
      close(Int((sum + rest * Double(latest)) / Double(partLength)))
      for _ in 1..<max(1, elapsed / partLength) { close(latest) }
      let new = begin.advanced(byMicroseconds: elapsed / partLength * partLength)
      (start, at, sum) = (new, new, 0)
    }
    sum += Double(now.microseconds(since: at)) * Double(latest)
    at = now
  }

  private mutating func close(_ mean: Int) {
    ring[head] = mean
    head = (head + 1) % ring.count
  }

  private mutating func fill(at now: Timestamp) {
    for place in ring.indices { ring[place] = latest }
    (start, at, sum) = (now, now, 0)
  }
}
