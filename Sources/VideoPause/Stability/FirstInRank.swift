/// Which stream is the first, and since when.
///
/// The first stream is the last one to be paused and the first one to come back, however often it was resumed before.
/// It has to have been the first for a while, or else speakers in turn would evade the gates.
struct FirstInRank {
  /// How long a stream has to be the first, in microseconds, unless it was when it was paused.
  private static let tenure: Int64 = 1_500_000

  private var id: StreamID?
  private var since = Timestamp.zero

  mutating func observe(_ first: StreamID?, at now: Timestamp) {
    if first != id { (id, since) = (first, now) }
  }

  /// Whether the first stream, whose last pause is given, may be shown now, however often it was resumed.
  func mayClaim(pausedAt lastPause: Timestamp?, at now: Timestamp) -> Bool {
    let wasFirst = lastPause.map { $0 >= since } ?? false
    return wasFirst || now.microseconds(since: since) >= Self.tenure
  }
}
