import TestSupport

@testable import VideoPause

extension SeededGenerator {
  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
  mutating func chance(_ percent: Int) -> Bool { int(1...100) <= percent }
  mutating func pick<T>(_ items: [T]) -> T { items[int(0...(items.count - 1))] }

  /// Returns an approximately normal number, mean 0 and variance 1, from twelve uniform numbers (Irwin-Hall).
  mutating func normal() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
  }
}

extension VideoPauseConfiguration {
  /// A configuration without hysteresis: the first decision of a new coordinator divides exactly the estimate.
  static var pure: Self {
    var configuration = Self()
    configuration.growMargin = 0
    configuration.evidenceWindow = .zero
    configuration.toleratedQueue = .zero
    configuration.toleratedOutage = .zero
    configuration.decisionInterval = .zero
    configuration.holdOff = .zero
    configuration.resumeLimit = 64
    configuration.screenShareFirst = true
    return configuration
  }
}

/// A ladder with steps of its own.
struct LoneLadder {
  private let given: [VideoLayer]
  private var ladder: Ladder
  private var room: [Allocation.Step]

  init(_ layers: [VideoLayer], kind: VideoKind, limits: Ladder.Limits? = nil) {
    given = layers
    ladder = Ladder(layers, kind: kind)
    room = ladder.emptySteps
    if let limits { limit(to: limits) }
  }

  mutating func limit(to limits: Ladder.Limits) { ladder.limit(to: limits, in: &room) }

  var isRaised: Bool { ladder.isRaised }
  var steps: [Allocation.Step] { Array(room[..<ladder.count]) }
  /// The places of the levels in the given list of layers.
  var layers: [Int] { ladder.layers(room).map { layer in given.firstIndex { $0 == layer }! } }
}

extension Ladder {
  var emptySteps: [Allocation.Step] {
    Array(repeating: Allocation.Step(bitrate: 0, utility: 0), count: room)
  }

  /// Returns the layers of all levels.
  func layers(_ steps: [Allocation.Step]) -> [VideoLayer] {
    steps[first..<first + count].map(layer)
  }
}

extension StreamState {
  /// Refreshes a stream that is alone, and returns the layers of its levels.
  mutating func refresh(_ bounds: Bounds) -> [VideoLayer] {
    var steps = ladder.emptySteps
    refresh(bounds, in: &steps, at: .zero)
    return ladder.layers(steps)
  }
}

extension Allocation {
  /// Adds a stream that ranks behind all earlier ones.
  mutating func append(_ candidate: Candidate, _ ladder: [Step]) {
    var candidate = candidate
    (candidate.first, candidate.count) = (steps.count, ladder.count)
    steps += ladder
    steps.link(candidate.first..<steps.count)
    candidates.append(candidate)
  }
}

func camera(_ name: String) -> StreamID { StreamID(participant: ParticipantID(name)) }
func share(_ name: String) -> StreamID {
  StreamID(participant: ParticipantID(name), trackType: .screenShare)
}

/// Returns simulcast layers of one frame rate: 180p, 360p, 720p… at these rates in kbit/s.
func simulcast(_ kilobits: Int...) -> [VideoLayer] { simulcast(kilobits) }
func simulcast(_ kilobits: [Int]) -> [VideoLayer] {
  kilobits.enumerated().map { place, rate in
    let height = 180 << place
    return VideoLayer(
      spatial: place, size: VideoSize(width: height * 16 / 9, height: height), framesPerSecond: 30,
      bitrate: rate * 1_000)
  }
}

extension VideoPauseCoordinator {
  init(_ configuration: VideoPauseConfiguration, streams: [(StreamID, [VideoLayer])]) throws {
    try self.init(configuration: configuration)
    for (id, layers) in streams {
      try upsertStream(
        id, kind: id.trackType == .screenShare ? .screenShare : .camera, layers: layers, at: .zero)
    }
  }

  /// Returns a coordinator with cameras a, b, c… of 150, 500 and 1,500 kbit/s.
  static func cameras(_ count: Int, _ configuration: VideoPauseConfiguration = .default) throws
    -> Self
  {
    try Self(
      configuration,
      streams: "abcdefghijklmnopqrstuvwxyz".prefix(count).map {
        (camera(String($0)), simulcast(150, 500, 1_500))
      })
  }

  /// Sets the estimate, decides, and reports every key frame as locked at once.
  @discardableResult
  mutating func step(_ bitsPerSecond: Int, at time: Timestamp) throws -> AllocationDecision? {
    try setBandwidthEstimate(bitsPerSecond, at: time)
    let decision = try decide(at: time)
    for row in decision?.streams ?? [] where row.needsKeyFrame { try layerLocked(row.id, at: time) }
    return decision
  }

  func row(_ id: StreamID) -> StreamDecision? { decision.streams.first { $0.id == id } }
  func height(_ id: StreamID) -> Int? { row(id)?.target.layer?.size.height }
  func reason(_ id: StreamID) -> PauseReason? { row(id)?.target.pauseReason }
  var running: Set<StreamID> {
    Set(decision.streams.filter { $0.target.layer != nil }.map(\.id))
  }
}
