/// A sort order for participants, composed of keys: moderators first, then by speaking time, and so on.
///
/// Participants with equal keys keep their present order.
public struct ParticipantOrder: Sendable {
  /// Returns a negative number if the first participant comes first, a positive one if the second does, 0 if they are
  /// equal.
  private let compare: @Sendable (CallParticipant, CallParticipant) -> Int

  /// Creates an order by a key of the application's own, the smallest first.
  public init<Key: Comparable & SendableMetatype>(
    by key: @escaping @Sendable (CallParticipant) -> Key
  ) {
    compare = { a, b in
      let (keyA, keyB) = (key(a), key(b))
      return keyA < keyB ? -1 : (keyB < keyA ? 1 : 0)
    }
  }

  private init(compare: @escaping @Sendable (CallParticipant, CallParticipant) -> Int) {
    self.compare = compare
  }

  /// By displayed name, ignoring case.
  public static let alphabetical = ParticipantOrder { $0.displayName.lowercased() }
  /// By join time, the earliest first.
  public static let joinTime = ParticipantOrder(by: \.joinedAt)
  /// By time as the dominant speaker, the longest first.
  public static let speakers = ParticipantOrder { .zero - $0.dominantSpeakerTime }
  /// Moderators before all others.
  public static let moderatorsFirst = ParticipantOrder { $0.isModerator ? 0 : 1 }
  /// Pinned participants before all others.
  public static let pinnedFirst = ParticipantOrder { $0.isPinned ? 0 : 1 }
  /// Participants whose microphone is on before all others.
  public static let unmutedFirst = ParticipantOrder { $0.hasAudio ? 0 : 1 }

  /// Returns an order that uses `next` for participants who are equal in this one.
  public func then(_ next: ParticipantOrder) -> ParticipantOrder {
    ParticipantOrder(compare: { a, b in
      let first = compare(a, b)
      return first == 0 ? next.compare(a, b) : first
    })
  }

  /// Returns the participants in this order. The sort is stable.
  public func sorted(_ participants: [CallParticipant]) -> [CallParticipant] {
    participants.sorted { compare($0, $1) < 0 }
  }
}
