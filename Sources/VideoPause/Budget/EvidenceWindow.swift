/// The rate that the path would have carried during the last seconds: the highest rate that could have been sent all
/// that time without ``Shortfall`` believing it to be too much. Sending more than that is not worth starting.
///
/// Time is divided into tenths of the window, and each keeps only its mean and its minimum. Memory and time per call
/// are constant, however often the estimate arrives. A query looks back between 1 and 1.1 windows, or up to eight
/// windows if the caller asks for more evidence.
struct EvidenceWindow {
  private struct Part {
    /// The integral of the available rate: bits per second × microseconds.
    var sum = 0.0
    /// The lowest available rate in bits per second.
    var least = Int.max
  }

  private static let parts = 10, mostParts = 80
  private let partLength: Int64
  /// The tolerated queue, in microseconds.
  private let toleratedQueue: Double
  private let emergencyShare: Double
  /// The present part, at `head`, and the parts before it.
  private var ring: [Part]
  private var head = 0
  /// The number of the present part; nil before the first value.
  private var present: Int64?
  /// The time up to which the present part is complete.
  private var at = Timestamp.zero
  private var latest = 0

  init(_ configuration: VideoPauseConfiguration) {
    partLength = configuration.evidenceWindow.wholeMicroseconds / Int64(Self.parts)
    toleratedQueue = Double(configuration.toleratedQueue.wholeMicroseconds)
    emergencyShare = 1 - configuration.emergencyShortfall
    ring = Array(repeating: Part(), count: Self.mostParts + 1)
  }

  /// Discards the history; the next value starts a new one.
  mutating func forget() { present = nil }

  mutating func record(_ available: Int, at now: Timestamp) {
    advance(to: now)
    latest = available
    if present == nil { fill(at: now) }
    ring[head].least = min(ring[head].least, available)
  }

  /// Returns the rate that the path would have carried, in bits per second. `more` extends the look-back beyond the
  /// window, in microseconds.
  mutating func carried(at now: Timestamp, more: Int64 = 0) -> Int {
    advance(to: now)
    guard partLength > 0, present != nil else { return latest }
    var result = Double(VideoPauseLimits.maximumBitrate)
    for last in 0...lookBack(more) {
      result = min(result, Double(part(last).least) / emergencyShare, fillsQueue(last, more))
    }
    return Int(result)
  }

  /// Returns the rate that would have filled the tolerated queue by the end of the part `last` before the present one:
  /// the minimum over all parts in which the queue may have begun.
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

  /// Returns how many parts before the present one count.
  private func lookBack(_ more: Int64) -> Int {
    Self.parts + Int(min(more / partLength, Int64(Self.mostParts - Self.parts)))
  }

  /// Returns whether the result will rise if no new value arrives.
  func isSettling(more: Int64 = 0) -> Bool {
    guard partLength > 0, present != nil else { return false }
    return (0...lookBack(more)).contains { part($0).least < latest }
  }

  /// Returns the part that is `back` before the present one.
  private func part(_ back: Int) -> Part {
    ring[back <= head ? head - back : head - back + ring.count]
  }

  /// The microseconds elapsed of the present part. The start of a part may lie before the earliest representable
  /// moment, hence the wrapping operators.
  private var elapsed: Double { Double(at.microseconds &- (present ?? 0) &* partLength) }

  /// Extends the history to `now`; until the next value, the latest one holds.
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

  /// A part during which the latest value held throughout.
  private var full: Part { Part(sum: Double(partLength) * Double(latest), least: latest) }

  /// Returns the number of the part that contains `time`, rounding down also before the clock's origin.
  private func number(of time: Timestamp) -> Int64 {
    let (quotient, remainder) = time.microseconds.quotientAndRemainder(dividingBy: partLength)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
