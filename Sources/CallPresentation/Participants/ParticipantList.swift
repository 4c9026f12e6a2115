public import VideoPause

/// The participants of a call, in the order in which they joined.
///
/// To observe the list, keep it in an ``ObservedValue``: `list.sink { show($0.paused(.video)) }`.
public struct ParticipantList: Hashable, Sendable {
  /// The participants, in order.
  public private(set) var participants: [CallParticipant] = []

  /// Creates a list. The first of several participants with the same id counts.
  public init(_ participants: [CallParticipant] = []) {
    for participant in participants { join(participant) }
  }

  /// The participant with an id; nil if there is none.
  public subscript(id: ParticipantID) -> CallParticipant? {
    participants.first { $0.id == id }
  }

  /// Returns the participants of whom a track of that type is paused.
  public func paused(_ type: TrackType) -> [CallParticipant] {
    participants.filter { $0.pausedTracks.contains(type) }
  }
}

// MARK: - Changes

extension ParticipantList {
  /// Adds a participant. Does nothing if the list has one with that id.
  public mutating func join(_ participant: CallParticipant) {
    if self[participant.id] == nil { participants.append(participant) }
  }

  /// Removes a participant. Does nothing if the list has none with that id.
  public mutating func leave(_ id: ParticipantID) { participants.removeAll { $0.id == id } }

  /// Changes one participant in place. Does nothing if the list has none with that id.
  public mutating func update(_ id: ParticipantID, _ change: (inout CallParticipant) -> Void) {
    guard let index = participants.firstIndex(where: { $0.id == id }) else { return }
    change(&participants[index])
  }

  /// Applies a change of paused tracks from the coordinator or from a server's message.
  ///
  /// Unknown participants and track types are ignored: the message may be older than the list, and the peer newer than
  /// this library.
  public mutating func apply(_ change: PausedTracksChange) {
    for (id, types) in change.paused {
      update(id) { $0.pausedTracks.formUnion(types.filter(\.isKnown)) }
    }
    for (id, types) in change.resumed { update(id) { $0.pausedTracks.subtract(types) } }
  }

  /// Takes over from a server's message which tracks are paused, for instance after joining again.
  ///
  /// Unknown participants and track types are ignored; nothing of a participant that the message lacks is paused.
  public mutating func apply(_ state: SubscriberState) {
    for index in participants.indices { participants[index].pausedTracks = [] }
    for participant in state.participants {
      update(participant.id) { $0.pausedTracks = participant.pausedTracks.filter(\.isKnown) }
    }
  }

  /// Records that a participant sends a track.
  public mutating func publish(_ type: TrackType, by id: ParticipantID) {
    update(id) { $0.publishedTracks.insert(type) }
  }

  /// Records that a participant no longer sends a track. The track is then not paused either; other types are
  /// untouched.
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

/// The state of a call that the views need.
public struct CallState: Hashable, Sendable {
  /// The participants of the call.
  public var participants: ParticipantList
  /// The user of this device; nil before the call is joined.
  public var localParticipant: ParticipantID?

  /// Creates the state of a call.
  public init(
    participants: ParticipantList = ParticipantList(), localParticipant: ParticipantID? = nil
  ) {
    self.participants = participants
    self.localParticipant = localParticipant
  }
}
