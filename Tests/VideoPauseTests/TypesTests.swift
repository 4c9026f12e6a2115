import Testing

@testable import VideoPause

@Suite struct TypesTests {
  @Test("LB-07 LB-08 The default capabilities are set, and unknown wire values are ignored")
  func unknownCapabilitiesAreIgnored() {
    #expect(ClientCapability.defaults == [.subscriberVideoPause])
    #expect(
      ClientCapability.parse(["subscriberVideoPause", "teleport"]) == [.subscriberVideoPause])
    #expect(ClientCapability.parse([]).isEmpty)
  }

  @Test("LB-14 Cameras and screen shares are two streams; others are refused under their own names")
  func onlyCamerasAndScreenSharesAreStreams() throws {
    var coordinator = try VideoPauseCoordinator()
    for name in ["audio", "screenShareAudio", "unknown", "hologram"] {
      let id = StreamID(participant: "ann", trackType: TrackType(rawValue: name))
      let error = VideoPauseError.notVideo(id)
      #expect("\(error)".contains("ann/\(name) is not video"))
      #expect(throws: error) {
        try coordinator.upsertStream(id, kind: .camera, layers: simulcast(100), at: .zero)
      }
    }
    for name in ["video", "screenShare"] {
      let id = StreamID(participant: "ann", trackType: TrackType(rawValue: name))
      try coordinator.upsertStream(id, kind: .camera, layers: simulcast(100), at: .zero)
    }
    _ = try coordinator.decide(at: .zero)
    #expect(coordinator.running == [camera("ann"), share("ann")])
  }

  @Test("IV-11 There are twelve qualities, each with its resolution and frame rate")
  func eachQualityHasItsResolutionAndFrameRate() {
    let table: [(StreamQuality, Int, Double)] = [
      (.r90p_3fps, 90, 3), (.r90p_7fps, 90, 7.5), (.r90p_15fps, 90, 15),
      (.r180p_7fps, 180, 7.5), (.r180p_15fps, 180, 15), (.r180p_30fps, 180, 30),
      (.r360p_7fps, 360, 7.5), (.r360p_15fps, 360, 15), (.r360p_30fps, 360, 30),
      (.r720p_7fps, 720, 7.5), (.r720p_15fps, 720, 15), (.r720p_30fps, 720, 30),
    ]
    #expect(StreamQuality.allCases == table.map(\.0))
    for (quality, height, rate) in table {
      #expect(quality.resolution == VideoSize(width: height * 16 / 9, height: height))
      #expect(quality.framesPerSecond == rate)
    }
    #expect(StreamQuality.r90p_15fps < .r180p_7fps)
  }

  @Test("IV-12 Streams rank by priority: high, medium, low, none")
  func streamsRankByPriority() throws {
    var coordinator = try VideoPauseCoordinator.cameras(4)
    for (name, priority) in [("b", StreamPriority.low), ("c", .high), ("d", .medium)] {
      try coordinator.setDemand(VideoDemand(priority: priority), for: camera(name), at: .zero)
    }
    _ = try coordinator.decide(at: .zero)
    #expect(coordinator.decision.streams.map(\.id) == ["c", "d", "b", "a"].map { camera($0) })
  }

  /// EndTests has the ends of the range.
  @Test func timesAddUp() {
    let second = Timestamp.seconds(1)
    #expect(second.advanced(by: .milliseconds(500)) == .milliseconds(1_500))
    #expect(second.advanced(by: .seconds(-2)) == .seconds(-1))
    #expect(second.duration(to: .milliseconds(250)) == .milliseconds(-750))
  }

  /// Guarantee G10.
  @Test func aChangeLeadsFromOneStateToAnother() {
    let old: [ParticipantID: Set<TrackType>] = ["a": [.video, .screenShare], "b": [.video]]
    let new: [ParticipantID: Set<TrackType>] = ["a": [.screenShare], "c": [.video]]
    let change = PausedTracksChange(from: old, to: new)
    #expect(change?.paused == ["c": [.video]])
    #expect(change?.resumed == ["a": [.video], "b": [.video]])
    var state = old
    change?.apply(to: &state)
    #expect(state == new)
    #expect(PausedTracksChange(from: old, to: old) == nil)
  }
}
