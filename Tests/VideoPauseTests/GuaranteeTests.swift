import Testing

@testable import VideoPause

/// Each test makes 100,000 random steps through a call.
@Suite struct GuaranteeTests {
  private static let steps = 100_000

  /// Guarantee G1.
  @Test("LB-03 No more than the budget is sent, and audio is never paused")
  func noMoreThanTheBudgetIsSent() throws {
    var world = try World(seed: 1)
    try world.run(Self.steps) { world, _ in
      let coordinator = world.coordinator
      let decision = coordinator.decision
      let sent = decision.streams.reduce(0) { $0 + $1.target.bitrate }
      #expect(sent == decision.targetBitrate)
      #expect(sent <= decision.budget.keep || decision.isOversending)
      #expect(sent <= decision.budget.keep + 500_000)
    }
  }

  /// Guarantee G1.
  @Test func oversendingIsReportedOnceWhileItLasts() throws {
    var coordinator = try VideoPauseCoordinator(.default, streams: [(camera("a"), simulcast(300))])
    var demand = VideoDemand()
    demand.pausePolicy = .never
    try coordinator.setDemand(demand, for: camera("a"), at: .zero)
    var told: [Bool] = []
    for step in 0..<200 {
      let rate = step < 100 ? (step % 2 == 0 ? 250_000 : 290_000) : 300_000
      try coordinator.step(rate, at: .milliseconds(200 * Int64(step)))
      told.append(coordinator.decision.isOversending)
    }
    let end = try #require(told.firstIndex(of: false))
    #expect((100...102).contains(end))
    #expect(!told[end...].contains(true))
  }

  /// Guarantees G1 and G2: the queue of what is sent beyond the estimate is bounded for any estimates.
  @Test func theQueueIsBounded() throws {
    var world = try World(seed: 17)
    var record = Record()
    // An independent oracle: the queue in bits that would stand at the bottleneck if the estimates were right.
    var (queue, last, sent, rate) = (0.0, Timestamp.zero, 0, 0)
    var (borne, dips, wasDip, longest, lastPicture) = (0, 0, false, 0.0, 0.0)
    try world.run(Self.steps) { world, _ in
      let coordinator = world.coordinator
      let seconds = Double(world.now.microseconds - last.microseconds) / 1e6
      queue = max(0, queue + Double(sent - rate) * seconds)
      (last, rate) = (world.now, coordinator.network.available)
      sent = coordinator.decision.isOversending ? 0 : coordinator.network.sent
      if coordinator.network.given != nil { record.add(rate, at: world.now.microseconds) }
      let shown = coordinator.streams.states.filter {
        $0.phase.layer != nil && $0.demand.pausePolicy != .never
      }
      guard coordinator.lastRoundAt == world.now else { return }
      // What an outage filled is judged by the limits of a dip in the next decision.
      let isDip = shown.count > 1 && sent > rate && sent <= 3 * rate
      defer { wasDip = isDip }
      guard sent > rate, !shown.isEmpty else { return }
      borne += 1
      let usual = max(
        1, record.usual(before: world.now.microseconds), Double(rate))
      // A decision that replaces the first by a smaller one is judged by the limit of the larger one.
      let picture = Double(coordinator.allocation.steps[shown[0].ladder.first].bitrate)
      let alone = 7.5 * max(usual, picture, lastPicture)
      lastPicture = picture
      let tolerated = isDip && wasDip ? 1.5 * Double(rate) : shown.count == 1 ? alone : 6 * usual
      dips += isDip && wasDip ? 1 : 0
      // A shortage is certain after 1 s at the latest, and there is a look each 0.4 s.
      #expect(queue <= tolerated + 1.4 * Double(sent))
      if coordinator.settings.strategy != .stage {
        let problem = coordinator.allocation
        let base = problem.candidates.indices.reduce(0) {
          $0 + (problem.candidates[$1].level.isNone ? 0 : problem.bitrate($1, .base))
        }
        #expect(sent == base, "nothing but base layers beyond what is available")
      }
      longest = max(longest, queue / usual)
    }
    #expect(borne > 1_000 && dips > 100)
    #expect(longest > 2)
  }

