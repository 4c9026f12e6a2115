/// Everybody in a call, in the order in which they joined.
///
/// To observe it, keep it in an ``ObservedValue``: `list.sink { show($0.paused(.video)) }`.
public struct ParticipantList: Hashable, Sendable {
  /// In their order.
  public private(set) var participants: [CallParticipant] = []

  /// The first of several with the same id counts.
  public init(_ participants: [CallParticipant] = []) {
    for participant in participants { join(participant) }
  }

  /// `nil` if nobody has that id.
  public subscript(id: ParticipantID) -> CallParticipant? {
    participants.first { $0.id == id }
  }

  /// Those of whom a track of that type is paused.
  public func paused(_ type: TrackType) -> [CallParticipant] {
    participants.filter { $0.pausedTracks.contains(type) }
  }
}

// MARK: - Changes

extension ParticipantList {
  /// Adds a participant. Nothing happens if one with that id is there.
  public mutating func join(_ participant: CallParticipant) {
    if self[participant.id] == nil { participants.append(participant) }
  }

  /// Takes somebody out; nothing if they are not there.
  public mutating func leave(_ id: ParticipantID) { participants.removeAll { $0.id == id } }

  /// Changes one participant in place. Nothing happens if nobody has that id.
  public mutating func update(_ id: ParticipantID, _ change: (inout CallParticipant) -> Void) {
    guard let index = participants.firstIndex(where: { $0.id == id }) else { return }
    change(&participants[index])
  }

  /// What the coordinator, or a server's message, says of paused tracks. Unknown participants and track types are
  /// ignored: the message may be older than the list, the peer newer than we are.
  public mutating func apply(_ change: PausedTracksChange) {
    for (id, types) in change.paused {
      update(id) { $0.pausedTracks.formUnion(types.filter(\.isKnown)) }
    }
    for (id, types) in change.resumed { update(id) { $0.pausedTracks.subtract(types) } }
  }

  /// Notes that somebody sends a track.
  public mutating func publish(_ type: TrackType, by id: ParticipantID) {
    update(id) { $0.publishedTracks.insert(type) }
  }

  /// What is not sent is not paused either. Other types are untouched.
  public mutating func unpublish(_ type: TrackType, by id: ParticipantID) {
    update(id) { participant in
      participant.publishedTracks.remove(type)
      participant.pausedTracks.remove(type)
      if type == .video { participant.track = nil }
    }
  }
}

extension TrackType {
  fileprivate var isKnown: Bool {
    isVideo || self == .audio || self == .screenShareAudio
  }
}

/// What the views know of a call.
public struct CallState: Hashable, Sendable {
  /// Everybody in the call.
  public var participants: ParticipantList
  /// The user of this device; `nil` before the call is joined.
  public var localParticipant: ParticipantID?

  /// A call.
  public init(
    participants: ParticipantList = ParticipantList(), localParticipant: ParticipantID? = nil
  ) {
    self.participants = participants
    self.localParticipant = localParticipant
  }
}
