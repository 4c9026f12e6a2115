/// Decides when to probe for more bandwidth, and how far.
///
/// A probe without result makes the next interval longer by half; sending more resets the interval.
struct ProbeSchedule {
  private let first, longest, longestPinned: Int64
  private let minimumStep: Int
  private var interval: Int64
  private(set) var notBefore: Timestamp?
  /// The rate that was sent when the probe was planned.
  private var sent = 0

  /// How long a probe may take to show in the estimate, in microseconds.
  private static let resultDelay: Int64 = 1_000_000

  init(_ configuration: VideoPauseConfiguration) {
    first = configuration.probeInterval.wholeMicroseconds
    longest = configuration.maximumProbeInterval.wholeMicroseconds
    longestPinned = configuration.maximumPinnedProbeInterval.wholeMicroseconds
    minimumStep = configuration.minimumProbeStep
    interval = first
  }

  /// Returns the present goal, or nil if no stream lacks anything.
  ///
  /// `cheapestStep` is the additional cost of the cheapest missing layer, in bits per second.
  mutating func goal(
    at now: Timestamp, cheapestStep: Int?, isPinnedPaused: Bool, sent: Int, reserve: Int
  ) -> ProbeGoal? {
    guard let cheapestStep else {
      notBefore = nil
      return nil
    }
    let time = plan(at: now, sent: sent, limit: isPinnedPaused ? longestPinned : longest)
    let step = max(cheapestStep + cheapestStep / 5, minimumStep)
    return ProbeGoal(bitrate: sent + reserve + step, notBefore: time)
  }

  /// The time at which an unsuccessful probe is planned anew.
  var nextPlan: Timestamp? { notBefore?.advanced(byMicroseconds: Self.resultDelay) }

  private mutating func plan(at now: Timestamp, sent: Int, limit: Int64) -> Timestamp {
    defer { self.sent = sent }
    guard let planned = notBefore, sent <= self.sent else {
      interval = first
      return schedule(at: now)
    }
    if now.microseconds(since: planned) >= Self.resultDelay {
      interval = min(limit, interval + interval / 2)
      return schedule(at: now)
    }
    let latest = now.advanced(byMicroseconds: limit)
    notBefore = min(planned, latest)
    return min(planned, latest)
  }

  private mutating func schedule(at now: Timestamp) -> Timestamp {
    let time = now.advanced(byMicroseconds: interval)
    notBefore = time
    return time
  }
}
