/// A histogram of how long calls of `process` took, their closures included. It only grows.
///
/// One call in 17 is timed, so that timing costs next to nothing. Because 17 is prime, the sample covers every kind of
/// call even where only some of them, say every second one, complete a hop. A stream's share of a
/// ``VoiceActivityBatch/process(onEvent:)`` is the time of the call divided by the number of streams in it.
///
/// Each doubling of the time has four classes, so a time is known to within an eighth.
public struct VoiceActivityTimes: Sendable, Hashable {
  /// Counts by class; empty while nothing has been timed.
  private var counts: [UInt64]

  /// Creates an empty histogram.
  public init() { counts = [] }

  init(counts: [UInt64]) { self.counts = counts.contains { $0 > 0 } ? counts : [] }

  /// The number of calls that were timed.
  public var count: UInt64 { counts.reduce(0, +) }

  /// The lengths that occurred, shortest first, and the number of calls of each.
  public var lengths: [(length: Duration, count: UInt64)] {
    counts.enumerated().filter { $0.element > 0 }.map { place, count in
      (.nanoseconds(TimeClass(place: place).middle), count)
    }
  }

  /// Adds the counts of another histogram.
  public static func += (a: inout Self, b: Self) {
    guard !b.counts.isEmpty else { return }
    if a.counts.isEmpty {
      a = b
      return
    }
    for place in b.counts.indices { a.counts[place] += b.counts[place] }
  }

  /// Returns what was added since `old`. A count that is lower than before yields 0.
  public func growth(since old: Self) -> Self {
    guard !old.counts.isEmpty, !counts.isEmpty else { return self }
    return Self(counts: zip(counts, old.counts).map { $0 - min($0, $1) })
  }
}

/// A class of the histogram: a quarter of a doubling, between a quarter of a microsecond and four seconds.
struct TimeClass {
  /// 2^8 ns, 256 ns: shorter times go to the first class.
  private static let lowestDoubling = 8
  /// 2^32 ns, 4.3 s: longer times go to the last class.
  private static let endDoubling = 32
  static let count = 4 * (endDoubling - lowestDoubling)

  let place: Int

  init(place: Int) { self.place = place }

  init(nanoseconds: Int64) {
    let time = UInt64(max(1, nanoseconds))
    let doubling = 63 - time.leadingZeroBitCount
    // The two bits below the highest.
    let quarter = Int((time << 2) >> doubling) & 3
    let place = 4 * (doubling - Self.lowestDoubling) + quarter
    self.place = min(max(place, 0), Self.count - 1)
  }

  /// The middle of the class in ns.
  var middle: Int64 {
    let quarter = Int64(1) << (place / 4 + Self.lowestDoubling - 2)
    return (4 + Int64(place % 4)) * quarter + quarter / 2
  }
}
