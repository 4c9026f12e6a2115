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

  // MARK: Inputs
  /// The streams, sorted by id.
  var streams: [StreamState] = []
  /// The latest time that an input carried.
  var clock: Timestamp?
  /// The bandwidth estimate in bits per second; nil until the first one arrives.
  var estimate: Int?
  var congestion = CongestionState.none
  /// Since when every estimate has come with congestion.
  var congestedSince: Timestamp?
  var reserve: Reserve
  var settings: SubscriberSettings
  var speakers = SpeakerOrder()
  /// Scratch memory that ``assignRecency()`` reuses.
  var recencies: [Int] = []
  var participants: Set<ParticipantID> = []
  var layout = LayoutState()
  /// Whether any stream holds an entry of a custom layout.
  var isLayoutAssigned = false
  var isDebugMetadataEnabled: Bool

  // MARK: Pending changes
  var changes = Changes()
  var ranking = Ranking()

  // MARK: Stability
  var history: AvailableHistory
  var backlog: Backlog
  var probing: ProbeSchedule
  var firstInRank = FirstInRank()
  var lastRoundAt: Timestamp?
  /// The cost of all layers that are forwarded now, in bits per second.
  var allocated = 0
  /// The part of it that no decision about sizes can save, in bits per second.
  var essential = 0

  // MARK: Results
  var allocation = Allocation()
  /// The decision in force; before the first one, generation 0 and empty.
  ///
  /// ``decide(at:)`` returns a copy. Nothing is allocated as long as the caller keeps no copy of an earlier decision.
  public internal(set) var decision = AllocationDecision()
  /// The streams that were removed since ``drainPausedTracksChanges()`` reported them as paused.
  var removedWhilePaused: [StreamID] = []
  /// What ``drainVideoStreams()`` last returned.
  var reportedVideoStreams: [VideoStream] = []

  /// Creates a coordinator without streams. Throws ``VideoPauseError/invalidConfiguration(field:)``.
  public init(
    configuration: VideoPauseConfiguration = .default
  ) throws(VideoPauseError) {
    try configuration.validate()
    self.configuration = configuration
    timing = Timing(configuration)
    reserve = Reserve(configuration)
    settings = SubscriberSettings(configuration)
    isDebugMetadataEnabled = configuration.isDebugMetadataEnabled
    history = AvailableHistory(configuration)
    backlog = Backlog(configuration)
    probing = ProbeSchedule(configuration)
  }

  /// Whether this subscriber's streams may be paused for bandwidth at all.
  var mayPause: Bool { settings.capabilities.contains(.subscriberVideoPause) }

  /// The bandwidth left for video, in bits per second.
  var available: Int { max(0, (estimate ?? configuration.initialEstimate) - reserve.bitrate) }
}

/// What has changed since the last round.
struct Changes {
  /// Whether a stream's layers or demand changed, or a bound on all streams; acts at once.
  var demand = false
  /// Whether the order of the streams changed; acts at once.
  var rank = false
  /// Whether only the available bandwidth changed; acts when the timing allows.
  var budget = false

  var isUrgent: Bool { demand || rank }
}
