/// The queue that video would have built up at the bottleneck if the estimates were right, and how long it is borne.
///
/// It grows by what is sent beyond what is available, and drains by what is available beyond that. It is carried from
/// one decision to the next and never forgotten. Sizes follow the estimate at once, so what fills it are the smallest
/// pictures of the streams that are shown: the *essential* rate.
///
/// - In a **dip** at least a third of the essential rate fits, and a queue of `toleratedQueue` is borne, as long as it
///   takes at the present rate: the path may stay as narrow as it is.
/// - In an **outage** less fits, and a queue of `toleratedOutage` is borne, as long as it takes at the usual rate,
///   because most outages are short. No outage is borne for longer than that: audio waits in the same queue. The first
///   stream stays a quarter longer by its queue, for what it sends is little.
struct Backlog {
  /// How many estimates must show a shortage: one bad sample pauses nothing.
  private static let samples = 3
  /// How long a shortage must last, in seconds; with fewer estimates, as long as the second value.
  private static let shortest = 0.2, longest = 1.0
  /// How many times as long as the others the first stream is shown in an outage.
  private static let patienceForTheFirst = 1.25

  private let toleratedQueue, toleratedOutage: Double
  /// The length of the queue in millionths of a bit. Sums of integers are exact, so it does not depend on how often
  /// ``advance(to:sent:available:)`` is called.
  private var millionths: Int128 = 0
  /// The length of the queue, in bits.
  var bits: Double { Double(millionths) / 1e6 }
  private var at = Timestamp.zero
  /// When the shortage began, and how many estimates have shown it since.
  private var shortSince: Timestamp?
  /// When the outage began.
  private var outSince: Timestamp?
  private var estimates = 0

  init(_ configuration: VideoPauseConfiguration) {
    toleratedQueue = Double(configuration.toleratedQueue.wholeMicroseconds) / 1e6
    toleratedOutage = Double(configuration.toleratedOutage.wholeMicroseconds) / 1e6
  }

  /// Begins with an empty queue.
  mutating func begin(at now: Timestamp) { at = now }

  /// Accounts for the time since the last call, during which both rates held.
  mutating func advance(to now: Timestamp, sent: Int, available: Int) {
    let last = at
    at = now
    let added = Int128(sent - available) * Int128(now.microseconds(since: last))
    millionths = max(0, millionths + added)
  }

  /// Takes in a new rate. A shortage lasts until the queue is empty.
  mutating func observe(essential: Int, available: Int, isEstimate: Bool) {
    if essential > available {
      shortSince = shortSince ?? at
      estimates += isEstimate ? 1 : 0
    } else if millionths == 0 {
      (shortSince, estimates) = (nil, 0)
    }
    outSince = isOutage(essential, available) ? outSince ?? at : nil
  }

  private func isOutage(_ essential: Int, _ available: Int) -> Bool { essential > 3 * available }

  private func seconds(since start: Timestamp) -> Double {
    Double(at.microseconds(since: start)) / 1e6
  }

  enum Verdict: Comparable {
    /// What is shown may stay.
    case borne
    /// What is shown has to fit, except the first stream.
    case full
    /// What is shown has to fit.
    case spent
  }

  /// Judges the queue. After an outage it will drain at the `usual` rate, or at the present one if that is higher.
  ///
  /// `first` is the rate of the smallest picture of the first stream that is shown. A queue that this picture alone
  /// would not fill is not spent, even if less is usual, so that a path that fails again and again does not take the
  /// picture away each time.
  func verdict(essential: Int, available: Int, usual: Int, first: Int) -> Verdict {
    guard essential > available, isShortageCertain else { return .borne }
    let rate = Double(max(1, usual, available))
    let patience = Self.patienceForTheFirst * toleratedOutage
    // Where outages are not tolerated, dips still are.
    let dip = Self.patienceForTheFirst * toleratedQueue * Double(available)
    if bits >= max(patience * max(rate, Double(first)), dip) { return .spent }
    let outage = outSince.map(seconds(since:)) ?? 0
    let isFull =
      isOutage(essential, available)
      ? bits >= toleratedOutage * rate || outage >= toleratedOutage
      : bits >= toleratedQueue * Double(available)
    return isFull ? .full : .borne
  }

  /// Returns whether a shortage in congestion that began at `start` has lasted for longer than a queue is borne.
  func isStanding(since start: Timestamp?) -> Bool {
    guard let start, let shortSince else { return false }
    return seconds(since: max(start, shortSince)) >= toleratedQueue
  }

  private var isShortageCertain: Bool {
    guard toleratedQueue > 0, let shortSince else { return shortSince != nil }
    let least = estimates < Self.samples ? Self.longest : Self.shortest
    return seconds(since: shortSince) >= least
  }
}
