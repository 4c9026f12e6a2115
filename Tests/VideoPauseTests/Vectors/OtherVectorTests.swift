import Testing

@testable import VideoPause

/// One allocation: streams in the order of importance with their layers, all rates in kbit/s.
private struct Division: Sendable {
  var source: String
  var strategy: AllocationStrategy
  var streams: [(name: String, priority: StreamPriority?, layers: [Int])]
  var budget: Int
  /// The expected rates in kbit/s; 0 if paused.
  var expect: [String: Int]

  func divide() throws -> [String: Int] {
    var configuration = VideoPauseConfiguration.pure
    configuration.strategy = strategy
    var coordinator = try VideoPauseCoordinator(
      configuration, streams: streams.map { (id($0.name), simulcast($0.layers)) })
    for stream in streams {
      try coordinator.setDemand(
        VideoDemand(priority: stream.priority), for: id(stream.name), at: .zero)
    }
    try coordinator.step(budget * 1_000, at: .zero)
    return Dictionary(
      uniqueKeysWithValues: coordinator.decision.streams.map {
        ($0.id.participant.rawValue, $0.target.bitrate / 1_000)
      })
  }

  private func id(_ name: String) -> StreamID { name == "share" ? share(name) : camera(name) }
}

/// Vectors of LiveKit, mediasoup, Chime and Stream.
@Suite struct OtherVectorTests {
  private static let meeting: [(name: String, priority: StreamPriority?, layers: [Int])] = [
    ("share", nil, [200, 1_000]), ("cam1", nil, [100, 300, 900]), ("cam2", nil, [100, 300, 900]),
  ]
  private static let consumers: [(name: String, priority: StreamPriority?, layers: [Int])] = [
    ("p3", .high, [100, 300, 900]), ("p1", .low, [100, 300, 900]),
  ]
  private static func attendees(_ count: Int) -> [(
    name: String, priority: StreamPriority?, layers: [Int]
  )] {
    ["a", "b", "c", "d"].prefix(count).map { ($0, nil, [300, 1_200]) }
  }

  private static let divisions: [Division] = [
    // livekit@788d4c3: the rules of allocateAllTracks.
    Division(
      source: "LiveKit", strategy: .priority, streams: meeting, budget: 250,
      expect: ["share": 200, "cam1": 0, "cam2": 0]),
    Division(
      source: "LiveKit", strategy: .priority, streams: meeting, budget: 450,
      expect: ["share": 200, "cam1": 100, "cam2": 100]),
    Division(
      source: "LiveKit", strategy: .priority, streams: meeting, budget: 1_300,
      expect: ["share": 1_000, "cam1": 100, "cam2": 100]),
    Division(
      source: "LiveKit", strategy: .priority,
      streams: [("share", nil, [600]), ("cam1", nil, [100])], budget: 300,
      expect: ["share": 0, "cam1": 100]),
    // mediasoup@a82dba8: the rules of Transport.cpp.
    Division(
      source: "mediasoup", strategy: .priority, streams: consumers, budget: 200,
      expect: ["p3": 100, "p1": 100]),
    Division(
      source: "mediasoup", strategy: .priority, streams: consumers, budget: 1_000,
      expect: ["p3": 900, "p1": 100]),
    Division(
      source: "mediasoup", strategy: .priority, streams: consumers, budget: 150,
      expect: ["p3": 100, "p1": 0]),
    // amazon-chime-sdk-js@78e8a23: VideoPriorityBasedPolicy.test.ts, the steps without their timing.
    Division(
      source: "Chime", strategy: .grid, streams: attendees(3), budget: 2_800,
      expect: ["a": 1_200, "b": 1_200, "c": 300]),
    Division(
      source: "Chime", strategy: .grid, streams: attendees(3), budget: 3_600,
      expect: ["a": 1_200, "b": 1_200, "c": 1_200]),
    Division(
      source: "Chime", strategy: .grid, streams: attendees(3), budget: 900,
      expect: ["a": 300, "b": 300, "c": 300]),
    Division(
      source: "Chime", strategy: .grid, streams: attendees(3), budget: 300,
      expect: ["a": 300, "b": 0, "c": 0]),
    Division(
      source: "Chime", strategy: .grid, streams: attendees(4), budget: 600,
      expect: ["a": 300, "b": 300, "c": 0, "d": 0]),
    Division(
      source: "Chime", strategy: .grid, streams: attendees(4), budget: 1_200,
      expect: ["a": 300, "b": 300, "c": 300, "d": 300]),
  ]

  @Test(arguments: divisions)
  private func divisionsMatchTheirSources(_ division: Division) throws {
    #expect(try division.divide() == division.expect, "\(division.source)")
  }

  /// LiveKit's next higher layer.
  @Test func gapsInTheGridOfLayersAreSkipped() throws {
    let rates = [[2, 3, 0, 0], [4, 0, 0, 5], [0, 7, 0, 0]]
    let layers = rates.enumerated().flatMap { spatial, row in
      row.enumerated().map { temporal, rate in
        VideoLayer(
          spatial: spatial, temporal: temporal,
          size: VideoSize(width: 320 << spatial, height: 180 << spatial), bitrate: rate)
      }
    }
    let ladder = LoneLadder(layers, kind: .screenShare, limits: Ladder.Limits())
    #expect(
      ladder.layers.map { [layers[$0].spatial, layers[$0].temporal] } == [
        [0, 0], [0, 1], [1, 0], [1, 3], [2, 1],
      ])
    #expect(ladder.steps.map(\.bitrate) == [2, 3, 4, 5, 7])
  }

  /// Muted, feed dry, bandwidth. A dry feed is paused rather than held.
  @Test func reasonsMatchLiveKits() throws {
    let id = camera("a")
    var coordinator = try VideoPauseCoordinator(.pure, streams: [(id, simulcast(1, 5, 9))])
    try coordinator.step(12_000, at: .zero)
    #expect(coordinator.row(id)?.target.bitrate == 9_000)
    try coordinator.setPublisherMuted(true, for: id, at: .zero)
    try coordinator.step(12_000, at: .zero)
    #expect(coordinator.reason(id) == .publisherMuted)
    #expect(coordinator.decision.targetBitrate == 0)
    try coordinator.setPublisherMuted(false, for: id, at: .zero)
    try coordinator.upsertStream(id, kind: .camera, layers: simulcast(0, 0, 0), at: .zero)
    try coordinator.step(12_000, at: .zero)
    #expect(coordinator.reason(id) == .feedDry)
    try coordinator.upsertStream(id, kind: .camera, layers: simulcast(1, 5, 9), at: .zero)
    try coordinator.step(0, at: .zero)
    #expect(coordinator.reason(id) == .bandwidth)
    #expect(coordinator.row(id)?.required == 1_000)
    #expect(coordinator.row(id)?.ideal?.bitrate == 9_000)
  }

  /// As in Stream's SDK.
  @Test func unpublishingRemovesOneTypeOfOneParticipant() throws {
    var coordinator = try VideoPauseCoordinator(
      .pure,
      streams: [
        (camera("A"), simulcast(100)), (share("A"), simulcast(100)), (camera("B"), simulcast(100)),
      ])
    try coordinator.step(0, at: .zero)
    #expect(coordinator.pausedTracks == ["A": [.video, .screenShare], "B": [.video]])
    try coordinator.removeStream(camera("A"), at: .zero)
    #expect(coordinator.pausedTracks == ["A": [.screenShare], "B": [.video]])
    try coordinator.removeStream(share("A"), at: .zero)
    #expect(coordinator.pausedTracks == ["B": [.video]])
  }
}