  /// Guarantee G3. What is shown already may stay; a new or paused stream is shown if it fits, in rank order.
  @Test func aPausedStreamLacksBandwidthEvidenceOrAResume() throws {
    var world = try World(seed: 3)
    var paused = 0
    try world.run(Self.steps) { world, _ in
      let problem = world.coordinator.allocation
      guard world.coordinator.lastRoundAt == world.now,
        world.coordinator.settings.strategy != .stage,
        problem.candidates.allSatisfy({ $0.policy == .normal })
      else { return }
      let shown = problem.candidates.indices.reduce(0) { sum, place in
        sum + (problem.candidates[place].level.isNone ? 0 : problem.bitrate(place, .base))
      }
      for (place, candidate) in problem.candidates.enumerated() where candidate.level.isNone {
        let fits = shown + problem.bitrate(place, .base) <= problem.pictureBudget
        let gate = world.coordinator.streams.states[
          world.coordinator.streams.place(ofRank: candidate.rank)
        ].gate
        let isGated =
          gate.isShut(at: world.now, world.coordinator.timing)
          || gate.isHeld(at: world.now, world.coordinator.timing)
        #expect(!fits || isGated || problem.isResuming)
        paused += fits ? 0 : 1
      }
      if shown == 0 {
        for (place, candidate) in problem.candidates.enumerated() {
          let gate = world.coordinator.streams.states[
            world.coordinator.streams.place(ofRank: candidate.rank)
          ].gate
          #expect(
            problem.bitrate(place, .base) > problem.firstBudget
              || gate.isShut(at: world.now, world.coordinator.timing))
        }
      }
    }
    #expect(paused > 1_000)
  }

  /// Guarantee G10.
  @Test("LB-13 LB-17 Changes of pausedTracks replay to its state, without repeats")
  func changesReplayWithoutRepeats() throws {
    var world = try World(seed: 10)
    var replayed: [ParticipantID: Set<TrackType>] = [:]
    var told = 0
    for _ in 0..<Self.steps {
      try world.step()
      _ = try world.coordinator.decide(at: world.now)
      guard let change = world.coordinator.drainPausedTracksChanges() else {
        #expect(replayed == world.coordinator.pausedTracks)
        continue
      }
      told += 1
      #expect(!change.isEmpty)
      for (participant, types) in change.paused {
        #expect(!types.isEmpty && types.isDisjoint(with: replayed[participant] ?? []))
        #expect(types.isDisjoint(with: change.resumed[participant] ?? []))
      }
      for (participant, types) in change.resumed {
        #expect(!types.isEmpty && types.isSubset(of: replayed[participant] ?? []))
      }
      change.apply(to: &replayed)
      #expect(replayed == world.coordinator.pausedTracks)
      #expect(world.coordinator.drainPausedTracksChanges() == nil)
    }
    #expect(told > 1_000)
  }

  /// Guarantee G11.
  @Test("LB-09 LB-11 Without the capability, nothing is paused for bandwidth")
  func withoutTheCapabilityNothingIsPausedForBandwidth() throws {
    var world = try World(seed: 11)
    try world.coordinator.disableClientCapabilities([.subscriberVideoPause], at: .zero)
    var oversent = 0
    try world.run(Self.steps) { world, _ in
      #expect(world.coordinator.decision.streams.allSatisfy { !$0.isPausedForBandwidth })
      #expect(world.coordinator.pausedTracks.isEmpty)
      oversent += world.coordinator.decision.isOversending ? 1 : 0
    }
    #expect(oversent > 1_000)
  }

  /// Guarantee G12. A copy is independent.
  @Test func equalInputsGiveEqualDecisions() throws {
    var (one, other) = (try World(seed: 12), try World(seed: 12))
    for step in 0..<Self.steps {
      try one.step()
      try other.step()
      #expect(try one.coordinator.decide(at: one.now) == other.coordinator.decide(at: other.now))
      if step == Self.steps / 2 {
        var copy = one
        try copy.coordinator.step(0, at: copy.now)
        #expect(one.coordinator.decision == other.coordinator.decision)
      }
    }
  }

  /// Guarantee G12. A host's clock has any origin: Java's may be negative.
  @Test(arguments: [-3_600_000_000, Int64.max / 2])
  func theOriginOfTheClockDoesNotMatter(_ origin: Int64) throws {
    var one = try World(seed: 12)
    var other = try World(seed: 12, from: Timestamp(microseconds: origin))
    for _ in 0..<10_000 {
      try one.step()
      try other.step()
      _ = try (one.coordinator.decide(at: one.now), other.coordinator.decide(at: other.now))
      #expect(one.coordinator.decision.streams == other.coordinator.decision.streams)
    }
  }

  /// Guarantee G14: a hidden stream costs nothing after its grace.
  @Test("VR-04 Exactly the streams that lack bandwidth are in pausedTracks")
  func pausedTracksHasExactlyWhatLacksBandwidth() throws {
    var world = try World(seed: 14)
    try world.run(Self.steps) { world, _ in
      let coordinator = world.coordinator
      guard coordinator.lastRoundAt == world.now else { return }
      for stream in coordinator.streams.states {
        let row = coordinator.row(stream.id)
        let isInGrace = stream.hiddenGraceEnds != nil
        if row?.target.layer != nil {
          #expect(stream.phase.layer != nil)
        } else {
          #expect(stream.phase.isReportedPaused == row?.isPausedForBandwidth)
        }
        if !stream.demand.isSeen && !isInGrace {
          #expect(stream.phase.layer == nil && !stream.phase.isReportedPaused)
        }
      }
    }
  }

  /// The decision's sums are those of the rows.
  @Test func rowsListEveryStreamOnceInRankOrder() throws {
    var world = try World(seed: 15)
    try world.run(Self.steps) { world, _ in
      let coordinator = world.coordinator
      guard coordinator.lastRoundAt == world.now else { return }
      let rows = coordinator.decision.streams
      #expect(rows.map(\.id).sorted() == coordinator.streams.states.map(\.id))
      #expect(rows.map(\.rank) == Array(rows.indices))
      #expect(coordinator.decision.idealBitrate == rows.reduce(0) { $0 + ($1.ideal?.bitrate ?? 0) })
      let lacks = rows.contains { $0.ideal != nil && $0.target.layer != $0.ideal }
      #expect(coordinator.decision.isDeficient == lacks)
      for row in rows { #expect(row.required == 0 || row.isPausedForBandwidth) }
    }
  }
}

