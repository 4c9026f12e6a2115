import Testing

@testable import VideoPause

/// Extreme accepted values: none may trap, hang, or leave something waiting forever.
@Suite struct LimitTests {
  /// At the highest rates, it is believed late.
  @Test func aQueueOfADayDoesNotOverflow() throws {
    var configuration = VideoPauseConfiguration()
    configuration.toleratedQueue = .seconds(86_400)
    configuration.growMargin = 0
    let most = VideoPauseLimits.maximumBitrate
    let layer = VideoLayer(
      spatial: 0, size: VideoSize(width: 320, height: 180), bitrate: most - 200_000)
    var coordinator = try VideoPauseCoordinator(configuration, streams: [(camera("a"), [layer])])
    try coordinator.setBandwidthEstimate(most, at: .zero)
    _ = try coordinator.decide(at: .seconds(20))
    #expect(coordinator.decision.targetBitrate == layer.bitrate)
    try coordinator.setBandwidthEstimate(layer.bitrate - 1, at: .seconds(30))
    _ = try coordinator.decide(at: .seconds(31))
    #expect(coordinator.decision.targetBitrate == layer.bitrate)
  }

  @Test func returningToALayerThatStillArrivesNeedsNoKeyFrame() throws {
    var coordinator = try VideoPauseCoordinator.cameras(1, .pure)
    let alice = camera("a")
    func want(_ height: Int, at time: Timestamp) throws -> StreamDecision {
      var demand = VideoDemand()
      demand.viewSize = VideoSize(width: height * 16 / 9, height: height)
      try coordinator.setDemand(demand, for: alice, at: time)
      _ = try coordinator.decide(at: time)
      return coordinator.decision.streams[0]
    }
    try coordinator.setBandwidthEstimate(5_000_000, at: .zero)
    _ = try want(180, at: .zero)
    try coordinator.layerLocked(alice, at: .milliseconds(100))
    #expect(try want(360, at: .milliseconds(200)).needsKeyFrame)
    #expect(try !want(180, at: .milliseconds(300)).needsKeyFrame)
  }

  @Test func timesStopAtTheEndsOfTheRange() throws {
    #expect(Timestamp.seconds(.max).microseconds == .max)
    #expect(Timestamp.milliseconds(.min).microseconds == .min)
    #expect(Timestamp.seconds(-3).microseconds == -3_000_000)
    #expect(Timestamp.milliseconds(7).microseconds == 7_000)
    var configuration = VideoPauseConfiguration()
    configuration.evidenceWindow = .microseconds(10)
    var coordinator = try VideoPauseCoordinator(configuration: configuration)
    for time in [Timestamp(microseconds: .min), .zero, Timestamp(microseconds: .max)] {
      try coordinator.setBandwidthEstimate(1_000_000, at: time)
      _ = try coordinator.decide(at: time)
    }
  }

  /// Time-outs may be as short as zero.
  @Test func theNextLookIsAlwaysLaterThanNow() throws {
    var configuration = VideoPauseConfiguration()
    configuration.lockTimeout = .zero
    configuration.decisionInterval = .zero
    var coordinator = try VideoPauseCoordinator(
      configuration, streams: [(camera("a"), simulcast(300)), (camera("b"), simulcast(300))])
    for (second, rate, until, paused) in [
      (0, 1_000_000, 5, 0), (5, 400_000, 20, 1), (20, 900_000, 40, 0),
    ] as [(Int64, Int, Int64, Int)] {
      var now = Timestamp.seconds(second)
      try coordinator.setBandwidthEstimate(rate, at: now)
      _ = try coordinator.decide(at: now)
      var looks = 0
      while let next = coordinator.decision.nextDecisionAt, next < .seconds(until) {
        #expect(next > now)
        (now, looks) = (max(next, now.advanced(byMicroseconds: 1)), looks + 1)
        _ = try coordinator.decide(at: now)
      }
      #expect(coordinator.pausedTracks.count == paused, "\(rate)")
      #expect((1...40_000).contains(looks), "\(looks)")
    }
  }
}
