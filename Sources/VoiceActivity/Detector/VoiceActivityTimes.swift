/// How long calls of `process` took, what their closures did included: a histogram that only grows.
///
/// Of the calls one in 17 is timed, so that timing costs a call next to nothing. 17 is a prime: every kind of call is met
/// where only some of them, say every second one, complete a hop. A stream's share of a
/// ``VoiceActivityBatch/process(onEvent:)`` is the call's time divided by the streams that it was for.
///
/// Each doubling of the time has four classes, so that a time is known to an eighth.
public struct VoiceActivityTimes: Sendable, Hashable {
  /// By class; empty while nothing has been timed.
  private var counts: [UInt64]

  /// Nothing yet.
  public init() { counts = [] }

  init(counts: [UInt64]) { self.counts = counts.contains { $0 > 0 } ? counts : [] }

  /// Calls that were timed.
  public var count: UInt64 { counts.reduce(0, +) }

  /// Each length that some calls had, the shortest first, and how many had it.
  public var lengths: [(length: Duration, count: UInt64)] {
    counts.enumerated().filter { $0.element > 0 }.map { place, count in
      (.nanoseconds(TimeClass(place: place).middle), count)
    }
  }

  /// Adds what another has counted.
  public static func += (a: inout Self, b: Self) {
    guard !b.counts.isEmpty else { return }
    if a.counts.isEmpty {
      a = b
      return
    }
    for place in b.counts.indices { a.counts[place] += b.counts[place] }
  }

  /// What has come since. A count that seems to fall has not grown.
  public func growth(since old: Self) -> Self {
    guard !old.counts.isEmpty, !counts.isEmpty else { return self }
    return Self(counts: zip(counts, old.counts).map { $0 - min($0, $1) })
  }
}

/// A quarter of a doubling, between a quarter of a microsecond and four seconds.
struct TimeClass {
  /// 256 ns: less is in the first class.
  private static let lowestDoubling = 8
  /// 2^32 ns, 4.3 s: more is in the last one.
  private static let endDoubling = 32
  static let count = 4 * (endDoubling - lowestDoubling)

  let place: Int

  init(place: Int) { self.place = place }

  init(nanoseconds: Int64) {
    let time = UInt64(max(1, nanoseconds))
    let doubling = 63 - time.leadingZeroBitCount
    // The two bits behind the highest.
    let quarter = Int((time << 2) >> doubling) & 3
    let place = 4 * (doubling - Self.lowestDoubling) + quarter
    self.place = min(max(place, 0), Self.count - 1)
  }

  /// Nanoseconds.
  var middle: Int64 {
    let quarter = Int64(1) << (place / 4 + Self.lowestDoubling - 2)
    return (4 + Int64(place % 4)) * quarter + quarter / 2
  }
}
