import CVideoPause

/// What both must agree on after each step.
extension Call {
  mutating func compareDecisions() {
    var found = vp_decision()
    found.struct_size = UInt32(MemoryLayout<vp_decision>.size)
    expect(vp_current_decision(library, &found), VP_OK, "vp_current_decision")
    let decision = swift.decision
    let numbers = [
      Int64(found.generation), Int64(found.stream_count), found.estimate_bps,
      found.audio_reserve_bps, found.other_reserve_bps, found.keep_bps,
      found.grow_bps, found.pictures_bps, Int64(found.strategy), found.target_bps, found.ideal_bps,
      Int64(found.is_deficient),
      Int64(found.is_oversending),
      Int64(found.has_probe), found.probe_bps, found.probe_not_before_us, found.next_decision_at_us,
    ]
    let expected: [Int64] = [
      Int64(decision.generation), Int64(decision.streams.count), Int64(decision.budget.estimate),
      Int64(decision.budget.audioReserve), Int64(decision.budget.otherReserve),
      Int64(decision.budget.keep), Int64(decision.budget.grow), Int64(decision.budget.pictures),
      Int64(AllocationStrategy.allCases.firstIndex(of: decision.strategy)!),
      Int64(decision.targetBitrate), Int64(decision.idealBitrate), decision.isDeficient ? 1 : 0,
      decision.isOversending ? 1 : 0, decision.probe == nil ? 0 : 1,
      Int64(decision.probe?.bitrate ?? 0),
      decision.probe?.notBefore.microseconds ?? .max, decision.nextDecisionAt?.microseconds ?? .max,
    ]
    expect(numbers, expected, "the decision, step \(steps)")
    var count = 0
    expect(vp_stream_decisions(library, &rows, rows.count, &count), VP_OK, "vp_stream_decisions")
    for (place, row) in decision.streams.enumerated() {
      let reasons: [PauseReason?] = [
        nil, .bandwidth, .notVisible, .notRequested, .publisherMuted, .subscriberPaused, .feedDry,
        .belowMinimumQuality,
      ]
      let found = rows[place]
      expect(found.stream, number(row.id), "a row's stream, step \(steps)")
      expect(reasons[Int(found.reason)], row.target.pauseReason, "a row's reason, step \(steps)")
      expect(found.needs_key_frame, row.needsKeyFrame ? 1 : 0, "a row's key frame, step \(steps)")
      expect(found.required_bps, Int64(row.required), "a row's missing bits, step \(steps)")
      expect(layer(found.layer), row.target.layer, "a row's layer, step \(steps)")
      expect(layer(found.ideal), row.ideal, "a row's ideal layer, step \(steps)")
    }
  }

  func layer(_ layer: vp_layer) -> VideoLayer? {
    if layer.height == 0 { return nil }
    return VideoLayer(
      spatial: Int(layer.spatial), temporal: Int(layer.temporal),
      size: VideoSize(width: Int(layer.width), height: Int(layer.height)),
      framesPerSecond: layer.frames_per_second,
      bitrate: Int(layer.bitrate_bps), isActive: layer.is_active != 0,
      isDecodeTarget: layer.is_decode_target != 0)
  }

  /// The library has room for all layers, or for one too few.
  mutating func compareVerdicts() {
    let outcomes: [LayerOutcome] = [
      .forwarded, .surpassed, .bandwidth, .heldBack, .aboveDemand, .belowMinimumQuality,
      .dominated, .notSent, .notWanted,
    ]
    var found = Array(repeating: vp_layer_verdict(), count: 32)
    for row in swift.decision.streams {
      let expected = swift.layerVerdicts(of: row.id)
      let room = random.chance(10) ? max(0, expected.count - 1) : found.count
      var count = 0
      let code = vp_layer_verdicts(library, number(row.id), &found, room, &count)
      expect(code, room < expected.count ? VP_ERROR_CAPACITY : VP_OK, "vp_layer_verdicts")
      expect(count, expected.count, "how many verdicts, step \(steps)")
      for (place, verdict) in expected.prefix(room).enumerated() {
        expect(layer(found[place].layer), verdict.layer, "a verdict's layer, step \(steps)")
        expect(outcomes[Int(found[place].outcome)], verdict.outcome, "a verdict, step \(steps)")
      }
      verdicts += expected.count
    }
  }

  /// The library has room for three changes at a time. A few subscribers have decided the same.
  mutating func compareDemand() {
    let at = Timestamp(microseconds: now)
    let subscriber = UInt64(random.below(3))
    var expected = VP_OK
    let isGone = random.chance(10)
    let code =
      isGone
      ? vp_layer_demand_remove(libraryDemand, subscriber, now)
      : vp_layer_demand_update(libraryDemand, subscriber, library, now)
    do throws(VideoPauseError) {
      if isGone {
        try swiftDemand.remove(name(subscriber), at: at)
      } else {
        try swiftDemand.update(swift.decision, of: name(subscriber), at: at)
      }
    } catch { expected = counterpart(of: error) }
    expect(code, expected, "an update of the demand, step \(steps)")
    guard code == VP_OK else { return }
    var found = Array(repeating: vp_demanded_layers(), count: 3)
    var (count, next, all) = (3, Int64(0), [DemandedLayers]())
    while count == found.count {
      expect(
        vp_drain_demanded_layers(libraryDemand, &found, found.count, &count, &next, now), VP_OK,
        "vp_drain_demanded_layers")
      all += found[..<count].map {
        DemandedLayers(
          id: id($0.stream), highestSpatial: $0.is_demanded == 0 ? nil : Int($0.highest_spatial))
      }
    }
    all.sort { $0.id < $1.id }
    let changes = (try? swiftDemand.drainChanges(at: at)) ?? []
    expect(all, changes, "the demand, step \(steps)")
    expect(next, swiftDemand.nextChangeAt?.microseconds ?? .max, "its next change, step \(steps)")
    demands += changes.count
  }

  /// The library has room for three changes at a time.
  mutating func compareChanges() {
    var found = PausedTracksChange()
    var count = 0
    repeat {
      expect(
        vp_drain_paused_changes(library, &changes, changes.count, &count), VP_OK,
        "vp_drain_paused_changes")
      for change in changes[..<count] {
        let id = id(change.stream)
        if change.is_paused != 0 {
          found.paused[id.participant, default: []].insert(id.trackType)
        } else {
          found.resumed[id.participant, default: []].insert(id.trackType)
        }
      }
    } while count == changes.count
    expect(
      found, swift.drainPausedTracksChanges() ?? PausedTracksChange(), "the changes, step \(steps)")
  }
}
