// Gives random calls to libvideopause and to VideoPauseCoordinator, and compares every result after every step: codes,
// decisions, rows, changes of the paused tracks. Some inputs are invalid. Scripts/check-videopause.sh compiles this file
// together with Sources/VideoPause and links the library.
//
//     equality [STEPS]
import CVideoPause
import Glibc

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

/// Names with the order of the numbers.
func name(_ participant: UInt64) -> ParticipantID {
  let digits = String(participant)
  return ParticipantID(String(repeating: "0", count: 20 - digits.count) + digits)
}

func id(_ stream: UInt64) -> StreamID {
  StreamID(participant: name(stream >> 1), trackType: stream & 1 == 1 ? .video : .screenShare)
}

func number(_ id: StreamID) -> UInt64 {
  UInt64(id.participant.rawValue)! << 1 | (id.trackType == .video ? 1 : 0)
}

/// The code that the header promises for an error of the Swift module.
func counterpart(of error: VideoPauseError) -> vp_status_code {
  switch error {
  case .unknownStream: VP_ERROR_UNKNOWN_STREAM
  case .invalidLayers(_, .negativeBitrate), .invalidLayers(_, .bitrateTooLarge):
    VP_ERROR_LAYER_BITRATE
  case .invalidLayers(_, .emptySize): VP_ERROR_LAYER_SIZE
  case .invalidLayers(_, .invalidIndex): VP_ERROR_LAYER_INDEX
  case .invalidLayers(_, .invalidFrameRate): VP_ERROR_LAYER_FRAME_RATE
  case .invalidLayers(_, .duplicate): VP_ERROR_LAYER_DUPLICATE
  case .invalidLayers(_, .tooMany): VP_ERROR_LAYER_COUNT
  case .invalidDemand: VP_ERROR_DEMAND
  case .invalidBandwidth: VP_ERROR_BITRATE
  case .timestampWentBackwards: VP_ERROR_TIME
  case .tooManyStreams: VP_ERROR_TOO_MANY_STREAMS
  default: fatalError("\(error) has no counterpart")
  }
}

func expect<Value: Equatable>(_ library: Value, _ swift: Value, _ what: String) {
  if library == swift { return }
  print("equality: \(what): the library has \(library), Swift has \(swift)")
  exit(1)
}

struct Call {
  var random: Random
  var swift: VideoPauseCoordinator
  /// Valid until `vp_coordinator_destroy`, with which the call ends.
  var library: OpaquePointer
  var now: Int64 = 0
  var steps = 0
  var failures = 0
  var rows: [vp_stream_decision] = Array(repeating: vp_stream_decision(), count: 64)
  var changes: [vp_paused_change] = Array(repeating: vp_paused_change(), count: 3)

  init(seed: UInt64) throws {
    random = Random(state: seed)
    var configuration = VideoPauseConfiguration()
    var config = vp_config()
    expect(vp_config_default(&config), VP_OK, "vp_config_default")
    if random.chance(60) {
      configuration.strategy = random.pick(AllocationStrategy.allCases)
      config.strategy = UInt32(AllocationStrategy.allCases.firstIndex(of: configuration.strategy)!)
      configuration.initialEstimate = random.below(5_000_000)
      config.initial_estimate_bps = Int64(configuration.initialEstimate)
      let limit = 1 + random.below(4)
      (configuration.resumeLimit, config.resume_limit) = (limit, UInt32(limit))
      let tolerated = Int64(random.below(3_000_000))
      (configuration.toleratedQueue, config.tolerated_queue_us) = (
        .microseconds(tolerated), tolerated
      )
      let window = Int64(random.below(6_000_000))
      (configuration.evidenceWindow, config.evidence_window_us) = (.microseconds(window), window)
      let isFirst = random.chance(50)
      (configuration.screenShareFirst, config.is_screen_share_first) = (isFirst, isFirst ? 1 : 0)
      (configuration.maximumStreams, config.maximum_streams) = (20, 20)
    }
    swift = try VideoPauseCoordinator(configuration: configuration)
    var created: OpaquePointer?
    expect(vp_coordinator_create(&config, &created), VP_OK, "vp_coordinator_create")
    library = created!
  }

