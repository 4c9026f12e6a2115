import Annotations
import Testing
import VideoPause

@testable import PauseTrace

/// Each type of line calls the corresponding method of the coordinator, with the same arguments.
@Suite struct TraceInputTests {
  typealias Call = @Sendable (inout VideoPauseCoordinator, Timestamp) throws -> Void

  static let alice = StreamID(participant: "alice")
  static let bob = StreamID(participant: "bob")
  static let layers = [
    VideoLayer(
      spatial: 0, size: VideoSize(width: 320, height: 180), framesPerSecond: 30, bitrate: 150_000),
    VideoLayer(
      spatial: 1, size: VideoSize(width: 640, height: 360), framesPerSecond: 30, bitrate: 500_000),
    VideoLayer(
      spatial: 2, size: VideoSize(width: 1280, height: 720), framesPerSecond: 30, bitrate: 1_500_000
    ),
  ]

  private static func stream(_ name: String) -> String {
    let layers = [(320, 180, 150_000), (640, 360, 500_000), (1280, 720, 1_500_000)]
    let rows = layers.enumerated().map { index, layer in
      """
      {"spatial": \(index), "width": \(layer.0), "height": \(layer.1), "fps": 30, "bps": \(layer.2)}
      """
    }
    return """
      {"at": 0, "type": "stream", "participant": "\(name)", "layers": [\(rows.joined(separator: ", "))]}
      """
  }

  /// Two cameras on a line that carries three and a half of the smallest layers.
  private static let head = [
    stream("alice"), stream("bob"), #"{"at": 0, "type": "estimate", "bps": 550000}"#,
    #"{"at": 0, "type": "meeting", "in_meeting": true}"#,
    #"{"at": 0, "type": "layout", "layout": "custom"}"#,
  ]

  private func prepared() throws -> VideoPauseCoordinator {
    var coordinator = try VideoPauseCoordinator()
    for id in [Self.alice, Self.bob] {
      try coordinator.upsertStream(id, kind: .camera, layers: Self.layers, at: .zero)
    }
    try coordinator.setBandwidthEstimate(550_000, at: .zero)
    try coordinator.setInMeeting(true, at: .zero)
    _ = try coordinator.setVideoLayout(.custom, at: .zero)
    _ = try coordinator.decide(at: .zero)
    return coordinator
  }

