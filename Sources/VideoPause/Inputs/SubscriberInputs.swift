/// What a subscriber sets for all of its streams.
struct SubscriberSettings: Equatable {
  var strategy: AllocationStrategy
  /// How many streams to forward at most; nil for no limit.
  var lastN: Int?
  /// Whether cameras may be received above 360p.
  var is720pEnabled: Bool
  var capabilities = ClientCapability.defaults
  var isDebugMetadataEnabled: Bool

  init(_ configuration: VideoPauseConfiguration) {
    strategy = configuration.strategy
    is720pEnabled = configuration.is720pVideoReceiveEnabled
    isDebugMetadataEnabled = configuration.isDebugMetadataEnabled
  }

  /// Whether the streams may be paused for bandwidth at all.
  var mayPause: Bool { capabilities.contains(.subscriberVideoPause) }
}

extension VideoPauseCoordinator {
  /// Sets the recent speakers, the dominant speaker first, and returns whether a decision is due.
  ///
  /// Participants that are not named rank after all of them, and none counts as speaking now. Throws
  /// ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func setSpeakerOrder(
    _ recent: [ParticipantID], at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    try changeSpeakers(at: time) { $0.replace(with: recent) }
  }

  /// Reports that a participant begins or stops speaking, which puts the most recent speaker first in
  /// ``speakerOrder``, and returns whether a decision is due.
  ///
  /// Those who speak come before those who have stopped. Of those who speak, the last to begin comes first; of the
  /// others, the last to stop. Every report counts, also that of a cough; for an order that ignores coughs, give
  /// ``setSpeakerOrder(_:at:)`` that of a dominant-speaker detector. Throws
  /// ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func setSpeaking(
    _ isSpeaking: Bool, for participant: ParticipantID, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    try changeSpeakers(at: time) { $0.set(isSpeaking, for: participant) }
  }

  /// The recent speakers, the most recent first.
  public var speakerOrder: [ParticipantID] { meeting.speakers.participants }

  @discardableResult
  mutating func changeSpeakers(
    at time: Timestamp, _ change: (inout SpeakerOrder) -> Bool
  ) throws(VideoPauseError) -> Bool {
    try advance(to: time)
    guard change(&meeting.speakers) else { return isDecisionDue(at: time) }
    streams.assignRecency(meeting.speakers)
    streams.assign(meeting.layout)
    streams.noteRank()
    return true
  }

  /// Sets how many streams to forward at most, the highest-ranked ones, and returns whether a decision is due.
  ///
  /// nil means no limit. Throws ``VideoPauseError/invalidCount(_:)``,
  /// ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func setLastN(_ count: Int?, at time: Timestamp) throws(VideoPauseError) -> Bool {
    if let count, count < 0 { throw .invalidCount(count) }
    return try changeSettings(at: time) { $0.lastN = count }
  }

  /// Sets how bits are shared, and returns whether a decision is due.
  ///
  /// While a custom layout gives priorities, those decide instead. Throws
  /// ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func setStrategy(
    _ new: AllocationStrategy, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    try changeSettings(at: time) { $0.strategy = new }
  }

  /// Sets whether cameras may be received above 360p, and returns whether a decision is due.
  ///
  /// They may unless ``VideoPauseConfiguration/is720pVideoReceiveEnabled`` is false. (The BlueJeans SDK starts with
  /// false; a client that was written for it calls this first, and needs no such call here.) Screen shares always may,
  /// since they would be unreadable below. Throws ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func set720pVideoReceiveEnabled(
    _ isEnabled: Bool, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    let isOther = isEnabled != settings.is720pEnabled
    let due = try changeSettings(at: time) { $0.is720pEnabled = isEnabled }
    if isOther { streams.noteBounds() }
    return due
  }

  /// Adds capabilities, and returns whether a decision is due.
  ///
  /// Capabilities that are already enabled change nothing. The change takes effect with the next decision, without a
  /// rejoin. Throws ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func enableClientCapabilities(
    _ added: Set<ClientCapability>, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    try changeSettings(at: time) { $0.capabilities.formUnion(added) }
  }

  /// Removes capabilities, and returns whether a decision is due.
  ///
  /// Without `subscriberVideoPause` no stream is paused for bandwidth: every stream keeps its base layer, and
  /// ``AllocationDecision/isOversending`` reports the excess. Throws
  /// ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func disableClientCapabilities(
    _ removed: Set<ClientCapability>, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    try changeSettings(at: time) { $0.capabilities.subtract(removed) }
  }

  /// The capabilities that the client announces with every join and rejoin.
  public var clientCapabilities: Set<ClientCapability> { settings.capabilities }

  /// Sets whether `videoStreams` includes frame and bit rates.
  public mutating func setDebugMetadataEnabled(_ isEnabled: Bool) {
    settings.isDebugMetadataEnabled = isEnabled
  }

  private mutating func changeSettings(
    at time: Timestamp, _ change: (inout SubscriberSettings) -> Void
  ) throws(VideoPauseError) -> Bool {
    try advance(to: time)
    let before = settings
    change(&settings)
    guard settings != before else { return isDecisionDue(at: time) }
    streams.noteDemand()
    return true
  }
}
