/// The means of a quantity over the last parts of time, all of the same length.
///
/// A value that lasts a millisecond counts for a millisecond. Memory and time per call are constant, however often the
/// quantity changes.
struct PartMeans {
  private let partLength: Int64
  /// The means of the past parts, as a ring. `head` is the place of the oldest one.
  private var ring: [Int]
  private var head = 0
  /// The start of the present part, whose mean is not in the ring; nil before the first value.
  private var start: Timestamp?
  /// The integral over the present part up to `at`: value × microseconds.
  private var sum = 0.0
  private var at = Timestamp.zero
  private(set) var latest = 0
  /// Scratch memory of ``quantile(_:of:over:at:)``, always of the same length.
  private var sorted: [Int]

  /// `partLength` is in microseconds. With 0, the latest value is all that counts.
  init(count: Int, partLength: Int64) {
    self.partLength = partLength
    ring = Array(repeating: 0, count: count)
    sorted = ring
  }

  /// Discards the past; the next value counts as if it had always held.
  mutating func forget() { start = nil }

  /// Records a value that holds from now on.
  mutating func record(_ value: Int, at now: Timestamp) {
    advance(to: now)
    latest = value
    if start == nil { fill(at: now) }
  }

  /// Returns the quantile `part / parts` of the last `count` means.
  mutating func quantile(_ part: Int, of parts: Int, over count: Int, at now: Timestamp) -> Int {
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

  /// Whether any mean is below the latest value.
  var isBelowLatest: Bool {
    guard partLength > 0, start != nil else { return false }
    return ring.contains { $0 < latest }
  }

  /// Returns the mean of the part that is `back` before the present one.
  private func past(_ back: Int) -> Int {
    ring[back <= head ? head - back : head - back + ring.count]
  }

  /// Extends the past to `now`; until the next value, the latest one holds.
  private mutating func advance(to now: Timestamp) {
    guard partLength > 0, let begin = start, now != at else { return }
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
