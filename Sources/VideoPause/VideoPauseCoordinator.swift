/// Decides which layer of each incoming video one subscriber receives, which videos are paused, and why.
///
/// Report what happens through the `set…` methods, each with its time, then call ``decide(at:)`` for what to forward.
/// The decision depends on nothing else: the same inputs at the same times give the same decisions. A method that
/// throws changes nothing.
///
/// The folders follow the path of a decision: `Inputs`, what is wanted (`Demand`), which stream comes first
/// (`Ranking`), what is available (`Budget`), which stream gets what (`Allocation`), how soon that may change
/// (`Stability`), and what is reported (`Decision`).
///
/// Threads: this is a value. Several threads may use copies, but only one thread at a time may use each copy.
/// ``VideoPauseSession`` wraps a coordinator for concurrent use.
public struct VideoPauseCoordinator: Sendable {
  /// The configuration that the coordinator was created with.
  public let configuration: VideoPauseConfiguration
  /// A handler for each pause and resume, for metrics and logs; it runs inside the call that makes the decision. Copies
  /// of the coordinator share the handler and call it for their own actions.
  public var onAction: (@Sendable (PauseAction) -> Void)?
  let timing: Timing

  /// The latest time that an input carried.
  var clock: Timestamp?
  var lastRoundAt: Timestamp?
  /// What the subscriber set for all streams.
  var settings: SubscriberSettings
  var meeting = Meeting()
  var network: Network
  var streams = StreamTable()
  var allocation = Allocation()
  var outcome: Outcome

  /// Creates a coordinator without streams. Throws ``VideoPauseError/invalidConfiguration(field:)``.
  public init(
    configuration: VideoPauseConfiguration = .default
  ) throws(VideoPauseError) {
    try configuration.validate()
    self.configuration = configuration
    timing = Timing(configuration)
    settings = SubscriberSettings(configuration)
    network = Network(configuration)
    outcome = Outcome(configuration)
  }

  /// The decision in force; before the first one, generation 0 and empty.
  ///
  /// ``decide(at:)`` returns a copy. Nothing is allocated as long as the caller keeps no copy of an earlier decision.
  public var decision: AllocationDecision { outcome.decision }

  /// What the latest inputs leave for video, in bits per second.
  package var availableBandwidth: Int { network.available }

  // MARK: Time

  /// Throws if `time` is before the time of an earlier input.
  func checkTime(_ time: Timestamp) throws(VideoPauseError) {
    if let clock, time < clock { throw .timestampWentBackwards(from: clock, to: time) }
  }

  /// Accounts for the time since the last input. Throws as ``checkTime(_:)`` does.
  mutating func advance(to time: Timestamp) throws(VideoPauseError) {
    try checkTime(time)
    if clock == nil { network.begin(at: time) }
    network.advance(to: time, isOversending: outcome.decision.isOversending)
    clock = time
  }
}
