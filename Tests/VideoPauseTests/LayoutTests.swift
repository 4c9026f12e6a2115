import Testing

@testable import VideoPause

private func entry(
  _ quality: StreamQuality, _ priority: StreamPriority? = nil, _ participant: ParticipantID? = nil
) -> VideoStreamConfiguration {
  VideoStreamConfiguration(
    requestedStreamQuality: quality, participantID: participant, streamPriority: priority)
}

/// The requirements on custom layouts, by their ids.
@Suite struct LayoutTests {
  /// Returns a coordinator in a meeting with a custom layout and cameras with 90p to 720p.
  private func meeting(
    _ count: Int, _ configuration: VideoPauseConfiguration = .pure
  ) throws -> VideoPauseCoordinator {
    var coordinator = try VideoPauseCoordinator(configuration: configuration)
    for name in names(count) {
      let layers = [(90, 50), (180, 150), (360, 500), (720, 1_500)].enumerated().map {
        place, layer in
        VideoLayer(
          spatial: place, size: VideoSize(width: layer.0 * 16 / 9, height: layer.0),
          framesPerSecond: 7.5, bitrate: layer.1 * 1_000)
      }
      try coordinator.upsertStream(camera(name), kind: .camera, layers: layers, at: .zero)
    }
    try coordinator.setInMeeting(true, at: .zero)
    #expect(try coordinator.setVideoLayout(.custom, at: .zero) == .success)
    return coordinator
  }

  private func names(_ count: Int) -> [String] { (1...count).map { "s" + String(100 + $0) } }
  private func speakers(_ count: Int) -> [ParticipantID] { names(count).map { ParticipantID($0) } }

  @Test("IV-04 The custom layout may be chosen before a meeting, the others only in one")
  func onlyCustomMayBeChosenBeforeAMeeting() throws {
    var coordinator = try VideoPauseCoordinator()
    for layout in VideoLayout.allCases {
      let expected: VideoLayoutResult = layout == .custom ? .success : .failure(.notInMeeting)
      #expect(try coordinator.setVideoLayout(layout, at: .zero) == expected)
    }
    #expect(coordinator.videoLayout == .custom)
    try coordinator.setInMeeting(true, at: .zero)
    for layout in VideoLayout.allCases {
      #expect(try coordinator.setVideoLayout(layout, at: .zero) == .success)
      #expect(coordinator.videoLayout == layout)
    }
  }

