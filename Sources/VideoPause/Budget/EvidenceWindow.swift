/// What the path would have carried during the last seconds: the most that could have been sent all that time without
/// ``Shortfall`` believing that it was too much. More than that is not worth beginning.
///
/// Time is cut into tenths of the window, of which only the mean and the least are kept: constant memory and time, however
/// often the estimate comes. Between one and 1.1 windows are looked back, or up to eight if more evidence is asked for.
struct EvidenceWindow {
  private struct Part {
    /// Bits per second × microseconds.
    var sum = 0.0
    /// Bits per second.
    var least = Int.max
  }

  private static let parts = 10, mostParts = 80
  private let partLength: Int64
  /// Microseconds.
  private let toleratedQueue: Double
  private let emergencyShare: Double
  /// The present part, at `head`, and those before it.
  private var ring: [Part]
  private var head = 0
  /// The present part's number.
  private var present: Int64?
  /// When it was last brought up to date.
  private var at = Timestamp.zero
  private var latest = 0

  init(_ configuration: VideoPauseConfiguration) {
    partLength = configuration.evidenceWindow.wholeMicroseconds / Int64(Self.parts)
    toleratedQueue = Double(configuration.toleratedQueue.wholeMicroseconds)
    emergencyShare = 1 - configuration.emergencyShortfall
    ring = Array(repeating: Part(), count: Self.mostParts + 1)
  }

  /// Begins anew with the next value.
  mutating func forget() { present = nil }

  mutating func record(_ available: Int, at now: Timestamp) {
    advance(to: now)
    latest = available
    if present == nil { fill(at: now) }
    ring[head].least = min(ring[head].least, available)
  }

  /// Bits per second. `more` is how much longer than the window to look back, in microseconds.
  mutating func carried(at now: Timestamp, more: Int64 = 0) -> Int {
    advance(to: now)
    guard partLength > 0, present != nil else { return latest }
    var result = Double(VideoPauseLimits.maximumBitrate)
    for last in 0...lookBack(more) {
      result = min(result, Double(part(last).least) / emergencyShare, fillsQueue(last, more))
    }
    return Int(result)
  }

  /// What would have filled the tolerated queue by the end of the part that is `last` before the present one: the least for
  /// any part with which the queue may have begun.
  private func fillsQueue(_ last: Int, _ more: Int64) -> Double {
    var (sum, time, queue, result) = (0.0, 0.0, 0.0, Double.infinity)
    for first in last...lookBack(more) {
      sum += part(first).sum
      time += first > 0 ? Double(partLength) : elapsed
      guard time > 0 else { return .infinity }
      if first == last { queue = toleratedQueue * sum / time }
      result = min(result, (sum + queue) / time)
    }
    return result
  }

  /// How many parts before the present one count.
  private func lookBack(_ more: Int64) -> Int {
    Self.parts + Int(min(more / partLength, Int64(Self.mostParts - Self.parts)))
  }

  /// The result will rise if nothing new comes.
  func isSettling(more: Int64 = 0) -> Bool {
    guard partLength > 0, present != nil else { return false }
    return (0...lookBack(more)).contains { part($0).least < latest }
  }

  /// The part that is `back` before the present one.
  private func part(_ back: Int) -> Part {
    ring[back <= head ? head - back : head - back + ring.count]
  }

  /// Microseconds of the present part. (Where a part begins may lie before the first moment there is, hence &.)
  private var elapsed: Double { Double(at.microseconds &- (present ?? 0) &* partLength) }

  /// Until the next value, the latest holds.
  private mutating func advance(to now: Timestamp) {
    guard partLength > 0, let old = present else { return }
    let new = number(of: now)
    let (passed, overflow) = new.subtractingReportingOverflow(old)
    if overflow || passed >= Int64(ring.count) { return fill(at: now) }
    let before = elapsed
    (present, at) = (new, now)
    if passed == 0 {
      ring[head].sum += (elapsed - before) * Double(latest)
      return
    }
    ring[head].sum += (Double(partLength) - before) * Double(latest)
    for _ in 0..<passed {
      head = (head + 1) % ring.count
      ring[head] = full
    }
    ring[head].sum = elapsed * Double(latest)
  }

  private mutating func fill(at now: Timestamp) {
    guard partLength > 0 else { return }
    for place in ring.indices { ring[place] = full }
    (present, at) = (number(of: now), now)
    ring[head].sum = elapsed * Double(latest)
  }

  /// A part during which the latest value held.
  private var full: Part { Part(sum: Double(partLength) * Double(latest), least: latest) }

  /// Division that rounds down, before the clock's origin too.
  private func number(of time: Timestamp) -> Int64 {
    let (quotient, remainder) = time.microseconds.quotientAndRemainder(dividingBy: partLength)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
