import Testing

@testable import VideoPause

/// Streams that are updated with different properties: everything that depends on them must follow.
@Suite struct ChangeTests {
  private func names(_ coordinator: inout VideoPauseCoordinator) throws -> String {
    _ = try coordinator.decide(at: coordinator.clock ?? .zero)
    return coordinator.decision.streams.map(\.id.participant.rawValue).joined()
  }

  /// Whether a stream is the subscriber's own may change.
  @Test func aSubscribersOwnStreamIsNotForwarded() throws {
    var coordinator = try VideoPauseCoordinator.cameras(2, .pure)
    try coordinator.step(9_000_000, at: .zero)
    for isLocal in [true, false, true] {
      try coordinator.upsertStream(
        camera("a"), kind: .camera, layers: simulcast(150, 500, 1_500), isLocal: isLocal, at: .zero)
      try coordinator.step(9_000_000, at: .zero)
      #expect(coordinator.reason(camera("a")) == (isLocal ? .notRequested : nil))
      #expect(coordinator.decision.targetBitrate == (isLocal ? 1_500_000 : 3_000_000))
    }
  }

  /// A screen share is read, a camera is watched.
  @Test func aNewKindOfVideoChoosesLayersAnew() throws {
    var coordinator = try VideoPauseCoordinator(.pure, streams: [])
    let layers = JitsiView.layers.map(\.1)
    for (kind, levels) in [(VideoKind.camera, 5), (.screenShare, 9), (.camera, 5)] {
      try coordinator.upsertStream(camera("a"), kind: kind, layers: layers, at: .zero)
      try coordinator.step(9_000_000, at: .zero)
      #expect(coordinator.streams.states[0].ladder.count == levels)
    }
  }

  /// Another speaker has the place until there is a picture.
  @Test func aSpeakerWithoutAPictureGivesUpTheirPlace() throws {
    var coordinator = try VideoPauseCoordinator.cameras(3, .pure)
    try coordinator.setInMeeting(true, at: .zero)
    _ = try coordinator.setVideoLayout(.custom, at: .zero)
    let entry = VideoStreamConfiguration(requestedStreamQuality: .r720p_30fps, streamPriority: .low)
    let result = try coordinator.setVideoStreamConfiguration([entry], at: .zero)
    #expect(result == .success)
    try coordinator.setSpeakerOrder(["b", "c"], at: .zero)
    func shown() throws -> String {
      try coordinator.step(9_000_000, at: .zero)
      return coordinator.running.map(\.participant.rawValue).sorted().joined()
    }
    func publish(_ name: String, _ layers: [VideoLayer], isLocal: Bool = false) throws {
      try coordinator.upsertStream(
        camera(name), kind: .camera, layers: layers, isLocal: isLocal, at: .zero)
    }
    #expect(try shown() == "b")
    try publish("b", [])
    #expect(try shown() == "c")
    try publish("c", simulcast(150), isLocal: true)
    #expect(try shown() == "a")
    try publish("c", simulcast(150))
    #expect(try shown() == "c")
    try publish("b", simulcast(150))
    #expect(try shown() == "b")
    try coordinator.removeStream(camera("b"), at: .zero)
    #expect(try shown() == "c")
    try publish("b", simulcast(150))
    #expect(try shown() == "b", "who comes back is still the most recent speaker")
    try coordinator.setPublisherMuted(true, for: camera("b"), at: .zero)
    #expect(try shown() == "c")
    try coordinator.setPublisherMuted(false, for: camera("b"), at: .zero)
    #expect(try shown() == "b")
  }

  /// It is shown beside the layout.
  @Test func aScreenShareTakesNoSpeakersPlace() throws {
    var coordinator = try VideoPauseCoordinator(
      .pure, streams: [(share("a"), simulcast(200)), (camera("b"), simulcast(150))])
    try coordinator.setInMeeting(true, at: .zero)
    _ = try coordinator.setVideoLayout(.custom, at: .zero)
    let entry = VideoStreamConfiguration(requestedStreamQuality: .r90p_3fps, streamPriority: .high)
    _ = try coordinator.setVideoStreamConfiguration([entry], at: .zero)
    try coordinator.setSpeakerOrder(["a", "b"], at: .zero)
    try coordinator.step(9_000_000, at: .zero)
    #expect(coordinator.running == [share("a"), camera("b")])
  }

  @Test func anEarlierSpeakerRanksFirstOnceTheCameraStarts() throws {
    var coordinator = try VideoPauseCoordinator.cameras(2, .pure)
    try coordinator.setSpeakerOrder(["c", "b"], at: .zero)
    #expect(try names(&coordinator) == "ba")
    try coordinator.upsertStream(camera("c"), kind: .camera, layers: simulcast(150), at: .zero)
    #expect(try names(&coordinator) == "cba")
    try coordinator.upsertStream(share("c"), kind: .camera, layers: simulcast(150), at: .zero)
    #expect(try names(&coordinator) == "ccba")
    try coordinator.removeStream(camera("c"), at: .zero)
    #expect(try names(&coordinator) == "cba")
  }

  @Test func eachRankingPartOfADemandMovesTheStream() throws {
    var coordinator = try VideoPauseCoordinator.cameras(3, .pure)
    let demands = [
      VideoDemand(pin: Pin(isLocal: false, pinnedAt: .zero)),
      VideoDemand(pin: Pin(pinnedAt: .zero)),
      VideoDemand(priority: .low), VideoDemand(viewSize: VideoSize(width: 320, height: 180)),
    ]
    #expect(try names(&coordinator) == "abc")
    for demand in demands {
      try coordinator.setDemand(demand, for: camera("c"), at: .zero)
      #expect(try names(&coordinator) == "cab", "\(demand)")
      try coordinator.setDemand(VideoDemand(), for: camera("c"), at: .zero)
      #expect(try names(&coordinator) == "abc", "\(demand)")
    }
    // The larger view, the higher priority and the newer pin rank first.
    let pairs = [
      (demands[3], VideoDemand(viewSize: VideoSize(width: 320, height: 181))),
      (demands[2], VideoDemand(priority: .medium)),
      (demands[1], VideoDemand(pin: Pin(pinnedAt: Timestamp(microseconds: 1)))),
    ]
    for (less, more) in pairs {
      try coordinator.setDemand(less, for: camera("c"), at: .zero)
      try coordinator.setDemand(more, for: camera("b"), at: .zero)
      #expect(try names(&coordinator) == "bca", "\(more)")
      try coordinator.setDemand(more, for: camera("c"), at: .zero)
      try coordinator.setDemand(less, for: camera("b"), at: .zero)
      #expect(try names(&coordinator) == "cba", "\(more)")
    }
  }
}
