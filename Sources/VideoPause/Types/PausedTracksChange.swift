/// What changed in `pausedTracks`. Never empty, never says what is already known, and no track is in both halves;
/// all changes in their order, applied to nothing, give the present state.
public struct PausedTracksChange: Hashable, Sendable {
  /// Tracks that were paused.
  public var paused: [ParticipantID: Set<TrackType>]
  /// Tracks that were resumed.
  public var resumed: [ParticipantID: Set<TrackType>]

  /// A change.
  public init(
    paused: [ParticipantID: Set<TrackType>] = [:], resumed: [ParticipantID: Set<TrackType>] = [:]
  ) {
    self.paused = paused
    self.resumed = resumed
  }

  /// Nothing has changed.
  public var isEmpty: Bool { paused.isEmpty && resumed.isEmpty }

  /// The change that leads from one state to another; nil if they are the same.
  public init?(
    from old: [ParticipantID: Set<TrackType>], to new: [ParticipantID: Set<TrackType>]
  ) {
    self.init(paused: new.removing(old), resumed: old.removing(new))
    if isEmpty { return nil }
  }

  /// Brings a state up to date.
  public func apply(to state: inout [ParticipantID: Set<TrackType>]) {
    state = state.removing(resumed)
    state.merge(paused) { $0.union($1) }
  }
}

extension [ParticipantID: Set<TrackType>] {
  /// What is in here and not in `other`; participants with nothing left are dropped.
  func removing(_ other: Self) -> Self {
    var rest = Self()
    for (participant, types) in self {
      let left = types.subtracting(other[participant] ?? [])
      if !left.isEmpty { rest[participant] = left }
    }
    return rest
  }
}
