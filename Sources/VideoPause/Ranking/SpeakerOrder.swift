/// The recent speakers, the most recent first.
///
/// Those who speak come before those who have stopped. Of those who speak, the last to begin comes first; of the
/// others, the last to stop.
struct SpeakerOrder {
  private(set) var participants: [ParticipantID] = []
  /// How many of them speak; they come first.
  private var speakingCount = 0

  /// Replaces the order by one in which nobody speaks, and returns whether it differs.
  mutating func replace(with recent: [ParticipantID]) -> Bool {
    speakingCount = 0
    guard participants != recent else { return false }
    participants = recent
    return true
  }

  /// Forgets those who have left, and returns whether that changed the order.
  mutating func remove(_ leavers: Set<ParticipantID>) -> Bool {
    let count = participants.count
    speakingCount -= participants[..<speakingCount].count { leavers.contains($0) }
    participants.removeAll { leavers.contains($0) }
    return participants.count != count
  }

  /// Moves a participant who begins or stops speaking, and returns whether that changed the order.
  mutating func set(_ isSpeaking: Bool, for id: ParticipantID) -> Bool {
    let old = participants.firstIndex(of: id)
    let wasSpeaking = old.map { $0 < speakingCount } ?? false
    guard isSpeaking != wasSpeaking else { return false }
    speakingCount += isSpeaking ? 1 : -1
    let new = isSpeaking ? 0 : speakingCount
    guard old != new else { return false }
    if let old { participants.remove(at: old) }
    participants.insert(id, at: new)
    return true
  }
}
