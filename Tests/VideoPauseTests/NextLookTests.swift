import Testing

@testable import VideoPause

/// What brings a new decision, and when the next look is due.
@Suite struct NextLookTests {
  private func names(_ coordinator: VideoPauseCoordinator) -> String {
    coordinator.decision.streams.map(\.id.participant.rawValue).joined()
  }

  @Test func aNewLayoutOrKindReordersTheStreams() throws {
    var coordinator = try VideoPauseCoordinator.cameras(3, .pure)
    try coordinator.setInMeeting(true, at: .zero)
    _ = try coordinator.setVideoLayout(.custom, at: .zero)
    for order in ["bca", "acb", "cab"] {
      let entries = order.map {
        VideoStreamConfiguration(
          requestedStreamQuality: .r180p_30fps, participantID: ParticipantID(String($0)))
      }
      #expect(try coordinator.setVideoStreamConfiguration(entries, at: .zero) == .success)
      _ = try coordinator.decide(at: .zero)
      #expect(names(coordinator) == order)
    }
    _ = try coordinator.setVideoLayout(.gallery, at: .zero)
    _ = try coordinator.decide(at: .zero)
    #expect(names(coordinator) == "abc")
    try coordinator.upsertStream(
      camera("c"), kind: .screenShare, layers: simulcast(150), at: .zero)
    _ = try coordinator.decide(at: .zero)
    #expect(names(coordinator) == "cab")
  }

  @Test func missingBitsFollowTheEstimateWithoutANewDecision() throws {
    var coordinator = try VideoPauseCoordinator(.pure, streams: [(camera("a"), simulcast(150))])
    try coordinator.step(100_000, at: .zero)
    #expect(coordinator.row(camera("a"))?.required == 50_000)
    #expect(try coordinator.step(110_000, at: .milliseconds(10)) == nil)
    #expect(coordinator.row(camera("a"))?.required == 40_000)
  }

  /// While it lasts, no look is planned.
  @Test func aChangeOfOversendingIsANewDecision() throws {
    var coordinator = try VideoPauseCoordinator(.pure, streams: [(camera("a"), simulcast(150))])
    try coordinator.setDemand(VideoDemand(pausePolicy: .never), for: camera("a"), at: .zero)
    try coordinator.step(200_000, at: .zero)
    for (rate, isOversending) in [(100_000, true), (200_000, false)] {
      let time = Timestamp.seconds(isOversending ? 2 : 4)
      #expect(try coordinator.step(rate, at: time)?.isOversending == isOversending)
      #expect(coordinator.decision.nextDecisionAt == nil)
      #expect(coordinator.running.count == 1)
    }
  }

  @Test func theNextLookIsWhenTheGateOpens() throws {
    var configuration = VideoPauseConfiguration.pure
    configuration.resumeLimit = 1
    configuration.gatePeriod = .seconds(2)
    configuration.probeInterval = .seconds(10)
    var coordinator = try VideoPauseCoordinator(
      configuration, streams: [(camera("a"), simulcast(50)), (camera("b"), simulcast(150))])
    for (rate, milliseconds) in [
      (200_000, 0), (50_000, 1_000), (200_000, 1_500), (50_000, 1_600), (200_000, 1_700),
    ] as [(Int, Int64)] {
      try coordinator.step(rate, at: .milliseconds(milliseconds))
    }
    #expect(coordinator.running == [camera("a")])
    #expect(coordinator.decision.nextDecisionAt == .milliseconds(3_500))
    _ = try coordinator.decide(at: .milliseconds(3_500))
    #expect(coordinator.running.count == 2)
  }

  @Test func anEstimateThatWaitsBringsTheNextLookForward() throws {
    var coordinator = try VideoPauseCoordinator(.default, streams: [(camera("a"), simulcast(150))])
    try coordinator.step(900_000, at: .zero)
    try coordinator.step(900_000, at: .seconds(1))
    #expect(coordinator.decision.nextDecisionAt == nil)
    try coordinator.setBandwidthEstimate(950_000, at: .milliseconds(1_100))
    #expect(try coordinator.decide(at: .milliseconds(1_100)) == nil)
    #expect(coordinator.decision.nextDecisionAt == .milliseconds(1_200))
  }
}
