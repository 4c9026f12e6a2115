import Testing

@testable import VideoPause

/// The requirements on the coordinator, by their ids.
@Suite struct RequirementTests {
  private let second = Timestamp.seconds(1)

  @Test("LB-01 LB-02 One subscriber's estimate pauses selected streams of that subscriber")
  func anEstimatePausesStreamsOfItsSubscriberOnly() throws {
    var poor = try VideoPauseCoordinator.cameras(3)
    var rich = try VideoPauseCoordinator.cameras(3)
    try poor.step(330_000, at: .zero)
    try rich.step(9_000_000, at: .zero)
    #expect(poor.running == [camera("a"), camera("b")])
    #expect(poor.reason(camera("c")) == .bandwidth)
    #expect(rich.running.count == 3 && rich.pausedTracks.isEmpty)
  }

  @Test("LB-03 Audio is reserved first: the three loudest streams, or the measured rate if higher")
  func audioIsReservedFirst() throws {
    var coordinator = try VideoPauseCoordinator.cameras(1, .pure)
    for (count, measured, reserve) in [
      (0, nil, 0), (1, nil, 57_600), (3, nil, 172_800), (50, nil, 172_800), (2, 200_000, 240_000),
      (2, 10_000, 115_200), (0, 100_000, 120_000),
    ] as [(Int, Int?, Int)] {
      try coordinator.setAudio(streamCount: count, measuredBitrate: measured, at: .zero)
      try coordinator.step(150_000 + reserve, at: .zero)
      #expect(coordinator.decision.budget.audioReserve == reserve)
      #expect(coordinator.running.count == 1)
      try coordinator.step(149_999 + reserve, at: .zero)
      #expect(coordinator.running.isEmpty)
    }
  }

  @Test("LB-04 The sent rate falls by at least the paused layers")
  func theSentRateFallsByThePausedLayers() throws {
    var coordinator = try VideoPauseCoordinator.cameras(3, .pure)
    try coordinator.step(500_000, at: .zero)
    let before = coordinator.decision
    try coordinator.step(200_000, at: second)
    let paused = coordinator.decision.streams.filter { $0.target == .paused(.bandwidth) }.map(\.id)
    let saved = before.streams.filter { paused.contains($0.id) }.reduce(0) {
      $0 + $1.target.bitrate
    }
    #expect(!paused.isEmpty)
    #expect(coordinator.decision.targetBitrate <= before.targetBitrate - saved)
  }

  @Test(
    "LB-05 LB-06 LB-16 A paused participant stays, reported by participant and type; audio never is"
  )
  func aPausedParticipantStaysInTheCall() throws {
    var coordinator = try VideoPauseCoordinator(
      .pure, streams: [(camera("a"), simulcast(100)), (share("a"), simulcast(200))])
    try coordinator.step(230_000, at: .zero)
    #expect(coordinator.pausedTracks == ["a": [.video]])
    #expect(coordinator.decision.streams.count == 2)
    try coordinator.step(0, at: second)
    #expect(coordinator.pausedTracks == ["a": [.video, .screenShare]])
  }

  @Test(
    "LB-07 LB-09 LB-10 LB-12 The capability is on by default; opting out and in are set operations and act at once"
  )
  func capabilitiesAreASetThatTakesEffectAtOnce() throws {
    var coordinator = try VideoPauseCoordinator.cameras(2, .pure)
    #expect(coordinator.clientCapabilities == [.subscriberVideoPause])
    try coordinator.step(160_000, at: .zero)
    #expect(coordinator.running.count == 1)
    for _ in 0..<2 {
      try coordinator.disableClientCapabilities([.subscriberVideoPause], at: second)
      #expect(coordinator.clientCapabilities.isEmpty)
    }
    _ = try coordinator.decide(at: second)
    #expect(coordinator.running.count == 2)
    #expect(coordinator.decision.isOversending)
    for _ in 0..<2 { try coordinator.enableClientCapabilities([.subscriberVideoPause], at: second) }
    #expect(coordinator.clientCapabilities == [.subscriberVideoPause])
    _ = try coordinator.decide(at: second)
    #expect(coordinator.running.count == 1)
    #expect(!coordinator.decision.isOversending)
  }

  @Test("LB-11 Without the capability, streams are downgraded, not paused")
  func withoutTheCapabilityStreamsAreOnlyDowngraded() throws {
    var coordinator = try VideoPauseCoordinator.cameras(2)
    try coordinator.disableClientCapabilities([.subscriberVideoPause], at: .zero)
    try coordinator.step(9_000_000, at: .zero)
    #expect(coordinator.decision.targetBitrate == 3_000_000)
    try coordinator.step(0, at: second)
    #expect(coordinator.decision.targetBitrate == 300_000)
    #expect(coordinator.pausedTracks.isEmpty)
  }

