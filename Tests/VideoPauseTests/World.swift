import TestSupport

@testable import VideoPause

/// A random call: streams come and go and are shown, hidden, pinned and muted, participants speak, and the estimate
/// wanders.
struct World {
  var coordinator: VideoPauseCoordinator
  var random: SeededGenerator
  var now: Timestamp
  var estimate = 2_000_000
  /// What each publisher last sent.
  private(set) var layers: [StreamID: [VideoLayer]] = [:]
  private let names = (0..<12).map { "participant-\($0)" }

  init(
    seed: UInt64, _ configuration: VideoPauseConfiguration = .default, from begin: Timestamp = .zero
  ) throws {
    now = begin
    coordinator = try VideoPauseCoordinator(configuration: configuration)
    random = SeededGenerator(seed: seed)
    for name in names.prefix(6) { try publish(camera(name)) }
  }

  /// Makes one input, at most 0.4 s after the last one.
  mutating func step() throws {
    now = now.advanced(by: .milliseconds(random.int(0...400)))
    switch random.int(1...100) {
    case ...70: try moveEstimate()
    case ...74: try publish(anyID)
    case ...76: try unpublish()
    case ...86: try demand()
    case ...92: try speak()
    case ...94: try mute()
    case 95:
      try coordinator.setOtherTraffic(
        random.chance(50) ? 0 : random.int(0...300_000), at: now)
    case 96:
      try coordinator.setAudio(
        streamCount: random.int(0...5),
        measuredBitrate: random.chance(50) ? random.int(0...200_000) : nil,
        at: now)
    default: try rule()
    }
  }

  private var anyID: StreamID {
    mutating get {
      let name = random.pick(names)
      return random.chance(15) ? share(name) : camera(name)
    }
  }

  private mutating func moveEstimate() throws {
    let factor = random.chance(3) ? Double(random.int(1...300)) / 100 : 1 + random.normal() * 0.1
    estimate = min(20_000_000, max(0, Int(Double(estimate) * factor)))
    if random.chance(1) { estimate = random.pick([0, 60_000, 3_000_000]) }
    let congestion = random.chance(5) ? random.pick(CongestionState.allCases) : .none
    try coordinator.setBandwidthEstimate(estimate, congestion: congestion, at: now)
  }

  private mutating func publish(_ id: StreamID) throws {
    let base = random.pick([50, 100, 150, 300])
    var layers = simulcast([base, base * 3, base * 9].prefix(random.int(1...3)).map { $0 })
    for place in layers.indices where random.chance(5) { layers[place].isActive = false }
    if random.chance(30) {
      for place in layers.indices { layers[place].isDecodeTarget = true }
    }
    try coordinator.upsertStream(
      id, kind: id.trackType == .screenShare ? .screenShare : .camera, layers: layers,
      isLocal: random.chance(3), at: now)
    self.layers[id] = layers
  }

  private mutating func unpublish() throws {
    guard !coordinator.streams.states.isEmpty else { return }
    try coordinator.removeStream(random.pick(coordinator.streams.states.map(\.id)), at: now)
  }

  private mutating func demand() throws {
    guard !coordinator.streams.states.isEmpty else { return }
    let height = random.pick([0, 90, 180, 360, 720])
    let demand = VideoDemand(
      isVisible: random.chance(85),
      viewSize: random.chance(50) ? VideoSize(width: height * 2, height: height) : nil,
      pin: random.chance(5) ? Pin(isLocal: false, pinnedAt: now) : nil,
      priority: random.chance(50) ? random.pick(StreamPriority.allCases) : nil,
      maximumQuality: random.chance(20) ? random.pick(StreamQuality.allCases) : nil,
      minimumQuality: random.chance(10) ? random.pick(StreamQuality.allCases) : nil,
      pausePolicy: random.chance(10) ? random.pick(PausePolicy.allCases) : .normal)
    try coordinator.setDemand(
      demand, for: random.pick(coordinator.streams.states.map(\.id)), at: now)
  }

  private mutating func speak() throws {
    try coordinator.setSpeakerOrder(
      names.shuffled(using: &random).prefix(3).map { ParticipantID($0) }, at: now)
  }

  private mutating func mute() throws {
    guard !coordinator.streams.states.isEmpty else { return }
    let id = random.pick(coordinator.streams.states.map(\.id))
    if random.chance(50) {
      try coordinator.setPublisherMuted(random.chance(50), for: id, at: now)
    } else {
      try coordinator.setSubscriberPaused(random.chance(30), for: id, at: now)
    }
  }

  private mutating func rule() throws {
    switch random.int(1...4) {
    case 1: try coordinator.setLastN(random.chance(50) ? nil : random.int(0...6), at: now)
    case 2: try coordinator.setStrategy(random.pick(AllocationStrategy.allCases), at: now)
    case 3: try coordinator.set720pVideoReceiveEnabled(random.chance(50), at: now)
    default:
      if let row = coordinator.decision.streams.randomElement(using: &random) {
        try coordinator.layerLocked(row.id, at: now)
      }
    }
  }
}

extension World {
  /// Makes `count` steps with a decision after each, and passes the state after each decision to `check`.
  mutating func run(
    _ count: Int, _ check: (World, AllocationDecision?) throws -> Void
  ) throws {
    for _ in 0..<count {
      try step()
      let decision = try coordinator.decide(at: now)
      try check(self, decision)
    }
  }
}
