/// A change of `pausedTracks`.
///
/// A change delivered by the coordinator is never empty, never repeats what is known, and has no track in both halves.
/// All changes, applied in order to an empty state, give the present state.
public struct PausedTracksChange: Hashable, Sendable {
  /// Tracks that were paused.
  public var paused: [ParticipantID: Set<TrackType>]
  /// Tracks that were resumed.
  public var resumed: [ParticipantID: Set<TrackType>]

  /// Creates a change.
  public init(
    paused: [ParticipantID: Set<TrackType>] = [:], resumed: [ParticipantID: Set<TrackType>] = [:]
  ) {
    self.paused = paused
    self.resumed = resumed
  }

  /// Whether nothing has changed.
  public var isEmpty: Bool { paused.isEmpty && resumed.isEmpty }

  /// Creates the change that leads from one state to another; nil if they are the same.
  public init?(
    from old: [ParticipantID: Set<TrackType>], to new: [ParticipantID: Set<TrackType>]
  ) {
    self.init(paused: new.removing(old), resumed: old.removing(new))
    if isEmpty { return nil }
  }

  /// Applies the change to a state.
  public func apply(to state: inout [ParticipantID: Set<TrackType>]) {
    state = state.removing(resumed)
    for (participant, types) in paused { state[participant, default: []].formUnion(types) }
  }
}

extension [ParticipantID: Set<TrackType>] {
  /// Returns what is in this state and not in `other`; participants with nothing left are dropped.
  func removing(_ other: Self) -> Self {
    var rest = Self()
    for (participant, types) in self {
      let left = types.subtracting(other[participant] ?? [])
      if !left.isEmpty { rest[participant] = left }
    }
    return rest
  }
}
