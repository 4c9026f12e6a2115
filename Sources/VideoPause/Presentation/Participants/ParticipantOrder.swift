/// A way to sort participants, made of keys: moderators first, then by the time that they spoke, …
///
/// Participants whom no key tells apart keep the order in which they came.
public struct ParticipantOrder: Sendable {
  /// Negative if the first comes first, positive if the second does, 0 if it does not matter.
  private let compare: @Sendable (CallParticipant, CallParticipant) -> Int

  /// By a key of the application's own, the smallest first.
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

  /// By the displayed name, without regard to capitals.
  public static let alphabetical = ParticipantOrder { $0.displayName.lowercased() }
  /// Who joined first.
  public static let joinTime = ParticipantOrder(by: \.joinedAt)
  /// Who was the dominant speaker longest.
  public static let speakers = ParticipantOrder { .zero - $0.dominantSpeakerTime }
  /// Moderators before all others.
  public static let moderatorsFirst = ParticipantOrder { $0.isModerator ? 0 : 1 }
  /// Pinned participants before all others.
  public static let pinnedFirst = ParticipantOrder { $0.isPinned ? 0 : 1 }
  /// Those whose microphone is on.
  public static let unmutedFirst = ParticipantOrder { $0.hasAudio ? 0 : 1 }

  /// Decides with `next` among those who are equal here.
  public func then(_ next: ParticipantOrder) -> ParticipantOrder {
    ParticipantOrder(compare: { a, b in
      let first = compare(a, b)
      return first == 0 ? next.compare(a, b) : first
    })
  }

  /// The participants in this order; equal ones stay as they are.
  public func sorted(_ participants: [CallParticipant]) -> [CallParticipant] {
    participants.sorted { compare($0, $1) < 0 }
  }
}
