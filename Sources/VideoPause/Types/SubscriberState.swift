/// What the client of one subscriber shows of pausing: whose tracks are paused, and whether they may be.
///
/// ``PausedTracksChange`` is what changed in it. A client that rejoins needs the whole state once.
public struct SubscriberState: Hashable, Sendable {
  /// A participant of the meeting, as this subscriber receives it.
  public struct Participant: Identifiable, Hashable, Sendable {
    /// The participant's identifier.
    public var id: ParticipantID
    /// The types of its tracks that are paused because bandwidth is short; audio never is.
    public var pausedTracks: Set<TrackType>

    /// Creates a participant.
    public init(id: ParticipantID, pausedTracks: Set<TrackType> = []) {
      self.id = id
      self.pausedTracks = pausedTracks
    }
  }

  /// The participants by id: those of ``VideoPauseCoordinator/setParticipants(_:at:)`` and the owners of streams.
  public var participants: [Participant]
  /// What the client can handle.
  public var clientCapabilities: Set<ClientCapability>

  /// Creates a state.
  public init(
    participants: [Participant] = [],
    clientCapabilities: Set<ClientCapability> = ClientCapability.defaults
  ) {
    self.participants = participants
    self.clientCapabilities = clientCapabilities
  }
}