  /// Returns the coordinator's decisions after `line`, and 10 s later.
  private func told(by line: String) throws -> [AllocationDecision] {
    let replay = try PlayedTrace(Self.head + [line, #"{"at": 12, "type": "tick"}"#])
    return [2, 12].map { second in
      replay.states.last { $0.at == .seconds(second) }?.decision ?? AllocationDecision()
    }
  }

  private func expected(_ call: Call) throws -> [AllocationDecision] {
    var coordinator = try prepared()
    try play(&coordinator, until: .seconds(2))
    try call(&coordinator, .seconds(2))
    _ = try coordinator.decide(at: .seconds(2))
    let first = coordinator.decision
    try play(&coordinator, until: .seconds(12))
    _ = try coordinator.decide(at: .seconds(12))
    return [first, coordinator.decision]
  }

  private func play(_ coordinator: inout VideoPauseCoordinator, until end: Timestamp) throws {
    while let next = coordinator.decision.nextDecisionAt, next < end {
      _ = try coordinator.decide(at: next)
    }
  }

  private static let size = VideoSize(width: 200, height: 100)

  /// Each of them changes the decision.
  static let calls: [(line: String, call: Call)] = [
    (
      #"{"type": "stream", "participant": "carol", "track": "screenShare", "layers": [{"spatial": 0, "temporal": 1, "width": 320, "height": 180, "fps": 7.5, "bps": 90000}, {"spatial": 1, "width": 640, "height": 360, "bps": 95000, "active": false}]}"#,
      { coordinator, at in
        let id = StreamID(participant: "carol", trackType: .screenShare)
        let layers = [
          VideoLayer(
            spatial: 0, temporal: 1, size: VideoSize(width: 320, height: 180),
            framesPerSecond: 7.5, bitrate: 90_000),
          VideoLayer(
            spatial: 1, size: VideoSize(width: 640, height: 360), bitrate: 95_000, isActive: false),
        ]
        try coordinator.upsertStream(id, kind: .screenShare, layers: layers, at: at)
      }
    ),
    (
      #"{"type": "stream", "participant": "bob", "kind": "screenShare", "local": true, "layers": []}"#,
      {
        try $0.upsertStream(bob, kind: .screenShare, layers: [], isLocal: true, at: $1)
      }
    ),
    (#"{"type": "remove_stream", "participant": "alice"}"#, { try $0.removeStream(alice, at: $1) }),
    (
      #"{"type": "publisher_muted", "participant": "alice", "muted": true}"#,
      { try $0.setPublisherMuted(true, for: alice, at: $1) }
    ),
    (
      #"{"type": "subscriber_paused", "participant": "alice", "paused": true}"#,
      { try $0.setSubscriberPaused(true, for: alice, at: $1) }
    ),
    (
      #"{"type": "demand", "participant": "alice", "visible": false}"#,
      { try $0.setDemand(VideoDemand(isVisible: false), for: alice, at: $1) }
    ),
    (
      #"{"type": "demand", "participant": "bob", "view": {"width": 200, "height": 100}, "pin": {"local": false, "at": 1.5}, "priority": "high", "maximum_quality": "r180p_15fps", "pause_policy": "lastResort", "maximum_fps": 7.5}"#,
      { coordinator, at in
        let demand = VideoDemand(
          viewSize: size, pin: Pin(isLocal: false, pinnedAt: .milliseconds(1_500)), priority: .high,
          maximumQuality: .r180p_15fps, pausePolicy: .lastResort, maximumFramesPerSecond: 7.5)
        try coordinator.setDemand(demand, for: bob, at: at)
      }
    ),
    (
      #"{"type": "stream", "participant": "bob", "layers": [{"spatial": 2, "temporal": 1, "width": 320, "height": 180, "bps": 90000, "decode_target": true}]}"#,
      { coordinator, at in
        let layer = VideoLayer(
          spatial: 2, temporal: 1, size: VideoSize(width: 320, height: 180), bitrate: 90_000,
          isDecodeTarget: true)
        try coordinator.upsertStream(bob, kind: .camera, layers: [layer], at: at)
      }
    ),
    (
      #"{"type": "demand", "participant": "bob", "minimum_quality": "r720p_7fps"}"#,
      { try $0.setDemand(VideoDemand(minimumQuality: .r720p_7fps), for: bob, at: $1) }
    ),
    (
      #"{"type": "demand", "participant": "bob", "pin": {}}"#,
      { try $0.setDemand(VideoDemand(pin: Pin(pinnedAt: $1)), for: bob, at: $1) }
    ),
    (
      #"{"type": "estimate", "bps": 100000, "congestion": "congested"}"#,
      { try $0.setBandwidthEstimate(100_000, congestion: .congested, at: $1) }
    ),
    (
      #"{"type": "audio", "streams": 2, "measured_bps": 400000}"#,
      { try $0.setAudio(streamCount: 2, measuredBitrate: 400_000, at: $1) }
    ),
    (#"{"type": "audio", "streams": 9}"#, { try $0.setAudio(streamCount: 9, at: $1) }),
    (
      #"{"type": "other_traffic", "bps": 400000}"#, { try $0.setOtherTraffic(400_000, at: $1) }
    ),
    (
      #"{"type": "speaking", "participant": "bob", "speaking": true}"#,
      { try $0.setSpeaking(true, for: "bob", at: $1) }
    ),
    (
      #"{"type": "speakers", "participants": ["bob", "eve"]}"#,
      { try $0.setSpeakerOrder(["bob", "eve"], at: $1) }
    ),
    (#"{"type": "last_n", "count": 1}"#, { try $0.setLastN(1, at: $1) }),
    (
      #"{"type": "receive_720p", "enabled": false}"#,
      { try $0.set720pVideoReceiveEnabled(false, at: $1) }
    ),
    (
      #"{"type": "layout_streams", "streams": [{"quality": "r360p_30fps", "participant": "bob", "priority": "high"}, {"quality": "r90p_3fps", "priority": "low"}]}"#,
      { coordinator, at in
        let result = try coordinator.setVideoStreamConfiguration(
          [
            VideoStreamConfiguration(
              requestedStreamQuality: .r360p_30fps, participantID: "bob", streamPriority: .high),
            VideoStreamConfiguration(requestedStreamQuality: .r90p_3fps, streamPriority: .low),
          ], at: at)
        #expect(result == .success)
      }
    ),
  ]

  @Test(arguments: calls.indices)
  func eachLineMakesItsCall(_ index: Int) throws {
    let (line, call) = Self.calls[index]
    let told = try told(by: line.replacing(#"{"type""#, with: #"{"at": 2, "type""#))
    #expect(try told == expected(call))
    #expect(try told != expected { _, _ in }, "the line must matter")
  }

  @Test func strategyCapabilitiesAndLocksTakeEffect() throws {
    let base = try told(by: #"{"at": 2, "type": "tick"}"#)
    let strategy = try told(by: #"{"at": 2, "type": "strategy", "strategy": "priority"}"#)
    #expect(try strategy == expected { try $0.setStrategy(.priority, at: $1) })
    let locked = try replay([#"{"at": 0.25, "type": "locked", "participant": "bob"}"#])
    #expect(try resumeTimes(locked, of: Self.bob) == [.milliseconds(250)])
    #expect(try resumeTimes(replay([]), of: Self.bob) == [.seconds(1)])
    let optedOut = try replay([
      #"{"at": 2, "type": "capabilities", "disable": ["subscriberVideoPause"]}"#,
      #"{"at": 3, "type": "estimate", "bps": 0}"#,
      #"{"at": 20, "type": "capabilities", "enable": ["subscriberVideoPause"]}"#,
    ])
    #expect(paused(optedOut, at: .seconds(20)).isEmpty)
    // By then nothing was available for more than three quarters of 30 s.
    #expect(paused(optedOut, at: .seconds(40)) == [Self.alice, Self.bob])
    #expect(base.count == 2)
  }

  @Test func layoutsAreAnsweredAndRefusalsNameTheParticipant() throws {
    let replay = try replay([
      #"{"at": 1, "type": "custom_layout", "available": false}"#,
      #"{"at": 1, "type": "layout", "layout": "custom"}"#,
      #"{"at": 2, "type": "custom_layout", "available": true}"#,
      #"{"at": 2, "type": "layout_streams", "streams": [{"quality": "r90p_3fps", "participant": "eve"}]}"#,
      #"{"at": 3, "type": "participants", "participants": ["eve"]}"#,
      #"{"at": 3, "type": "layout_streams", "streams": [{"quality": "r90p_3fps", "participant": "eve"}]}"#,
      #"{"at": 4, "type": "layout_streams", "streams": [{"quality": "r90p_3fps", "participant": "bob"}, {"quality": "r90p_7fps", "participant": "bob"}]}"#,
      #"{"at": 5, "type": "meeting", "in_meeting": false}"#,
      #"{"at": 5, "type": "layout", "layout": "gallery"}"#,
    ])
    let answers = replay.events.compactMap { event -> TraceAnswer? in
      if case .answer(let answer, _) = event { answer } else { nil }
    }
    #expect(
      answers == [
        TraceAnswer(result: "success"), TraceAnswer(result: "customLayoutNotAvailable"),
        TraceAnswer(result: "noParticipantsWithIds", participants: ["eve"]),
        TraceAnswer(result: "success"),
        TraceAnswer(result: "duplicateParticipantIds", participants: ["bob"]),
        TraceAnswer(result: "notInMeeting"),
      ])
    #expect(answers.map(\.isRefusal) == [false, true, true, false, true, true])
  }

  @Test func debugMetadataAppearInReceivedStreams() throws {
    let replay = try replay([#"{"at": 2, "type": "debug_metadata", "enabled": true}"#])
    let streams = replay.events.compactMap { event -> [VideoStream]? in
      if case .videoStreams(let streams, _) = event { streams } else { nil }
    }
    #expect(streams.first?.allSatisfy { $0.metadata == nil } == true)
    #expect(streams.last?.allSatisfy { $0.metadata != nil } == true)
  }

  private func replay(_ lines: [String]) throws -> PlayedTrace {
    try PlayedTrace(Self.head + lines + [#"{"at": 40, "type": "tick"}"#])
  }

  private func paused(_ replay: PlayedTrace, at time: Timestamp) -> [StreamID] {
    let state = replay.states.last { $0.at == time }
    return (state?.decision.streams ?? []).filter { $0.target == .paused(.bandwidth) }.map(\.id)
      .sorted()
  }

  /// Returns the times at which the stream became received.
  private func resumeTimes(_ replay: PlayedTrace, of id: StreamID) throws -> [Timestamp] {
    var times: [Timestamp] = []
    var isThere = false
    for case .videoStreams(let streams, let at) in replay.events {
      let now = streams.contains { $0.id == id }
      if now && !isThere { times.append(at) }
      isThere = now
    }
    return times
  }

  /// Every setting, with a value of its own.
  private static let settings = [
    "strategy": "\"stage\"", "initial_estimate_bps": "1", "audio_bitrate_per_stream_bps": "2",
    "audio_stream_limit": "3", "audio_headroom": "1.5", "other_traffic_reserve_bps": "20",
    "grow_margin": "0.25",
    "evidence_window_ms": "4", "tolerated_queue_ms": "5", "tolerated_outage_ms": "8",
    "decision_interval_ms": "6", "hold_off_ms": "7",
    "resume_limit": "9", "gate_period_ms": "10", "lock_timeout_ms": "11", "hidden_grace_ms": "12",
    "maximum_oversend_bps": "13", "preferred_height": "14", "screen_share_first": "false",
    "minimum_probe_step_bps": "15", "probe_interval_ms": "16", "maximum_probe_interval_ms": "17",
    "maximum_pinned_probe_interval_ms": "18", "receive_720p": "false", "maximum_streams": "19",
    "debug_metadata": "true",
  ]

  /// The configuration of `settings`.
  private static var configuration: VideoPauseConfiguration {
    var configuration = VideoPauseConfiguration()
    configuration.strategy = .stage
    configuration.initialEstimate = 1
    configuration.audioBitratePerStream = 2
    configuration.audioStreamLimit = 3
    configuration.audioHeadroom = 1.5
    configuration.otherTrafficReserve = 20
    configuration.growMargin = 0.25
    configuration.evidenceWindow = .milliseconds(4)
    configuration.toleratedQueue = .milliseconds(5)
    configuration.toleratedOutage = .milliseconds(8)
    configuration.decisionInterval = .milliseconds(6)
    configuration.holdOff = .milliseconds(7)
    configuration.resumeLimit = 9
    configuration.gatePeriod = .milliseconds(10)
    configuration.lockTimeout = .milliseconds(11)
    configuration.hiddenGrace = .milliseconds(12)
    configuration.maximumOversend = 13
    configuration.preferredHeight = 14
    configuration.screenShareFirst = false
    configuration.minimumProbeStep = 15
    configuration.probeInterval = .milliseconds(16)
    configuration.maximumProbeInterval = .milliseconds(17)
    configuration.maximumPinnedProbeInterval = .milliseconds(18)
    configuration.is720pVideoReceiveEnabled = false
    configuration.maximumStreams = 19
    configuration.isDebugMetadataEnabled = true
    return configuration
  }

  @Test func aConfigLineSetsAndRecordsEverySetting() throws {
    #expect(Set(Self.settings.keys) == Set(ConfigurationField.all.map(\.name)))
    let members = Self.settings.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
    let trace = try PlayedTrace([
      "{\"type\": \"config\", \(members)}", #"{"at": 0, "type": "tick"}"#,
    ])
    #expect(trace.configuration == Self.configuration)
    guard case .object(let record) = ConfigurationField.json(Self.configuration) else {
      Issue.record("the record is no object")
      return
    }
    let recorded = Dictionary(uniqueKeysWithValues: record.map { ($0.name, $0.value.text) })
    #expect(recorded == Self.settings)
  }

  @Test func everyTypeOfLineIsTested() throws {
    let tried = Self.calls.map(\.line).joined()
    let others: Set<TraceInput> = [
      .strategy, .capabilities, .locked, .tick, .debugMetadata, .meeting, .participants, .layout,
      .customLayout,
    ]
    for input in TraceInput.allCases where !others.contains(input) {
      #expect(tried.contains("\"type\": \"\(input.rawValue)\""), "\(input)")
    }
  }
}
