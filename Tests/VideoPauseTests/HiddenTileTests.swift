import Testing

@testable import VideoPause

/// Tiles that an interface hides because their video is paused, and streams held back by their gate: which of them
/// resume, and when.
@Suite struct HiddenTileTests {
  private let alice = camera("a")

  /// Returns a coordinator with one camera of 150 kbit/s, paused since 0 s, whose tile is hidden since 1 s.
  private func hidden(_ demand: VideoDemand) throws -> VideoPauseCoordinator {
    var coordinator = try VideoPauseCoordinator(.pure, streams: [(alice, simulcast(150))])
    try coordinator.step(0, at: .zero)
    try coordinator.setDemand(demand, for: alice, at: .seconds(1))
    try coordinator.step(0, at: .seconds(1))
    #expect(coordinator.reason(alice) == .bandwidth)
    return coordinator
  }

  @Test func onlyPinnedOrHighPriorityTilesStayWantedAfterTheGrace() throws {
    let pin = Pin(isLocal: false, pinnedAt: .zero)
    for (demand, isWanted) in [
      (VideoDemand(isVisible: false), false),
      (VideoDemand(isVisible: false, priority: .low), false),
      (VideoDemand(isVisible: false, priority: .medium), false),
      (VideoDemand(isVisible: false, priority: .high), true),
      (VideoDemand(viewSize: .zero, priority: .high), true),
      (VideoDemand(isVisible: false, pin: pin), true),
      (VideoDemand(isVisible: false, pin: pin, priority: .low), true),
    ] {
      var coordinator = try hidden(demand)
      try coordinator.step(0, at: .milliseconds(10_999))
      #expect(coordinator.reason(alice) == .bandwidth, "within the grace: \(demand)")
      try coordinator.step(0, at: .seconds(11))
      #expect(coordinator.reason(alice) == (isWanted ? .bandwidth : .notVisible), "\(demand)")
      #expect(coordinator.pausedTracks.isEmpty == !isWanted)
      // Minutes later, bandwidth is available.
      try coordinator.step(200_000, at: .seconds(300))
      #expect(coordinator.running.isEmpty == !isWanted, "\(demand)")
    }
  }

  @Test func theLayoutsPriorityPrecedesTheDemands() throws {
    for (own, entry, isWanted) in [
      (nil, .high, true), (.low, .high, true), (.high, .low, false), (.high, nil, true),
    ] as [(StreamPriority?, StreamPriority?, Bool)] {
      var coordinator = try VideoPauseCoordinator(.pure, streams: [(alice, simulcast(150))])
      try coordinator.setInMeeting(true, at: .zero)
      _ = try coordinator.setVideoLayout(.custom, at: .zero)
      let result = try coordinator.setVideoStreamConfiguration(
        [
          VideoStreamConfiguration(
            requestedStreamQuality: .r360p_30fps, participantID: "a", streamPriority: entry)
        ], at: .zero)
      #expect(result == .success)
      try coordinator.step(0, at: .zero)
      try coordinator.setDemand(
        VideoDemand(isVisible: false, priority: own), for: alice, at: .seconds(1))
      try coordinator.step(0, at: .seconds(20))
      #expect(coordinator.reason(alice) == (isWanted ? .bandwidth : .notVisible))
    }
  }

  @Test func aRunningStreamOfHighPriorityIsHiddenAtOnce() throws {
    for demand in [
      VideoDemand(isVisible: false, priority: .high),
      VideoDemand(isVisible: false, pin: Pin(pinnedAt: .zero)),
    ] {
      var coordinator = try VideoPauseCoordinator(.pure, streams: [(alice, simulcast(150))])
      try coordinator.step(200_000, at: .zero)
      try coordinator.setDemand(demand, for: alice, at: .seconds(1))
      try coordinator.step(200_000, at: .seconds(1))
      #expect(coordinator.reason(alice) == .notVisible)
      #expect(coordinator.decision.nextDecisionAt == nil)
    }
  }