@Suite struct ErrorTests {
  private let ten = Timestamp.seconds(10)

  /// Checks that an input throws the error, and changes nothing.
  private func refuses(
    _ error: VideoPauseError, _ input: (inout VideoPauseCoordinator) throws -> Void
  ) throws {
    var coordinator = try VideoPauseCoordinator.cameras(2)
    try coordinator.step(1_000_000, at: .seconds(1))
    let before = String(describing: coordinator)
    #expect(throws: error) { try input(&coordinator) }
    #expect(String(describing: coordinator) == before)
  }

  @Test func aNumberOutOfRangeChangesNothing() throws {
    try refuses(.invalidBandwidth(-1)) { try $0.setBandwidthEstimate(-1, at: ten) }
    try refuses(.invalidBandwidth(.max)) { try $0.setBandwidthEstimate(.max, at: ten) }
    try refuses(.invalidCount(-1)) { try $0.setAudio(streamCount: -1, at: ten) }
    try refuses(.invalidBandwidth(-5)) {
      try $0.setAudio(streamCount: 1, measuredBitrate: -5, at: ten)
    }
    try refuses(.invalidCount(-1)) { try $0.setLastN(-1, at: ten) }
    try refuses(.invalidDemand(camera("a"), field: "viewSize")) {
      try $0.setDemand(
        VideoDemand(viewSize: VideoSize(width: -1, height: 2)), for: camera("a"), at: ten)
    }
    for rate in [0, -1, Double.nan] {
      try refuses(.invalidDemand(camera("a"), field: "maximumFramesPerSecond")) {
        try $0.setDemand(VideoDemand(maximumFramesPerSecond: rate), for: camera("a"), at: ten)
      }
    }
  }

  @Test func anUnknownStreamChangesNothing() throws {
    let ghost = camera("ghost")
    try refuses(.unknownStream(ghost)) { try $0.setDemand(VideoDemand(), for: ghost, at: ten) }
    try refuses(.unknownStream(ghost)) { try $0.removeStream(ghost, at: ten) }
    try refuses(.unknownStream(ghost)) { try $0.setPublisherMuted(true, for: ghost, at: ten) }
    try refuses(.unknownStream(ghost)) { try $0.setSubscriberPaused(true, for: ghost, at: ten) }
    try refuses(.unknownStream(ghost)) { try $0.layerLocked(ghost, at: ten) }
    let audio = StreamID(participant: "a", trackType: .audio)
    try refuses(.notVideo(audio)) { try $0.upsertStream(audio, kind: .camera, layers: [], at: ten) }
  }

  @Test func aTimeThatGoesBackChangesNothing() throws {
    let early = VideoPauseError.timestampWentBackwards(from: .seconds(1), to: .zero)
    try refuses(early) { try $0.setBandwidthEstimate(1, at: .zero) }
    try refuses(early) { _ = try $0.decide(at: .zero) }
    try refuses(early) { try $0.setSpeakerOrder([], at: .zero) }
    try refuses(early) { try $0.removeStream(camera("a"), at: .zero) }
    try refuses(early) { _ = try $0.setVideoLayout(.custom, at: .zero) }
  }

  @Test func invalidLayersChangeNothing() throws {
    var layers = simulcast(100, 200)
    layers[0].bitrate = -1
    for id in [camera("a"), camera("new")] {
      try refuses(.invalidLayers(id, .negativeBitrate)) {
        try $0.upsertStream(id, kind: .camera, layers: layers, at: ten)
      }
    }
  }

  @Test func theLimitsOfLayersAndStreamsAreEnforced() throws {
    var configuration = VideoPauseConfiguration()
    configuration.maximumStreams = 1
    var coordinator = try VideoPauseCoordinator(configuration: configuration)
    func layers(_ count: Int) -> [VideoLayer] {
      (0..<count).map {
        VideoLayer(spatial: $0, size: VideoSize(width: 2, height: 2), bitrate: $0 * 1_000)
      }
    }
    #expect(throws: VideoPauseError.invalidLayers(camera("a"), .tooMany(limit: 32))) {
      try coordinator.upsertStream(camera("a"), kind: .camera, layers: layers(33), at: .zero)
    }
    try coordinator.upsertStream(camera("a"), kind: .camera, layers: layers(32), at: .zero)
    #expect(throws: VideoPauseError.tooManyStreams(limit: 1)) {
      try coordinator.upsertStream(camera("b"), kind: .camera, layers: [], at: .zero)
    }
    try coordinator.upsertStream(camera("a"), kind: .camera, layers: [], at: .zero)
  }
}
