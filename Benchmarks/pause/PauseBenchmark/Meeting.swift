import VideoPause

/// Simulcast as browsers send it: a camera's three sizes with three frame rates each, and their bit rates.
let simulcast: [VideoLayer] = [
  (320, 180, [49_500, 99_000, 150_000]), (640, 360, [165_000, 330_000, 500_000]),
  (1_280, 720, [660_000, 1_320_000, 2_000_000]),
].enumerated().flatMap { spatial, encoding in
  zip([7.5, 15, 30], encoding.2).enumerated().map { temporal, layer in
    VideoLayer(
      spatial: spatial, temporal: temporal, size: VideoSize(width: encoding.0, height: encoding.1),
      framesPerSecond: layer.0, bitrate: layer.1)
  }
}

/// A subscriber that receives `count` cameras over a path that carries a third of the wanted bit rate, so that every
/// decision has choices to make.
struct Meeting {
  /// The input before each decision.
  enum Event: String, CaseIterable {
    /// The bandwidth estimate varies by 10 %.
    case estimate
    /// The speaker changes: a new order of all streams.
    case speaker
    /// The size of a tile changes: a new ladder for one stream.
    case tile
  }

  private var coordinator: VideoPauseCoordinator
  private var estimates: NoisyEstimate
  private let participants: [ParticipantID]
  /// The orders of the ten most recent speakers, created in advance.
  private let orders: [[ParticipantID]]
  private var now = Timestamp.zero
  private var round = 0

  init(count: Int) throws {
    participants = (0..<count).map { ParticipantID("p\($0)") }
    let names = participants
    orders = (0..<count).map { first in
      (0..<min(10, count)).map { names[(first + $0 * 7) % count] }
    }
    let wanted = simulcast.map(\.bitrate).max() ?? 0
    estimates = NoisyEstimate(
      mean: count * wanted / 3, deviation: 0.1, correlation: 0.5, seed: 1)
    coordinator = try VideoPauseCoordinator()
    for participant in participants {
      try coordinator.upsertStream(
        StreamID(participant: participant), kind: .camera, layers: simulcast, at: now)
    }
    try coordinator.setBandwidthEstimate(estimates.mean, at: now)
  }

  /// Makes one event and the decision about it, half a second after the previous one. Each considers all streams.
  mutating func decide(about event: Event) throws {
    now = now.advanced(by: .milliseconds(500))
    round += 1
    let isDue =
      switch event {
      case .estimate: try coordinator.setBandwidthEstimate(estimates.next(), at: now)
      case .speaker: try coordinator.setSpeakerOrder(orders[round % orders.count], at: now)
      case .tile: try resize(participants[round % participants.count])
      }
    precondition(isDue, "this decision looks at nothing")
    _ = try coordinator.decide(at: now)
  }

  private mutating func resize(_ participant: ParticipantID) throws -> Bool {
    let height = round / participants.count % 2 == 0 ? 180 : 360
    let demand = VideoDemand(viewSize: VideoSize(width: height * 16 / 9, height: height))
    return try coordinator.setDemand(demand, for: StreamID(participant: participant), at: now)
  }
}
