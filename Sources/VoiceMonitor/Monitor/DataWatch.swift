/// Decides when a source is overdue. How long it may pause follows from what it delivers.
///
/// Each delivery covers as much time as its sound lasts: a host that delivers a second at a time is due again a second
/// later, a microphone 10 ms later. A source is overdue once everything it delivered could have been played and the
/// limit has passed as well. Sound that arrives faster than real time, as from a file, counts for at most 3 s, and an
/// unused lead shrinks by a tenth of the time that passes.
///
/// It is a value without a clock.
struct DataWatch {
  /// The most sound that counts, ns.
  static let longestLead: Int64 = 3_000_000_000

  private static let firstLead: Int64 = 2_000_000_000

  private let limit: Int64
  /// Sound delivered ahead of time, ns, as of `seenAt`.
  private var lead: Int64 = 0
  private var seenAt: Int64
  /// No sound has come since listening began. The patience with the first sound ends with it.
  private var waitsForFirst = true

  /// Creates a watch.
  ///
  /// - Parameters:
  ///   - limit: How late a source may be, ns.
  ///   - now: When the source began, CLOCK_MONOTONIC, ns.
  init(limit: Int64, at now: Int64) {
    self.limit = limit
    seenAt = now
    begin(at: now)
  }

  /// Restarts the watch when listening begins. A sound server may take 2 s to deliver its first sound.
  mutating func begin(at now: Int64) { (lead, seenAt, waitsForFirst) = (Self.firstLead, now, true) }

  /// Adds `length` ns of sound that arrived. Lost sound does not count.
  mutating func came(_ length: Int64, at now: Int64) {
    if waitsForFirst, length > 0 { (lead, waitsForFirst) = (0, false) }
    let passed = min(max(0, now - seenAt), Self.longestLead)
    lead = min(max(0, lead - passed - passed / 10) + max(0, length), Self.longestLead)
    seenAt = now
  }

  /// When the source becomes overdue if nothing more arrives, CLOCK_MONOTONIC, ns.
  var deadline: Int64 { seenAt + lead + limit }
}