  /// The interface can show it in that time; then it is hidden.
  @Test func aStreamResumedBehindAHiddenTileHasAGrace() throws {
    for resume in [5, 60] as [Int64] {
      var coordinator = try hidden(VideoDemand(isVisible: false, priority: .high))
      try coordinator.step(200_000, at: .seconds(resume))
      #expect(coordinator.running == [alice])
      // The look after the key frame's timeout of 1 s schedules the end of the grace.
      _ = try coordinator.decide(at: .seconds(resume + 1))
      #expect(coordinator.decision.nextDecisionAt == .seconds(resume + 10))
      #expect(coordinator.pausedTracks.isEmpty)
      var shown = coordinator
      try coordinator.step(200_000, at: .milliseconds(resume * 1_000 + 9_999))
      #expect(coordinator.running == [alice])
      try coordinator.step(200_000, at: .seconds(resume + 10))
      #expect(coordinator.reason(alice) == .notVisible, "resumed at \(resume) s")
      // Shown again within the grace, it stays for good.
      try shown.setDemand(VideoDemand(), for: alice, at: .seconds(resume + 9))
      try shown.step(200_000, at: .seconds(resume + 9))
      #expect(shown.decision.nextDecisionAt == nil)
      try shown.step(200_000, at: .seconds(resume + 300))
      #expect(shown.running == [alice])
    }
  }

  /// If the tile is hidden later, the stream is hidden at once.
  @Test func aStreamResumedInAVisibleTileHasNoGrace() throws {
    var coordinator = try hidden(VideoDemand(priority: .medium))
    try coordinator.step(200_000, at: .seconds(2))
    try coordinator.setDemand(VideoDemand(isVisible: false), for: alice, at: .seconds(3))
    try coordinator.step(200_000, at: .seconds(3))
    #expect(coordinator.reason(alice) == .notVisible)
  }

  /// Somebody else's pin does not, nor does a repeated one.
  @Test func onlyANewPinOfTheSubscriberOpensAGate() throws {
    var configuration = VideoPauseConfiguration.pure
    configuration.resumeLimit = 1
    // The first in rank has a gate that opens for the estimate.
    let first = camera("first")
    var coordinator = try VideoPauseCoordinator(
      configuration, streams: [(first, simulcast(50)), (alice, simulcast(150))])
    try coordinator.setDemand(VideoDemand(pin: Pin(pinnedAt: .seconds(99))), for: first, at: .zero)
    // The one resume that a minute allows is at 2 s.
    for (rate, second) in [(200_000, 0), (50_000, 1), (200_000, 2), (50_000, 3), (200_000, 4)] {
      try coordinator.step(rate, at: .seconds(Int64(second)))
    }
    func pin(_ pin: Pin?, _ second: Int64, size: Int = 180) throws -> Bool {
      let view = VideoSize(width: 2 * size, height: size)
      try coordinator.setDemand(
        VideoDemand(viewSize: view, pin: pin), for: alice, at: .seconds(second))
      try coordinator.step(200_000, at: .seconds(second))
      return coordinator.running.contains(alice)
    }
    #expect(try !pin(Pin(isLocal: false, pinnedAt: .seconds(5)), 5), "somebody else's")
    #expect(try !pin(Pin(isLocal: false, pinnedAt: .seconds(6)), 6), "somebody else's, anew")
    #expect(coordinator.row(alice)?.required == 0, "only the gate holds it")
    #expect(coordinator.decision.nextDecisionAt ?? .zero <= .seconds(62))
    let own = Pin(pinnedAt: .seconds(7))
    #expect(try pin(own, 7), "the subscriber's own")
    try coordinator.step(50_000, at: .seconds(8))
    #expect(try !pin(own, 9), "the same pin as before: the resume at 7 s counts")
    #expect(try !pin(own, 10, size: 90), "the same pin and another size")
    #expect(try !pin(nil, 11), "taking the pin away")
    #expect(try pin(Pin(pinnedAt: .seconds(12)), 12), "a new one")
    try coordinator.step(50_000, at: .seconds(13))
    try coordinator.step(200_000, at: .milliseconds(71_999))
    #expect(coordinator.running == [first])
    try coordinator.step(200_000, at: .seconds(72))
    #expect(coordinator.running == [first, alice], "a minute after the resume at 12 s")
  }
}