  @Test("IV-05 Clients see whether custom layouts are available; if not, choosing one is an error")
  func unavailableCustomLayoutsAreReported() throws {
    var coordinator = try meeting(1)
    #expect(coordinator.isCustomLayoutAvailable && coordinator.videoLayout == .custom)
    try coordinator.setCustomLayoutAvailable(false, at: .zero)
    #expect(coordinator.videoLayout == nil)
    #expect(
      try coordinator.setVideoLayout(.custom, at: .zero) == .failure(.customLayoutNotAvailable))
    let result = try coordinator.setVideoStreamConfiguration(
      [entry(.r720p_30fps, .high)], at: .zero)
    #expect(result == .failure(.notUsingCustomLayouts))
  }

  @Test(
    "IV-06 IV-09 IV-10 IV-17 IV-18 IV-19 Each invalid configuration is refused, and the old one stays in force"
  )
  func aRefusedConfigurationLeavesTheOldOneInForce() throws {
    var coordinator = try meeting(30)
    let good = [entry(.r360p_30fps, .high, "s101")]
    #expect(try coordinator.setVideoStreamConfiguration(good, at: .zero) == .success)
    let many = names(26).map { entry(.r90p_7fps, nil, ParticipantID($0)) }
    let cases: [([VideoStreamConfiguration], VideoStreamConfigurationResult.FailureReason)] = [
      ([], .emptyConfiguration), (many, .streamLimitExceeded),
      (
        [entry(.r720p_30fps, .high), entry(.r360p_30fps, nil, "s101")],
        .invalidStreamPriorityCombination
      ),
      ([entry(.r720p_30fps)], .participantOrPriorityRequired),
      (
        [entry(.r720p_30fps, .high, "s101"), entry(.r90p_7fps, .low, "s101")],
        .duplicateParticipantIds(["s101"])
      ),
      ([entry(.r720p_30fps, .high, "ghost")], .noParticipantsWithIds(["ghost"])),
    ]
    for (configuration, reason) in cases {
      #expect(
        try coordinator.setVideoStreamConfiguration(configuration, at: .zero) == .failure(reason))
      #expect(coordinator.videoStreamConfiguration == good)
    }
    #expect(
      try coordinator.setVideoStreamConfiguration(Array(many.dropLast()), at: .zero) == .success)
    #expect(coordinator.videoStreamConfiguration.count == 25)
    try coordinator.setInMeeting(false, at: .zero)
    #expect(try coordinator.setVideoStreamConfiguration(good, at: .zero) == .failure(.notInMeeting))
    try coordinator.setInMeeting(true, at: .zero)
    #expect(try coordinator.setVideoLayout(.gallery, at: .zero) == .success)
    #expect(
      try coordinator.setVideoStreamConfiguration(good, at: .zero)
        == .failure(.notUsingCustomLayouts))
  }

  @Test("IV-18 Participants alone are sufficient, and so are priorities alone")
  func participantsOrPrioritiesAloneAreSufficient() throws {
    var coordinator = try meeting(3)
    let ids = [entry(.r720p_30fps, nil, "s101"), entry(.r360p_30fps, nil, "s102")]
    #expect(try coordinator.setVideoStreamConfiguration(ids, at: .zero) == .success)
    #expect(
      try coordinator.setVideoStreamConfiguration([entry(.r90p_3fps, .low)], at: .zero) == .success)
    try coordinator.setParticipants(["silent"], at: .zero)
    #expect(
      try coordinator.setVideoStreamConfiguration([entry(.r90p_3fps, nil, "silent")], at: .zero)
        == .success)
  }

  @Test(
    "IV-07 IV-33 The requested quality is a maximum; less, down to the smallest layer, is possible"
  )
  func theRequestedQualityIsAMaximum() throws {
    for quality in StreamQuality.allCases {
      var coordinator = try meeting(1)
      _ = try coordinator.setVideoStreamConfiguration([entry(quality, .high)], at: .zero)
      try coordinator.step(9_000_000, at: .zero)
      let height = coordinator.height(camera("s101")) ?? 0
      #expect(height == (quality == .r90p_3fps ? 90 : quality.resolution.height))
      // The publisher sends nothing as small as that, so the cheapest layer is chosen.
      try coordinator.upsertStream(
        camera("s101"), kind: .camera,
        layers: [
          VideoLayer(
            spatial: 0, size: VideoSize(width: 1920, height: 1080), framesPerSecond: 30,
            bitrate: 800_000)
        ], at: .zero)
      try coordinator.step(9_000_000, at: .zero)
      #expect(coordinator.height(camera("s101")) == 1080)
      try coordinator.step(100_000, at: .zero)
      #expect(coordinator.reason(camera("s101")) == .bandwidth)
    }
  }

  @Test("IV-08 Unless 720p is enabled, every camera is limited to 360p")
  func camerasAreLimitedTo360pUnless720pIsEnabled() throws {
    var coordinator = try VideoPauseCoordinator.cameras(2, .pure)
    try coordinator.upsertStream(
      share("a"), kind: .screenShare, layers: simulcast(1, 2, 3), at: .zero)
    for (isEnabled, height) in [(false, 360), (true, 720)] {
      try coordinator.set720pVideoReceiveEnabled(isEnabled, at: .zero)
      try coordinator.step(9_000_000, at: .zero)
      #expect(coordinator.height(camera("a")) == height)
      #expect(coordinator.height(camera("b")) == height)
      #expect(coordinator.height(share("a")) == 720)
    }
  }

  @Test("IV-02 IV-13 IV-15 Higher priorities are served first, equal ones in their order")
  func higherPrioritiesAreServedFirst() throws {
    var coordinator = try meeting(4)
    let entries = [
      entry(.r720p_30fps, .low, "s101"), entry(.r720p_30fps, .high, "s102"),
      entry(.r720p_30fps, .medium, "s104"), entry(.r720p_30fps, .medium, "s103"),
    ]
    _ = try coordinator.setVideoStreamConfiguration(entries, at: .zero)
    #expect(
      coordinator.videoStreamConfiguration.map(\.participantID) == ["s102", "s104", "s103", "s101"])
    let expected: [(Int, [String: Int])] = [
      (50, ["s102": 90]), (100, ["s102": 90, "s104": 90]),
      (300, ["s102": 180, "s103": 90, "s104": 90, "s101": 90]),
      (1_650, ["s102": 720, "s103": 90, "s104": 90, "s101": 90]),
    ]
    for (kilobits, heights) in expected {
      // One stream is resumed in each decision.
      for _ in 0..<2 { try coordinator.step(kilobits * 1_000, at: .zero) }
      for name in names(4) {
        #expect(coordinator.height(camera(name)) == heights[name], "\(kilobits)")
      }
    }
  }

  @Test(
    "IV-16 A stream of uniquely highest priority is never below an equal one",
    arguments: AllocationStrategy.allCases)
  func aUniquelyHighestStreamIsNeverBelowAnEqual(_ strategy: AllocationStrategy) throws {
    var configuration = VideoPauseConfiguration.pure
    configuration.strategy = strategy
    var coordinator = try VideoPauseCoordinator.cameras(4, configuration)
    for name in ["a", "b", "c", "d"] {
      try coordinator.setDemand(
        VideoDemand(priority: name == "c" ? .high : .low), for: camera(name), at: .zero)
    }
    for kilobits in stride(from: 0, through: 6_500, by: 10) {
      try coordinator.step(kilobits * 1_000, at: .zero)
      for name in ["a", "b", "d"] {
        #expect(coordinator.height(camera("c")) ?? 0 >= coordinator.height(camera(name)) ?? 0)
      }
    }
  }

  /// The guide's example.
  private let fiveOpen = [
    entry(.r720p_30fps, .high), entry(.r360p_30fps, .medium), entry(.r360p_15fps, .medium),
    entry(.r180p_15fps, .low), entry(.r180p_15fps, .low),
  ]

  @Test("IV-14 IV-32 Entries without a participant get the most recent speakers, by priority")
  func openEntriesGetTheMostRecentSpeakers() throws {
    var coordinator = try meeting(6)
    _ = try coordinator.setVideoStreamConfiguration(fiveOpen, at: .zero)
    func heights() throws -> [Int?] {
      try coordinator.step(9_000_000, at: .zero)
      return names(6).map { coordinator.height(camera($0)) }
    }
    try coordinator.setSpeakerOrder(speakers(6), at: .zero)
    #expect(try heights() == [720, 360, 360, 180, 180, nil])
    #expect(coordinator.reason(camera("s106")) == .notRequested)
    try coordinator.setSpeakerOrder(["s106"] + speakers(5), at: .zero)
    #expect(try heights() == [360, 360, 180, 180, nil, 720])
    // A speaker without video takes no entry.
    try coordinator.setPublisherMuted(true, for: camera("s106"), at: .zero)
    #expect(try heights() == [720, 360, 360, 180, 180, nil])
  }

  @Test("IV-14 IV-32 The guide's example: the high-priority stream is the most recent speaker's")
  func theHighPriorityStreamFollowsTheMostRecentSpeaker() throws {
    var coordinator = try meeting(6, .default)
    #expect(try coordinator.setVideoStreamConfiguration(fiveOpen, at: .zero) == .success)
    for (rate, heights) in [(9_000_000, [720, 360, 360, 180, 180]), (2_000_000, nil)] {
      var now = coordinator.clock ?? .zero
      // Until sizes and pictures have settled on the rate.
      for _ in 0..<50 {
        now = now.advanced(by: .milliseconds(200))
        try coordinator.step(rate, at: now)
      }
      var spoken: [ParticipantID] = coordinator.speakerOrder
      for speaker in speakers(6) + ["s103", "s106", "s103", "s101"] {
        now = now.advanced(by: .seconds(3))
        try coordinator.setSpeaking(true, for: speaker, at: now)
        _ = try coordinator.decide(at: now)
        try coordinator.setSpeaking(false, for: speaker, at: now)
        spoken = [speaker] + spoken.filter { $0 != speaker }
        #expect(coordinator.decision.streams.first?.id.participant == speaker)
        #expect(coordinator.height(StreamID(participant: speaker)) == 720)
        if let heights, spoken.count == 6 {
          #expect(spoken.prefix(5).map { coordinator.height(StreamID(participant: $0)) } == heights)
          #expect(coordinator.reason(StreamID(participant: spoken[5])) == .notRequested)
        }
        try coordinator.step(rate, at: now)
      }
    }
  }

  @Test("IV-14 The entry of high priority gets the most recent speaker who is not named elsewhere")
  func aNamedSpeakerLeavesTheHighEntryToTheNext() throws {
    var coordinator = try meeting(3)
    _ = try coordinator.setVideoStreamConfiguration(
      [entry(.r360p_30fps, .low, "s101"), entry(.r720p_30fps, .high)], at: .zero)
    func heights(_ recent: [ParticipantID]) throws -> [Int?] {
      try coordinator.setSpeakerOrder(recent, at: .zero)
      try coordinator.step(9_000_000, at: .zero)
      return names(3).map { coordinator.height(camera($0)) }
    }
    #expect(try heights(["s101", "s103", "s102"]) == [360, nil, 720])
    #expect(try heights(["s102", "s101", "s103"]) == [360, 720, nil])
    #expect(try heights(["s101"]) == [360, 720, nil], "nobody else has spoken: the first by name")
  }

  @Test("IV-06 A screen share has no entry, and comes in addition to 25 of them")
  func aShareDoesNotCountAsAnEntry() throws {
    var coordinator = try meeting(26)
    let entries = Array(repeating: entry(.r90p_7fps, .medium), count: 25)
    #expect(try coordinator.setVideoStreamConfiguration(entries, at: .zero) == .success)
    try coordinator.upsertStream(
      share("s101"), kind: .screenShare, layers: simulcast(100), at: .zero)
    try coordinator.step(9_000_000, at: .zero)
    #expect(coordinator.running.count == 26 && coordinator.running.contains(share("s101")))
    try coordinator.setLastN(25, at: .zero)
    try coordinator.step(9_000_000, at: .zero)
    #expect(coordinator.running.count == 25 && coordinator.running.contains(share("s101")))
  }

  @Test("IV-20 A stream is received when its layer is locked, or after a second")
  func aStreamIsReceivedOnceItsPictureIsThere() throws {
    var coordinator = try meeting(2)
    try coordinator.setBandwidthEstimate(9_000_000, at: .zero)
    #expect(
      try coordinator.decide(at: .zero)?.streams.allSatisfy { $0.target.layer != nil } == true)
    #expect(coordinator.videoStreams.isEmpty)
    try coordinator.layerLocked(camera("s102"), at: .milliseconds(200))
    #expect(coordinator.videoStreams.map(\.participant) == ["s102"])
    _ = try coordinator.decide(at: .milliseconds(999))
    #expect(coordinator.videoStreams.count == 1)
    _ = try coordinator.decide(at: .seconds(1))
    #expect(coordinator.videoStreams.count == 2)
  }

  @Test("IV-30 One to one: a single entry without a participant gets the only remote video")
  func aSingleOpenEntryGetsTheOnlyRemoteVideo() throws {
    var coordinator = try meeting(1)
    try coordinator.upsertStream(
      camera("me"), kind: .camera, layers: simulcast(100), isLocal: true, at: .zero)
    _ = try coordinator.setVideoStreamConfiguration([entry(.r720p_30fps, .high)], at: .zero)
    try coordinator.step(9_000_000, at: .zero)
    #expect(coordinator.running == [camera("s101")])
    #expect(coordinator.height(camera("s101")) == 720)
  }

  @Test("IV-31 A classroom: the moderator is large, 24 others are small")
  func aClassroomShowsTheModeratorLarge() throws {
    var coordinator = try meeting(26)
    let entries =
      [entry(.r720p_30fps, .high, "s126")] + Array(repeating: entry(.r90p_7fps, .medium), count: 24)
    #expect(try coordinator.setVideoStreamConfiguration(entries, at: .zero) == .success)
    try coordinator.step(9_000_000, at: .zero)
    #expect(coordinator.height(camera("s126")) == 720)
    let small = names(25).filter { coordinator.height(camera($0)) == 90 }
    #expect(small.count == 24)
  }

  @Test(
    "IV-20 IV-21 IV-22 Received streams are reported once per change, and only participants with video"
  )
  func videoStreamsReportsEachChangeOnce() throws {
    var coordinator = try meeting(1)
    var seen: [[Int]] = []
    func note() {
      if let now = coordinator.drainVideoStreams() { seen.append(now.map(\.resolution.height)) }
    }
    for kilobits in [0, 0, 160, 170, 1_600, 1_700] {
      try coordinator.step(kilobits * 1_000, at: .zero)
      note()
    }
    #expect(seen == [[180], [720]])
    #expect(coordinator.videoStreams.first?.participant == "s101")
    try coordinator.setPublisherMuted(true, for: camera("s101"), at: .zero)
    _ = try coordinator.decide(at: .zero)
    note()
    #expect(seen.last == [])
  }

  @Test(
    "IV-01 IV-03 IV-36 Each participant has their own stream; rates are reported only on request"
  )
  func eachParticipantHasTheirOwnStream() throws {
    var coordinator = try meeting(2)
    try coordinator.step(9_000_000, at: .zero)
    #expect(coordinator.videoStreams.map(\.participant) == ["s101", "s102"])
    #expect(coordinator.videoStreams.allSatisfy { $0.metadata == nil })
    coordinator.setDebugMetadataEnabled(true)
    #expect(
      coordinator.drainVideoStreams()?.first?.metadata
        == VideoStreamMetadata(framesPerSecond: 7.5, bitrate: 1_500_000))
  }

  @Test("IV-34 A configured participant who leaves has no stream, and returns to the layout")
  func aReturningParticipantIsBackInTheLayout() throws {
    var coordinator = try meeting(2)
    let entries = [entry(.r360p_30fps, nil, "s101")]
    _ = try coordinator.setVideoStreamConfiguration(entries, at: .zero)
    try coordinator.step(9_000_000, at: .zero)
    #expect(coordinator.videoStreams.map(\.participant) == ["s101"])
    try coordinator.removeStream(camera("s101"), at: .zero)
    _ = try coordinator.decide(at: .zero)
    #expect(coordinator.videoStreams.isEmpty)
    #expect(coordinator.videoStreamConfiguration == entries)
    try coordinator.upsertStream(
      camera("s101"), kind: .camera, layers: simulcast(100, 200, 300), at: .zero)
    try coordinator.step(9_000_000, at: .zero)
    #expect(coordinator.videoStreams.map(\.resolution.height) == [360])
    // Without the layout, every camera is forwarded again.
    _ = try coordinator.setVideoLayout(.gallery, at: .zero)
    try coordinator.step(9_000_000, at: .zero)
    #expect(coordinator.videoStreams.count == 2)
  }
}
