import VideoPause

/// The layers of each stream under noise, in bits per second.
let ladder = [150_000, 500_000, 1_500_000]

/// A policy that selects a layer for each stream, the most important first; -1 for paused.
protocol Policy {
  /// Returns the layers; `now` is in seconds, `estimate` in bits per second.
  mutating func levels(at now: Double, estimate: Int) throws -> [Int]
}

/// Returns the cost of these layers, in bits per second.
func cost(_ levels: [Int]) -> Int { levels.reduce(0) { $0 + ($1 < 0 ? 0 : ladder[$1]) } }

/// Shares the budget layer by layer, each stream in rank order as long as it fits, as LiveKit, mediasoup and Signal do.
///
/// `growth` limits what is added beyond `current`; `caps` limits the layer of each stream.
func share(
  _ budget: Int, growth: Int = .max, current: [Int], caps: [Int]? = nil
) -> [Int] {
  var levels = current.map { _ in -1 }
  var used = 0
  for layer in ladder.indices {
    for stream in levels.indices where levels[stream] == layer - 1 {
      guard layer <= caps?[stream] ?? layer else { continue }
      let step = ladder[layer] - (layer > 0 ? ladder[layer - 1] : 0)
      guard used + step <= (layer <= current[stream] ? budget : growth) else { continue }
      levels[stream] = layer
      used += step
    }
  }
  return levels
}

// Models of how these systems handle noise, without anything else that they do: no temporal layers, no estimators of
// their own, no probing.

/// Decides again on each estimate.
struct Immediate: Policy {
  let count: Int

  func levels(at now: Double, estimate: Int) -> [Int] {
    share(estimate, growth: estimate, current: Array(repeating: -1, count: count))
  }
}

/// Knows what the path carries, and so gives the maximum that any policy can use.
struct Clairvoyant: Policy {
  let best: [Int]

  init(count: Int, capacity: Int) {
    best = Immediate(count: count).levels(at: 0, estimate: capacity)
  }

  func levels(at now: Double, estimate: Int) -> [Int] { best }
}

/// Jitsi Videobridge: ignores an estimate within 15 % of the last one it acted on. (Its decision every 5 s uses that
/// last one too, so it changes nothing while layers cost the same.)
struct Jitsi: Policy {
  let count: Int
  private var acted: Int?

  init(count: Int) { self.count = count }

  mutating func levels(at now: Double, estimate: Int) -> [Int] {
    if let acted, Double(abs(estimate - acted)) <= 0.15 * Double(acted) {
      return Immediate(count: count).levels(at: now, estimate: acted)
    }
    acted = estimate
    return Immediate(count: count).levels(at: now, estimate: estimate)
  }
}

/// mediasoup: decides once a second, or when the estimate falls below 75 % or rises above 150 % of the previous one. A
/// stream that was lowered is not raised to a larger size for 10 s, but may resume from a pause.
struct Mediasoup: Policy {
  private var current: [Int]
  private var loweredAt: [Double]
  private var decidedAt = -Double.infinity
  private var previous: Int?

  init(count: Int) {
    current = Array(repeating: -1, count: count)
    loweredAt = Array(repeating: -.infinity, count: count)
  }

  mutating func levels(at now: Double, estimate: Int) -> [Int] {
    let ratio = previous.map { Double(estimate) / Double($0) } ?? 1
    previous = estimate
    guard now - decidedAt >= 1 || ratio < 0.75 || ratio > 1.5 else { return current }
    decidedAt = now
    let caps = current.indices.map { now - loweredAt[$0] < 10 ? max(0, current[$0]) : ladder.count }
    let levels = share(estimate, growth: estimate, current: current, caps: caps)
    for stream in levels.indices where levels[stream] < current[stream] { loweredAt[stream] = now }
    current = levels
    return levels
  }
}

/// Signal's calling service: keeps layers according to the present estimate, and adds layers according to the lowest of
/// the last 2.5 to 5 s; once a second, or when the estimate falls below 90 % of what is sent.
struct Signal: Policy {
  private var current: [Int]
  private var minima: (before: Int, present: Int)?
  private var turnsAt = 2.5
  private var decidedAt = -Double.infinity

  init(count: Int) { current = Array(repeating: -1, count: count) }

  mutating func levels(at now: Double, estimate: Int) -> [Int] {
    let growth = record(estimate, at: now)
    let isShort = 0.9 * Double(cost(current)) > Double(estimate)
    guard now - decidedAt >= 1 || isShort else { return current }
    decidedAt = now
    current = share(estimate, growth: growth, current: current)
    return current
  }

  private mutating func record(_ estimate: Int, at now: Double) -> Int {
    var (before, present) = minima ?? (estimate, estimate)
    if now > turnsAt {
      (before, present) = (present, estimate)
      turnsAt = now + 2.5
    }
    present = min(present, estimate)
    minima = (before, present)
    return min(before, present)
  }
}

/// The library's own coordinator in its default configuration.
struct Ours: Policy {
  private var coordinator: VideoPauseCoordinator
  private let ids: [StreamID]

  init(count: Int) throws {
    coordinator = try VideoPauseCoordinator()
    ids = (0..<count).map { StreamID(participant: ParticipantID("p\($0)")) }
    let layers = zip(ladder, [180, 360, 720]).enumerated().map { spatial, layer in
      VideoLayer(
        spatial: spatial, size: VideoSize(width: layer.1 * 16 / 9, height: layer.1),
        framesPerSecond: 30, bitrate: layer.0)
    }
    for id in ids { try coordinator.upsertStream(id, kind: .camera, layers: layers, at: .zero) }
  }

  mutating func levels(at now: Double, estimate: Int) throws -> [Int] {
    let time = Timestamp(microseconds: Int64(now * 1e6))
    try coordinator.setBandwidthEstimate(estimate, at: time)
    if let decision = try coordinator.decide(at: time) {
      for row in decision.streams where row.needsKeyFrame {
        try coordinator.layerLocked(row.id, at: time)
      }
    }
    // All streams are alike, so they rank in the order of their names.
    return coordinator.decision.streams.map { $0.target.layer?.spatial ?? -1 }
  }
}