  @Test(
    "LB-13 LB-15 LB-17 LB-18 A resumed stream leaves the set when its picture arrives, or after a second"
  )
  func aResumedStreamLeavesTheSetWithItsPicture() throws {
    for isTold in [true, false] {
      var coordinator = try VideoPauseCoordinator.cameras(1)
      try coordinator.step(0, at: .zero)
      #expect(coordinator.drainPausedTracksChanges()?.paused == ["a": [.video]])
      try coordinator.setBandwidthEstimate(1_000_000, at: .seconds(1))
      var now = Timestamp.seconds(1)
      while coordinator.running.isEmpty {
        now = now.advanced(by: .milliseconds(100))
        _ = try coordinator.decide(at: now)
      }
      #expect(coordinator.row(camera("a"))?.needsKeyFrame == true)
      #expect(coordinator.pausedTracks == ["a": [.video]])
      #expect(coordinator.videoStreams.isEmpty)
      if isTold {
        try coordinator.layerLocked(camera("a"), at: now)
        #expect(coordinator.row(camera("a"))?.needsKeyFrame == false)
      } else {
        _ = try coordinator.decide(at: now.advanced(by: .milliseconds(999)))
        #expect(coordinator.pausedTracks == ["a": [.video]])
        _ = try coordinator.decide(at: now.advanced(by: .milliseconds(1_000)))
        #expect(coordinator.row(camera("a"))?.needsKeyFrame == true, "still asked for")
      }
      #expect(coordinator.drainPausedTracksChanges()?.resumed == ["a": [.video]])
      #expect(coordinator.drainPausedTracksChanges() == nil)
      #expect(coordinator.videoStreams.count == 1)
    }
  }

  @Test(
    "VR-03 VR-04 A hidden stream costs nothing and is not paused; once visible, it is sent again"
  )
  func aHiddenStreamCostsNothing() throws {
    var coordinator = try VideoPauseCoordinator.cameras(2)
    try coordinator.step(330_000, at: .zero)
    for hidden in [
      VideoDemand(isVisible: false), VideoDemand(viewSize: .zero),
      VideoDemand(viewSize: VideoSize(width: 10, height: 0)),
    ] {
      try coordinator.setDemand(hidden, for: camera("a"), at: second)
      _ = try coordinator.decide(at: second)
      #expect(coordinator.reason(camera("a")) == .notVisible)
      #expect(coordinator.decision.targetBitrate == 150_000)
      #expect(coordinator.pausedTracks.isEmpty)
      try coordinator.setDemand(VideoDemand(), for: camera("a"), at: second)
      _ = try coordinator.decide(at: second)
      #expect(coordinator.running.count == 2)
    }
  }

  @Test func aTileHiddenBecauseItIsPausedResumes() throws {
    var coordinator = try VideoPauseCoordinator.cameras(1)
    try coordinator.step(0, at: .zero)
    let hidden = VideoDemand(isVisible: false)
    try coordinator.setDemand(hidden, for: camera("a"), at: second)
    for tick in 10..<100 { try coordinator.step(1_000_000, at: .milliseconds(Int64(tick) * 100)) }
    #expect(coordinator.running.count == 1)
    // If the tile stays hidden, the stream counts as hidden after the grace, like any other.
    for tick in 100..<400 { try coordinator.step(1_000_000, at: .milliseconds(Int64(tick) * 100)) }
    #expect(coordinator.reason(camera("a")) == .notVisible)
  }

  @Test("VR-12 The smallest layer that fills the view is sent, and nothing else changes")
  func theViewSizeLimitsTheLayer() throws {
    var coordinator = try VideoPauseCoordinator.cameras(2)
    for (height, expected) in [
      (1, 180), (180, 180), (181, 360), (360, 360), (361, 720), (9_999, 720),
    ] {
      let size = VideoSize(width: height * 16 / 9 + 1, height: height)
      try coordinator.setDemand(VideoDemand(viewSize: size), for: camera("a"), at: .zero)
      try coordinator.step(9_000_000, at: .zero)
      #expect(coordinator.height(camera("a")) == expected)
      #expect(coordinator.height(camera("b")) == 720)
    }
  }

