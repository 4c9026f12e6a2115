import TestSupport
import Testing

@testable import VideoPause

/// What an input triggers, and what it does not.
@Suite struct InputTests {
  /// Returns a coordinator in a meeting with a custom layout, with a decision made and nothing pending.
  private func settled() throws -> VideoPauseCoordinator {
    var coordinator = try VideoPauseCoordinator.cameras(3)
    try coordinator.setInMeeting(true, at: .zero)
    _ = try coordinator.setVideoLayout(.custom, at: .zero)
    _ = try coordinator.setVideoStreamConfiguration(
      [
        VideoStreamConfiguration(
          requestedStreamQuality: .r360p_30fps, participantID: "b", streamPriority: .high)
      ], at: .zero)
    try coordinator.setSpeakerOrder(["c"], at: .zero)
    try coordinator.setAudio(streamCount: 1, at: .zero)
    try coordinator.step(9_000_000, at: .zero)
    #expect(!coordinator.isDecisionDue(at: .milliseconds(100)))
    return coordinator
  }

  @Test func anUnchangedInputTriggersNothing() throws {
    let coordinator = try settled()
    let now = Timestamp.milliseconds(100)
    let entries = coordinator.videoStreamConfiguration
    let inputs: [(String, (inout VideoPauseCoordinator) throws -> Bool)] = [
      ("720p", { try $0.set720pVideoReceiveEnabled(true, at: now) }),
      ("strategy", { try $0.setStrategy(.grid, at: now) }),
      ("lastN", { try $0.setLastN(nil, at: now) }),
      ("speakers", { try $0.setSpeakerOrder(["c"], at: now) }),
      ("speaks already first", { try $0.setSpeaking(true, for: "c", at: now) }),
      ("was silent", { try $0.setSpeaking(false, for: "a", at: now) }),
      ("demand", { try $0.setDemand(VideoDemand(), for: camera("a"), at: now) }),
      ("muted", { try $0.setPublisherMuted(false, for: camera("a"), at: now) }),
      ("paused", { try $0.setSubscriberPaused(false, for: camera("a"), at: now) }),
      ("capability", { try $0.enableClientCapabilities([.subscriberVideoPause], at: now) }),
      ("no capability", { try $0.disableClientCapabilities([], at: now) }),
      ("meeting", { try $0.setInMeeting(true, at: now) }),
      ("available", { try $0.setCustomLayoutAvailable(true, at: now) }),
      ("layout", { try $0.setVideoLayout(.custom, at: now) != .success }),
      ("entries", { try $0.setVideoStreamConfiguration(entries, at: now) != .success }),
      ("refused", { try $0.setVideoStreamConfiguration([], at: now) == .success }),
    ]
    for (name, input) in inputs {
      var copy = coordinator
      #expect(try !input(&copy), "\(name) says that a decision is due")
      #expect(!copy.isDecisionDue(at: now), "\(name)")
      #expect(try copy.decide(at: now) == nil, "\(name)")
      #expect(copy.decision == coordinator.decision, "\(name)")
      #expect(throws: VideoPauseError.timestampWentBackwards(from: now, to: .zero), "\(name)") {
        try copy.decide(at: .zero)
      }
    }
  }

  /// An accepted layout takes effect at once.
  @Test func aRefusedLayoutChangesNothing() throws {
    var coordinator = try settled()
    try coordinator.setCustomLayoutAvailable(false, at: .zero)
    #expect(coordinator.isDecisionDue(at: .zero))
    _ = try coordinator.decide(at: .zero)
    #expect(coordinator.running.count == 3)
    #expect(
      try coordinator.setVideoLayout(.custom, at: .zero) == .failure(.customLayoutNotAvailable))
    #expect(!coordinator.isDecisionDue(at: .zero))
    #expect(try coordinator.setVideoLayout(.gallery, at: .zero) == .success)
    #expect(coordinator.isDecisionDue(at: .zero))
  }

  /// So is changing it back.
  @Test func aChangedInputIsDueAtOnce() throws {
    var coordinator = try settled()
    func acts(_ input: (inout VideoPauseCoordinator) throws -> Bool) throws {
      #expect(try input(&coordinator) && coordinator.isDecisionDue(at: .zero))
      _ = try coordinator.decide(at: .zero)
      #expect(!coordinator.isDecisionDue(at: .zero))
    }
    for isOn in [false, true] {
      try acts { try $0.set720pVideoReceiveEnabled(isOn, at: .zero) }
      try acts { try $0.setStrategy(isOn ? .grid : .stage, at: .zero) }
      try acts { try $0.setLastN(isOn ? nil : 1, at: .zero) }
      try acts { try $0.setSpeakerOrder(isOn ? ["c"] : ["a", "b"], at: .zero) }
      try acts { try $0.setPublisherMuted(!isOn, for: camera("b"), at: .zero) }
      try acts { try $0.setSubscriberPaused(!isOn, for: camera("b"), at: .zero) }
      try acts { try $0.setDemand(VideoDemand(isVisible: isOn), for: camera("b"), at: .zero) }
      try acts { try $0.setInMeeting(isOn, at: .zero) }
      try acts {
        isOn
          ? try $0.enableClientCapabilities([.subscriberVideoPause], at: .zero)
          : try $0.disableClientCapabilities([.subscriberVideoPause], at: .zero)
      }
    }
  }

  /// It only ends the request for a key frame and reports the resume.
  @Test func aLockMakesNoDecision() throws {
    var coordinator = try VideoPauseCoordinator.cameras(2)
    try coordinator.setBandwidthEstimate(9_000_000, at: .zero)
    let decision = try #require(try coordinator.decide(at: .zero))
    #expect(decision.streams.map(\.needsKeyFrame) == [true, true])
    try coordinator.layerLocked(camera("a"), at: .milliseconds(10))
    #expect(!coordinator.isDecisionDue(at: .milliseconds(10)))
    #expect(coordinator.decision.generation == decision.generation)
    #expect(coordinator.decision.streams.map(\.needsKeyFrame) == [false, true])
    #expect(coordinator.videoStreams.map(\.id) == [camera("a")])
    // Repeating the call, or making it for a stream that is not forwarded, does nothing.
    try coordinator.setSubscriberPaused(true, for: camera("b"), at: .milliseconds(20))
    _ = try coordinator.decide(at: .milliseconds(20))
    let before = coordinator.decision
    for id in [camera("a"), camera("b")] {
      try coordinator.layerLocked(id, at: .milliseconds(30))
    }
    #expect(coordinator.decision == before)
    #expect(coordinator.videoStreams.map(\.id) == [camera("a")])
  }

  /// Guarantees G7 and G11. After opting in again, the gate is as shut as it would have been.
  @Test func optingOutResumesAtOnceAndCounts() throws {
    var coordinator = try VideoPauseCoordinator.cameras(2)
    var isShown: Bool { coordinator.running.contains(camera("b")) }
    var now = Timestamp.zero
    func wait(_ seconds: Int, _ rate: Int) throws {
      for _ in 0..<(seconds * 5) {
        now = now.advanced(by: .milliseconds(200))
        try coordinator.step(rate, at: now)
      }
    }
    try wait(6, 350_000)
    var resumed: [Timestamp] = []
    for _ in 0..<2 {
      try wait(9, 0)
      #expect(!isShown)
      try coordinator.disableClientCapabilities([.subscriberVideoPause], at: now)
      _ = try coordinator.decide(at: now)
      #expect(isShown, "nothing is paused for bandwidth")
      resumed.append(now)
      try coordinator.enableClientCapabilities([.subscriberVideoPause], at: now)
    }
    try wait(9, 0)
    #expect(!isShown)
    while !isShown, now < .seconds(100) { try wait(1, 350_000) }
    #expect(now.microseconds - resumed[0].microseconds >= 60_000_000)
    #expect(now.microseconds - resumed[0].microseconds <= 62_000_000)
  }

  /// Muting does not.
  @Test func unpublishingForgetsAPause() throws {
    var coordinator = try VideoPauseCoordinator.cameras(1)
    try coordinator.step(0, at: .zero)
    #expect(coordinator.streams.states[0].phase.isAfterPause)
    try coordinator.setPublisherMuted(true, for: camera("a"), at: .zero)
    _ = try coordinator.decide(at: .zero)
    #expect(coordinator.streams.states[0].phase.isAfterPause)
    #expect(coordinator.reason(camera("a")) == .publisherMuted)
    #expect(coordinator.drainPausedTracksChanges() == nil, "paused and muted in one breath")
    try coordinator.removeStream(camera("a"), at: .zero)
    try coordinator.upsertStream(camera("a"), kind: .camera, layers: simulcast(100), at: .zero)
    #expect(!coordinator.streams.states[0].phase.isAfterPause)
  }

  @Test func allocatedFollowsStreamsThatComeGoOrChange() throws {
    var coordinator = try VideoPauseCoordinator.cameras(2)
    try coordinator.step(700_000, at: .zero)
    #expect(coordinator.network.sent == 650_000)
    try coordinator.upsertStream(
      camera("a"), kind: .camera, layers: simulcast(160, 510, 1_510), at: .zero)
    #expect(coordinator.network.sent == 660_000)
    try coordinator.removeStream(camera("b"), at: .zero)
    #expect(coordinator.network.sent == 510_000)
    _ = try coordinator.decide(at: .zero)
    #expect(coordinator.decision.targetBitrate == 510_000)
    #expect(coordinator.decision.streams.count == 1)
  }
}