  /// Gives both the same input, and compares what they say of it.
  mutating func give(
    _ what: String, _ code: vp_status_code,
    _ input: (inout VideoPauseCoordinator) throws(VideoPauseError) -> Void
  ) {
    var expected = VP_OK
    do throws(VideoPauseError) { try input(&swift) } catch { expected = counterpart(of: error) }
    failures += expected == VP_OK ? 0 : 1
    expect(code.rawValue, expected.rawValue, "\(what), step \(steps)")
  }

  mutating func step() {
    steps += 1
    now +=
      random.chance(3)
      ? -Int64(random.below(1000))
      : Int64(random.below(random.pick([1, 50_000, 400_000, 3_000_000])))
    giveInput()
    var isChanged = false
    let code = vp_decide(library, now, &isChanged)
    var isNew = false
    let time = Timestamp(microseconds: now)
    give("vp_decide", code) { c throws(VideoPauseError) in isNew = try c.decide(at: time) != nil }
    if code == VP_OK { expect(isChanged, isNew, "is_changed, step \(steps)") }
    if code == VP_ERROR_TIME { now += 1_000 }
    compareDecisions()
    if random.chance(40) { compareChanges() }
  }

  private mutating func giveInput() {
    let at = Timestamp(microseconds: now)
    let participant = UInt64(random.below(12))
    let stream = participant << 1 | (random.chance(80) ? 1 : 0)
    let flag = random.chance(50)
    switch random.below(20) {
    case 0..<3:
      let layers = randomLayers()
      let kind = stream & 1 == 1 ? VideoKind.camera : .screenShare
      let isLocal = random.chance(5)
      let given = layers.map {
        vp_layer(
          spatial: UInt32($0.spatial), temporal: UInt32($0.temporal), width: UInt32($0.size.width),
          height: UInt32($0.size.height), is_active: $0.isActive ? 1 : 0, reserved: 0,
          frames_per_second: $0.framesPerSecond, bitrate_bps: Int64($0.bitrate))
      }
      give(
        "vp_upsert_stream",
        vp_upsert_stream(
          library, stream, kind == .camera ? VP_KIND_CAMERA : VP_KIND_SCREEN_SHARE, isLocal, given,
          given.count, now)
      ) { c throws(VideoPauseError) in
        try c.upsertStream(id(stream), kind: kind, layers: layers, isLocal: isLocal, at: at)
      }
    case 3:
      guard random.chance(30) else { return }
      give("vp_remove_stream", vp_remove_stream(library, stream, now)) {
        c throws(VideoPauseError) in
        try c.removeStream(id(stream), at: at)
      }
    case 4:
      give("vp_set_publisher_muted", vp_set_publisher_muted(library, stream, flag, now)) {
        c throws(VideoPauseError) in try c.setPublisherMuted(flag, for: id(stream), at: at)
      }
    case 5..<8:
      give("vp_layer_locked", vp_layer_locked(library, stream, now)) { c throws(VideoPauseError) in
        try c.layerLocked(id(stream), at: at)
      }
    case 8..<10: giveDemand(stream)
    case 10:
      let isPaused = random.chance(30)
      give("vp_set_subscriber_paused", vp_set_subscriber_paused(library, stream, isPaused, now)) {
        c throws(VideoPauseError) in
        try c.setSubscriberPaused(isPaused, for: id(stream), at: at)
      }
    case 11:
      let speakers = (0..<random.below(5)).map { _ in UInt64(random.below(14)) }
      give("vp_set_speaker_order", vp_set_speaker_order(library, speakers, speakers.count, now)) {
        c throws(VideoPauseError) in try c.setSpeakerOrder(speakers.map(name), at: at)
      }
    case 12:
      let limit = random.chance(60) ? nil : random.below(10)
      give("vp_set_last_n", vp_set_last_n(library, limit.map { UInt32($0) } ?? .max, now)) {
        c throws(VideoPauseError) in try c.setLastN(limit, at: at)
      }
    case 13:
      guard random.chance(20) else { return }
      let strategy = random.pick(AllocationStrategy.allCases)
      let given = [VP_STRATEGY_GRID, VP_STRATEGY_PRIORITY, VP_STRATEGY_STAGE][
        AllocationStrategy.allCases.firstIndex(of: strategy)!]
      give("vp_set_strategy", vp_set_strategy(library, given, now)) { c throws(VideoPauseError) in
        try c.setStrategy(strategy, at: at)
      }
      give("vp_set_720p_enabled", vp_set_720p_enabled(library, flag, now)) {
        c throws(VideoPauseError) in
        try c.set720pVideoReceiveEnabled(flag, at: at)
      }
    case 14:
      guard random.chance(20) else { return }
      let isEnabled = random.chance(80)
      give("vp_set_video_pause_enabled", vp_set_video_pause_enabled(library, isEnabled, now)) {
        c throws(VideoPauseError) in
        if isEnabled {
          try c.enableClientCapabilities([.subscriberVideoPause], at: at)
        } else {
          try c.disableClientCapabilities([.subscriberVideoPause], at: at)
        }
      }
    case 15:
      let count = random.below(6)
      let measured = random.chance(3) ? -1 : random.chance(50) ? 0 : random.below(400_000)
      give("vp_set_audio", vp_set_audio(library, UInt32(count), Int64(measured), now)) {
        c throws(VideoPauseError) in
        try c.setAudio(streamCount: count, measuredBitrate: measured, at: at)
      }
    default:
      let rate =
        random.chance(2)
        ? -random.below(10) : random.below(random.pick([100_000, 1_000_000, 10_000_000]))
      let verdict = random.chance(80) ? 0 : random.below(3)
      let congestion = CongestionState.allCases[verdict]
      give(
        "vp_set_bandwidth_estimate",
        vp_set_bandwidth_estimate(
          library, Int64(rate),
          [VP_CONGESTION_NONE, VP_CONGESTION_EARLY_WARNING, VP_CONGESTION_CONGESTED][verdict], now)
      ) { c throws(VideoPauseError) in
        try c.setBandwidthEstimate(rate, congestion: congestion, at: at)
      }
    }
  }

