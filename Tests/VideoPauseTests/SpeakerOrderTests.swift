import TestSupport
import Testing

@testable import VideoPause

/// Who spoke most recently, by reports of who begins and stops speaking.
@Suite struct SpeakerOrderTests {
  /// A participant's last change, by the number of the report.
  private struct Log {
    var began: [ParticipantID: Int] = [:]
    var stopped: [ParticipantID: Int] = [:]

    /// Those who speak by their beginnings, then the others by their ends, each the newest first.
    var order: [ParticipantID] {
      let speaking = began.filter { stopped[$0.key] == nil }
      return speaking.sorted { $0.value > $1.value }.map(\.key)
        + stopped.sorted { $0.value > $1.value }.map(\.key)
    }

    mutating func note(_ isSpeaking: Bool, _ id: ParticipantID, _ number: Int) {
      let speaks = began[id] != nil && stopped[id] == nil
      guard isSpeaking != speaks else { return }
      if isSpeaking {
        began[id] = number
        stopped[id] = nil
      } else {
        stopped[id] = number
      }
    }
  }

  @Test("IV-14 After any reports, those who speak come first, and of them the last to begin")
  func anyReportsGiveTheOrderOfTheirTimes() {
    for seed in 0..<20 {
      var random = SeededGenerator(seed: UInt64(seed))
      var (order, log) = (SpeakerOrder(), Log())
      for number in 0..<500 {
        let id = ParticipantID(String(random.int(0...6)))
        let isSpeaking = random.chance(50)
        let before = order.participants
        let isChanged = order.set(isSpeaking, for: id)
        log.note(isSpeaking, id, number)
        #expect(order.participants == log.order)
        #expect(isChanged == (order.participants != before))
      }
    }
  }

  @Test func whoInterruptsIsFirstUntilTheyStop() throws {
    var coordinator = try VideoPauseCoordinator.cameras(3)
    func order(_ isSpeaking: Bool, _ id: ParticipantID) throws -> [ParticipantID] {
      try coordinator.setSpeaking(isSpeaking, for: id, at: .zero)
      return coordinator.speakerOrder
    }
    #expect(coordinator.speakerOrder == [])
    #expect(try order(false, "a") == [])
    #expect(try order(true, "a") == ["a"])
    #expect(try order(true, "b") == ["b", "a"])
    #expect(try order(true, "a") == ["b", "a"])
    #expect(try order(false, "b") == ["a", "b"])
    #expect(try order(false, "a") == ["a", "b"])
    #expect(try order(true, "b") == ["b", "a"])
  }

  @Test func anOrderReplacesWhatWasReported() throws {
    var coordinator = try VideoPauseCoordinator.cameras(3)
    try coordinator.setSpeaking(true, for: "a", at: .zero)
    try coordinator.setSpeakerOrder(["b", "a"], at: .zero)
    // Nobody counts as speaking any more, so a's end moves nobody, and its next beginning does.
    try coordinator.setSpeaking(false, for: "a", at: .zero)
    #expect(coordinator.speakerOrder == ["b", "a"])
    try coordinator.setSpeaking(true, for: "a", at: .zero)
    #expect(coordinator.speakerOrder == ["a", "b"])
  }

  /// A participant who leaves and returns ranks like one who never spoke. Whom the host never named does not leave.
  @Test func whoLeavesIsForgotten() throws {
    var coordinator = try VideoPauseCoordinator.cameras(4)
    try coordinator.setParticipants(["a", "b", "c"], at: .zero)
    for speaker in ["d", "c", "b"] as [ParticipantID] {
      try coordinator.setSpeaking(true, for: speaker, at: .zero)
    }
    try coordinator.setSpeaking(false, for: "c", at: .zero)
    #expect(coordinator.speakerOrder == ["b", "d", "c"])
    try coordinator.setParticipants(["a", "c"], at: .zero)
    #expect(coordinator.speakerOrder == ["d", "c"])
    #expect(try #require(try coordinator.decide(at: .zero)).streams.first?.id == camera("d"))
    // Only d still speaks: whoever stops now comes second.
    try coordinator.setSpeaking(true, for: "a", at: .zero)
    try coordinator.setSpeaking(false, for: "a", at: .zero)
    #expect(coordinator.speakerOrder == ["d", "a", "c"])
    try coordinator.setParticipants(["a", "b", "c"], at: .zero)
    #expect(coordinator.speakerOrder == ["d", "a", "c"])
  }
}
