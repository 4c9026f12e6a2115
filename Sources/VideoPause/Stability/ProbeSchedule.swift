/// Decides when to probe for more bandwidth, and how far.
///
/// A probe without result makes the next interval longer by half; sending more resets the interval. A probe is
/// a success if the estimate then rises by half of the step that it tried: the next one follows at once and reaches
/// farther, so that a few probes show how wide a path has become.
struct ProbeSchedule {
  /// What a probe starts from and what it is for, in bits per second.
  struct Rates {
    /// The video that is sent.
    var sent: Int
    /// What is reserved for audio and other traffic.
    var reserve: Int
    /// The video that would be sent if there were enough.
    var wanted: Int
    /// The video that the estimate permits.
    var available: Int
  }

  private let first, longest, longestPinned: Int64
  private let minimumStep: Int
  private var interval: Int64
  private(set) var notBefore: Timestamp?
  /// The video that was sent when the probe was planned, and the least that was available since.
  private var sent = 0, available = 0
  /// The video that was available when the probe was due, and the video that it tried.
  private var before = 0, tried = 0
  /// Whether the last probe was a success.
  private(set) var isRising = false

  /// How long a probe takes to show in the estimate, in microseconds: at least, and at most.
  private static let earliestResult: Int64 = 200_000, resultDelay: Int64 = 1_000_000
  /// How soon a probe follows a success, in microseconds.
  private static let restAfterSuccess: Int64 = 100_000

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
  /// video again as the estimate permits if so much is wanted; after a success, twice as much.
  mutating func goal(
    at now: Timestamp, cheapestStep: Int?, isPinnedPaused: Bool, _ rates: Rates
  ) -> ProbeGoal? {
    guard let cheapestStep else {
      (notBefore, isRising) = (nil, false)
      return nil
    }
    let time = plan(at: now, rates, limit: isPinnedPaused ? longestPinned : longest)
    let step = max(cheapestStep + cheapestStep / 5, minimumStep)
    let bold = min(available + (isRising ? available : available / 2), rates.wanted)
    let video = max(rates.sent + step, bold)
    if now <= time { tried = video }
    return ProbeGoal(bitrate: video + rates.reserve, notBefore: time)
  }

  /// The time at which an unsuccessful probe is planned anew.
  var nextPlan: Timestamp? { notBefore?.advanced(byMicroseconds: Self.resultDelay) }

  private mutating func plan(at now: Timestamp, _ rates: Rates, limit: Int64) -> Timestamp {
    // A path that has become narrow is not probed as a wide one.
    available = min(available, rates.available)
    let isMore = rates.sent > sent
    if isMore { interval = first }
    guard let due = notBefore else {
      interval = first
      return schedule(at: now, rates)
    }
    let age = now.microseconds(since: due)
    if age <= 0 { before = rates.available }
    let isSuccess = tried > before && 2 * rates.available >= before + tried
    if age >= Self.earliestResult, isSuccess {
      interval = first
      return schedule(at: now, rates, isRising: true)
    }
    if age >= Self.resultDelay {
      if !isMore { interval = min(limit, max(interval + interval / 2, interval + 1)) }
      return schedule(at: now, rates)
    }
    let latest = now.advanced(byMicroseconds: min(interval, limit))
    notBefore = min(due, latest)
    return min(due, latest)
  }

  private mutating func schedule(
    at now: Timestamp, _ rates: Rates, isRising: Bool = false
  ) -> Timestamp {
    let time = now.advanced(byMicroseconds: isRising ? Self.restAfterSuccess : interval)
    notBefore = time
    (sent, available, before) = (rates.sent, rates.available, rates.available)
    self.isRising = isRising
    return time
  }
}