  @Test("VR-22 A limit of frames per second excludes faster layers")
  func aFrameRateLimitExcludesFasterLayers() throws {
    var coordinator = try VideoPauseCoordinator(
      .pure, streams: [(camera("a"), JitsiView.layers.map(\.1))])
    for limit in [60, 30, 28, 15, 7.5, 1] {
      try coordinator.setDemand(
        VideoDemand(maximumFramesPerSecond: limit), for: camera("a"), at: .zero)
      try coordinator.step(9_000_000, at: .zero)
      let rate = coordinator.row(camera("a"))?.target.layer?.framesPerSecond ?? 99
      #expect(rate <= max(1.05 * limit, 7.5), "the slowest is 7.5")
    }
  }

  /// Its own stream is not forwarded to it.
  @Test func theSubscribersOwnPauseIsKept() throws {
    var coordinator = try VideoPauseCoordinator.cameras(1)
    try coordinator.upsertStream(
      camera("me"), kind: .camera, layers: simulcast(100), isLocal: true, at: .zero)
    try coordinator.setSubscriberPaused(true, for: camera("a"), at: .zero)
    try coordinator.step(9_000_000, at: .zero)
    #expect(coordinator.reason(camera("a")) == .subscriberPaused)
    #expect(coordinator.reason(camera("me")) == .notRequested)
    #expect(coordinator.pausedTracks.isEmpty)
  }

  /// They also limit oversending.
  @Test func pausePoliciesSetTheOrderOfPausing() throws {
    var coordinator = try VideoPauseCoordinator.cameras(3, .pure)
    let policies: [(String, PausePolicy)] = [("c", .never), ("b", .lastResort)]
    for (name, policy) in policies {
      try coordinator.setDemand(VideoDemand(pausePolicy: policy), for: camera(name), at: .zero)
    }
    for (estimate, running) in [
      (450_000, "abc"), (449_999, "bc"), (300_000, "bc"), (299_999, "c"), (0, "c"),
    ] {
      try coordinator.step(estimate, at: .zero)
      #expect(coordinator.running == Set(running.map { camera(String($0)) }))
    }
    #expect(coordinator.decision.isOversending)
    try coordinator.upsertStream(camera("c"), kind: .camera, layers: simulcast(501), at: .zero)
    try coordinator.step(0, at: .zero)
    #expect(coordinator.running.isEmpty)
    #expect(coordinator.row(camera("c"))?.required == 1_000)
  }

  /// By pins, own and newest first, then shares, priority, recent speakers, larger views and names.
  @Test func streamsAreRanked() throws {
    var coordinator = try VideoPauseCoordinator.cameras(8)
    try coordinator.upsertStream(share("z"), kind: .screenShare, layers: simulcast(100), at: .zero)
    let demands: [(String, VideoDemand)] = [
      ("h", VideoDemand(pin: Pin(pinnedAt: .seconds(2)))),
      ("g", VideoDemand(pin: Pin(pinnedAt: .seconds(1)))),
      ("f", VideoDemand(pin: Pin(isLocal: false, pinnedAt: .seconds(9)))),
      ("e", VideoDemand(priority: .high)), ("d", VideoDemand(priority: .low)),
      ("c", VideoDemand(viewSize: VideoSize(width: 640, height: 360))),
    ]
    for (name, demand) in demands {
      try coordinator.setDemand(demand, for: camera(name), at: .zero)
    }
    try coordinator.setSpeakerOrder(["b", "d"], at: .zero)
    _ = try coordinator.decide(at: .zero)
    let order = coordinator.decision.streams.map(\.id.participant.rawValue)
    #expect(order == ["h", "g", "f", "z", "e", "d", "b", "c", "a"])
  }

  /// Its generation counts up.
  @Test func aNewDecisionFollowsOnlyAChange() throws {
    var coordinator = try VideoPauseCoordinator.cameras(2)
    let first = try #require(try coordinator.step(9_000_000, at: .zero))
    #expect(first.generation == 1)
    #expect(try coordinator.decide(at: second) == nil)
    #expect(try coordinator.step(8_000_000, at: .seconds(2)) == nil)
    #expect(coordinator.decision.budget.estimate == 8_000_000)
    try coordinator.setDemand(VideoDemand(isVisible: false), for: camera("b"), at: .seconds(3))
    #expect(try coordinator.decide(at: .seconds(3))?.generation == 2)
  }

  @Test func theFirstEstimateReplacesTheDefaultAtOnce() throws {
    var coordinator = try VideoPauseCoordinator.cameras(2)
    _ = try coordinator.decide(at: .zero)
    #expect(coordinator.decision.budget.estimate == 1_000_000)
    #expect(coordinator.running.count == 2)
    try coordinator.step(9_000_000, at: .seconds(1))
    #expect(coordinator.decision.targetBitrate == 3_000_000)
  }
}
