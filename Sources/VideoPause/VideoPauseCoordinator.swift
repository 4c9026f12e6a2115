/// Decides, for one subscriber, which layer of which incoming video is forwarded and which video is paused, and why.
///
/// Say what happens through the `set…` methods, each with its time; then ask ``decide(at:)`` what to forward. The result
/// depends on nothing else: the same inputs at the same times give the same decisions. Methods that throw have
/// changed nothing.
///
/// The way of a decision is that of the folders: `Inputs`, what is wanted (`Demand`), who comes first (`Ranking`), what
/// there is (`Budget`), who gets what (`Allocation`), how soon that may change (`Stability`), and what is told of it
/// (`Decision`).
///
/// Threads: a value; use a copy by one thread at a time. ``VideoPauseSession`` is the same for several.
public struct VideoPauseCoordinator: Sendable {
  /// What it was made with.
  public let configuration: VideoPauseConfiguration
  /// Told of each pause and resume within the call that decides it, for metrics and logs. Copies of the coordinator tell
  /// of theirs too.
  public var onAction: (@Sendable (PauseAction) -> Void)?
  let timing: Timing

  // MARK: Inputs
  /// Sorted by id.
  var streams: [StreamState] = []
  /// The latest time that was said.
  var clock: Timestamp?
  /// nil until the first one.
  var estimate: Int?
  var congestion = CongestionState.none
  var audio: AudioReserve
  var strategy: AllocationStrategy
  var lastN: Int?
  var is720pEnabled: Bool
  var capabilities = ClientCapability.defaults
  var speakers: [ParticipantID] = []
  /// Memory that is kept for ``assignRecency()``.
  var recencies: [Int] = []
  var participants: Set<ParticipantID> = []
  var layout = LayoutState()
  /// Streams have entries of a custom layout.
  var isLayoutAssigned = false
  var isDebugMetadataEnabled: Bool

  // MARK: What waits to be worked in
  var changes = Changes()
  var ranking = Ranking()

  // MARK: Stability
  var evidence: EvidenceWindow
  var shortfall: Shortfall
  var holdOff = HoldOff()
  var probing: ProbeSchedule
  var lastRoundAt: Timestamp?
  /// What the layers that are forwarded cost at present, in bits per second.
  var allocated = 0

  // MARK: Results
  var allocation = Allocation()
  /// What is in force; before the first decision generation 0 and nothing.
  ///
  /// ``decide(at:)`` returns a copy; as long as the caller keeps no copy of an earlier one, nothing is allocated.
  public internal(set) var decision = AllocationDecision()
  var toldPausedTracks: [ParticipantID: Set<TrackType>] = [:]
  var toldVideoStreams: [VideoStream] = []

  /// Throws ``VideoPauseError/invalidConfiguration(field:)``.
  public init(
    configuration: VideoPauseConfiguration = .default
  ) throws(VideoPauseError) {
    try configuration.validate()
    self.configuration = configuration
    timing = Timing(configuration)
    is720pEnabled = configuration.is720pVideoReceiveEnabled
    audio = AudioReserve(configuration)
    strategy = configuration.strategy
    isDebugMetadataEnabled = configuration.isDebugMetadataEnabled
    evidence = EvidenceWindow(configuration)
    shortfall = Shortfall(configuration)
    probing = ProbeSchedule(configuration)
  }

  /// Whether streams of this subscriber may be paused for bandwidth at all.
  var mayPause: Bool { capabilities.contains(.subscriberVideoPause) }

  /// What is left for video, in bits per second.
  var available: Int { max(0, (estimate ?? configuration.initialEstimate) - audio.bitrate) }
}

/// What changed since the last round.
struct Changes {
  /// Some stream's layers or demand, or what bounds them all; acts at once.
  var demand = false
  /// The order; acts at once.
  var rank = false
  /// Only what is available; acts when the timing allows.
  var budget = false

  var isUrgent: Bool { demand || rank }
}
