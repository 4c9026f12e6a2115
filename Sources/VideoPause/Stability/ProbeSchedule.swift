/// Decides when to probe for more bandwidth, and how far.
///
/// A probe without result makes the next interval longer by half; sending more resets the interval.
struct ProbeSchedule {
  /// What a probe starts from and what it is for, in bits per second.
  struct Rates {
    /// The video that is sent.
    var sent: Int
    /// What is reserved for audio and other traffic.
    var reserve: Int
    /// The video that would be sent if there were enough.
    var wanted: Int
    var estimate: Int
  }

  private let first, longest, longestPinned: Int64
  private let minimumStep: Int
  private var interval: Int64
  private(set) var notBefore: Timestamp?
  /// The rate that was sent and the estimate when the probe was planned.
  private var sent = 0, estimate = 0

  /// How long a probe takes to show in the estimate, in microseconds: at least, and at most.
  private static let earliestResult: Int64 = 200_000, resultDelay: Int64 = 1_000_000

  init(_ configuration: VideoPauseConfiguration) {
    first = configuration.probeInterval.wholeMicroseconds
    longest = configuration.maximumProbeInterval.wholeMicroseconds
    longestPinned = configuration.maximumPinnedProbeInterval.wholeMicroseconds
    minimumStep = configuration.minimumProbeStep
    interval = first
  }

  /// Returns the present goal, or nil if no stream lacks anything.
  ///
  /// It is enough for the cheapest missing layer, which costs `cheapestStep` bits per second more, and half as much
  /// again as the estimate if so much is wanted.
  mutating func goal(
    at now: Timestamp, cheapestStep: Int?, isPinnedPaused: Bool, _ rates: Rates
  ) -> ProbeGoal? {
    guard let cheapestStep else {
      notBefore = nil
      return nil
    }
    let time = plan(at: now, rates, limit: isPinnedPaused ? longestPinned : longest)
    let step = max(cheapestStep + cheapestStep / 5, minimumStep)
    let bold = min(estimate + estimate / 2, rates.wanted + rates.reserve)
    return ProbeGoal(bitrate: max(rates.sent + rates.reserve + step, bold), notBefore: time)
  }

  /// The time at which an unsuccessful probe is planned anew.
  var nextPlan: Timestamp? { notBefore?.advanced(byMicroseconds: Self.resultDelay) }

  private mutating func plan(at now: Timestamp, _ rates: Rates, limit: Int64) -> Timestamp {
    // A path that has become narrow is not probed as a wide one.
    estimate = min(estimate, rates.estimate)
    let isMore = rates.sent > sent
    if isMore { interval = first }
    guard let planned = notBefore else {
      interval = first
      return schedule(at: now, rates)
    }
    let age = now.microseconds(since: planned)
    if age >= Self.resultDelay || isMore && age >= Self.earliestResult {
      if !isMore { interval = min(limit, interval + interval / 2) }
      return schedule(at: now, rates)
    }
    let latest = now.advanced(byMicroseconds: min(interval, limit))
    notBefore = min(planned, latest)
    return min(planned, latest)
  }

  private mutating func schedule(at now: Timestamp, _ rates: Rates) -> Timestamp {
    let time = now.advanced(byMicroseconds: interval)
    notBefore = time
    (sent, estimate) = (rates.sent, rates.estimate)
    return time
  }
}