  private mutating func giveDemand(_ stream: UInt64) {
    var demand = VideoDemand()
    var given = vp_demand()
    expect(vp_demand_default(&given), VP_OK, "vp_demand_default")
    demand.isVisible = random.chance(85)
    given.is_visible = demand.isVisible ? 1 : 0
    if random.chance(60) {
      let size = VideoSize(
        width: random.below(2000), height: random.pick([0, 90, 180, 360, 720, 1080]))
      demand.viewSize = size
      (given.has_view_size, given.view_width, given.view_height) = (
        1, UInt32(size.width), UInt32(size.height)
      )
    }
    if random.chance(15) {
      let pin = Pin(isLocal: random.chance(50), pinnedAt: Timestamp(microseconds: now))
      demand.pin = pin
      (given.pin, given.pinned_at_us) = (
        pin.isLocal ? VP_PIN_OWN.rawValue : VP_PIN_EVERYBODY.rawValue, now
      )
    }
    if random.chance(20) {
      let priority = random.pick(StreamPriority.allCases)
      (demand.priority, given.priority) = (priority, UInt32(priority.rawValue + 1))
    }
    if random.chance(20) {
      let place = random.below(12)
      (demand.maximumQuality, given.maximum_quality) = (
        StreamQuality.allCases[place], UInt32(place + 1)
      )
    }
    if random.chance(20) {
      let place = random.below(3)
      (demand.pausePolicy, given.pause_policy) = (PausePolicy.allCases[place], UInt32(place))
    }
    if random.chance(10) {
      let rate = random.pick([-1, .nan, 7.5, 15, .infinity])
      (demand.maximumFramesPerSecond, given.maximum_frames_per_second) = (rate, rate)
    }
    let time = Timestamp(microseconds: now)
    give("vp_set_demand", vp_set_demand(library, stream, &given, now)) {
      c throws(VideoPauseError) in
      try c.setDemand(demand, for: id(stream), at: time)
    }
  }

