/// Decides when a source gives no data: how long it may be silent follows from what it delivers.
///
/// Sound that was delivered stands for the time until more is due: a host that hands over a second at a time is next
/// heard from a second later, a microphone 10 ms later. So a source is overdue when all that it delivered could have been
/// played, and the limit has passed as well. What comes faster than real time, a file say, counts for 3 s at most, and a
/// lead that is never needed shrinks by a tenth of the time that passes.
///
/// A value without a clock.
struct DataWatch {
  /// The most sound that is credited, ns.
  static let longestLead: Int64 = 3_000_000_000

  private static let firstLead: Int64 = 2_000_000_000

  private let limit: Int64
  /// Sound that was delivered ahead of time, ns, as of `seenAt`.
  private var lead: Int64 = 0
  private var seenAt: Int64

  /// - Parameters:
  ///   - limit: How late a source may be, ns.
  ///   - now: When it began, CLOCK_MONOTONIC, ns.
  init(limit: Int64, at now: Int64) {
    self.limit = limit
    seenAt = now
    begin(at: now)
  }

  /// Listening begins. A sound server may take 2 s to give its first sound.
  mutating func begin(at now: Int64) { (lead, seenAt) = (Self.firstLead, now) }

  /// Sound has come: `length` ns of it. What was lost does not count.
  mutating func came(_ length: Int64, at now: Int64) {
    let passed = min(max(0, now - seenAt), Self.longestLead)
    lead = min(max(0, lead - passed - passed / 10) + max(0, length), Self.longestLead)
    seenAt = now
  }

  /// When the source is overdue if nothing comes.
  var deadline: Int64 { seenAt + lead + limit }
}
