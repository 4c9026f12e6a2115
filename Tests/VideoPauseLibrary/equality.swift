// Gives random calls to libvideopause and to VideoPauseCoordinator, and compares every result after every step: codes,
// decisions, rows, changes of the paused tracks. Some inputs are invalid. Scripts/check-library.sh compiles this file
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
  case .invalidLayers(_, .emptySize), .invalidLayers(_, .sizeTooLarge): VP_ERROR_LAYER_SIZE
  case .invalidLayers(_, .invalidIndex), .invalidLayers(_, .invalidDecodeTarget):
    VP_ERROR_LAYER_INDEX
  case .invalidLayers(_, .mixed): VP_ERROR_LAYER_MIXED
  case .invalidLayers(_, .cheaperThanContained): VP_ERROR_LAYER_COST
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

/// The code that the header promises for a refusal.
func counterpart(of result: VideoStreamConfigurationResult) -> vp_status_code {
  switch result {
  case .success: VP_OK
  case .failure(.notInMeeting): VP_ERROR_NOT_IN_MEETING
  case .failure(.notUsingCustomLayouts): VP_ERROR_NO_CUSTOM_LAYOUT
  case .failure(.emptyConfiguration): VP_ERROR_LAYOUT_EMPTY
  case .failure(.streamLimitExceeded): VP_ERROR_LAYOUT_COUNT
  case .failure(.invalidStreamPriorityCombination): VP_ERROR_LAYOUT_PRIORITIES
  case .failure(.participantOrPriorityRequired): VP_ERROR_LAYOUT_UNNAMED
  case .failure(.duplicateParticipantIds): VP_ERROR_LAYOUT_DUPLICATE
  case .failure(.noParticipantsWithIds): VP_ERROR_LAYOUT_PARTICIPANT
  }
}

func counterpart(of result: VideoLayoutResult) -> vp_status_code {
  switch result {
  case .success: VP_OK
  case .failure(.notInMeeting): VP_ERROR_NOT_IN_MEETING
  case .failure(.customLayoutNotAvailable): VP_ERROR_NO_CUSTOM_LAYOUT
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
  var swiftDemand: LayerDemand
  /// Valid until `vp_layer_demand_destroy`.
  var libraryDemand: OpaquePointer
  var now: Int64 = 0
  var steps = 0
  var (failures, refusals, demands, layouts, verdicts) = (0, 0, 0, 0, 0)
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
      let reserve = random.below(300_000)
      (configuration.otherTrafficReserve, config.other_traffic_reserve_bps) = (
        reserve, Int64(reserve)
      )
    }
    swift = try VideoPauseCoordinator(configuration: configuration)
    var created: OpaquePointer?
    expect(vp_coordinator_create(&config, &created), VP_OK, "vp_coordinator_create")
    library = created!
    let hold = Int64(random.below(6_000_000))
    swiftDemand = try LayerDemand(holdTime: .microseconds(hold))
    var demand: OpaquePointer?
    expect(vp_layer_demand_create(hold, &demand), VP_OK, "vp_layer_demand_create")
    libraryDemand = demand!
    expect(vp_layer_demand_create(-1, &demand), VP_ERROR_CONFIG, "vp_layer_demand_create")
  }

  func end() {
    vp_coordinator_destroy(library)
    vp_layer_demand_destroy(libraryDemand)
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

  /// Gives both the same input, which may be refused as well.
  mutating func give(
    _ what: String, _ code: vp_status_code,
    asking input: (inout VideoPauseCoordinator) throws(VideoPauseError) -> vp_status_code
  ) {
    var expected: vp_status_code
    do throws(VideoPauseError) {
      expected = try input(&swift)
      refusals += expected == VP_OK ? 0 : 1
      layouts += expected == VP_OK ? 1 : 0
    } catch {
      expected = counterpart(of: error)
      failures += 1
    }
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
    if code == VP_OK { compareVerdicts() }
    compareDemand()
    if random.chance(40) { compareChanges() }
  }
}

@main struct Equality {
  static func main() throws {
    let wanted = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
    var (steps, failures, forwarded, paused) = (0, 0, 0, 0)
    var (refusals, demands, layouts, verdicts) = (0, 0, 0, 0)
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
      refusals += call.refusals
      layouts += call.layouts
      demands += call.demands
      verdicts += call.verdicts
      call.end()
    }
    print(
      "\(steps) steps, \(failures) inputs and \(refusals) layouts refused, \(layouts) accepted, "
        + "\(forwarded) rows forwarded, \(paused) paused for bandwidth, \(verdicts) verdicts, \(demands) demands"
    )
    let isEnough =
      failures * 100 > steps && forwarded > steps && paused > steps / 2
      && min(refusals, layouts, demands) * 100 > steps && verdicts > steps
    exit(isEnough ? 0 : 1)
  }
}