  private mutating func randomLayers() -> [VideoLayer] {
    let scale = random.pick([1, 1, 2, 5])
    var layers: [VideoLayer] = []
    for (spatial, height) in [180, 360, 720].enumerated() where random.chance(90) {
      for temporal in 0..<(1 + random.below(3)) {
        layers.append(
          VideoLayer(
            spatial: spatial, temporal: temporal,
            size: VideoSize(width: height * 16 / 9, height: height),
            framesPerSecond: random.chance(70) ? [7.5, 15, 30][temporal] : 0,
            bitrate: scale * (50_000 << (2 * spatial)) * (temporal + 2) / 2 + random.below(20_000),
            isActive: random.chance(92)))
      }
    }
    if random.chance(4), let first = layers.first { layers.append(first) }
    if random.chance(3), !layers.isEmpty {
      layers[0].bitrate = random.pick([-1, 2_000_000_000_000])
    }
    if random.chance(2), !layers.isEmpty {
      layers[0].framesPerSecond = random.pick([.nan, -1, .infinity])
    }
    if random.chance(2), !layers.isEmpty { layers[0].size.height = 0 }
    if random.chance(2), !layers.isEmpty { layers[0].spatial = 256 }
    return layers
  }

  private mutating func compareDecisions() {
    var found = vp_decision()
    found.struct_size = UInt32(MemoryLayout<vp_decision>.size)
    expect(vp_current_decision(library, &found), VP_OK, "vp_current_decision")
    let decision = swift.decision
    let numbers = [
      Int64(found.generation), Int64(found.stream_count), found.estimate_bps,
      found.audio_reserve_bps, found.keep_bps,
      found.grow_bps, found.target_bps, found.ideal_bps, Int64(found.is_deficient),
      Int64(found.is_oversending),
      Int64(found.has_probe), found.probe_bps, found.probe_not_before_us, found.next_decision_at_us,
    ]
    let expected: [Int64] = [
      Int64(decision.generation), Int64(decision.streams.count), Int64(decision.budget.estimate),
      Int64(decision.budget.audioReserve), Int64(decision.budget.keep), Int64(decision.budget.grow),
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

  private func layer(_ layer: vp_layer) -> VideoLayer? {
    if layer.height == 0 { return nil }
    return VideoLayer(
      spatial: Int(layer.spatial), temporal: Int(layer.temporal),
      size: VideoSize(width: Int(layer.width), height: Int(layer.height)),
      framesPerSecond: layer.frames_per_second,
      bitrate: Int(layer.bitrate_bps), isActive: layer.is_active != 0)
  }

  /// The library has room for three changes at a time.
  private mutating func compareChanges() {
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

@main struct Equality {
  static func main() throws {
    let wanted = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
    var (steps, failures, forwarded, paused) = (0, 0, 0, 0)
    var seed: UInt64 = 0
    while steps < wanted {
      seed += 1
      var call = try Call(seed: seed)
      for _ in 0..<min(1_000, wanted - steps) {
        call.step()
        forwarded += call.swift.decision.streams.count { $0.target.layer != nil }
        paused += call.swift.decision.streams.count { $0.target == .paused(.bandwidth) }
      }
      steps += call.steps
      failures += call.failures
      vp_coordinator_destroy(call.library)
    }
    print(
      "\(steps) steps, \(failures) inputs refused, \(forwarded) rows forwarded, \(paused) paused for bandwidth"
    )
    exit(failures * 100 > steps && forwarded > steps && paused > steps / 2 ? 0 : 1)
  }
}
