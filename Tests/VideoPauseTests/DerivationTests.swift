import TestSupport
import Testing

@testable import VideoPause

/// Everything in a decision can be derived from the decision and its verdicts.
@Suite struct DerivationTests {
  /// Returns the missing bits of each row by the rule that `StreamDecision.required` states.
  private func missing(_ coordinator: VideoPauseCoordinator) -> [Int] {
    let decision = coordinator.decision
    let ladders = decision.streams.map { row in
      coordinator.layerVerdicts(of: row.id).filter {
        [.forwarded, .surpassed, .bandwidth, .heldBack].contains($0.outcome)
      }.map(\.layer).sorted { $0.bitrate < $1.bitrate }
    }
    let first = decision.streams.firstIndex { $0.ideal != nil }
    let shown = decision.streams.indices.reduce(0) { sum, place in
      guard let layer = decision.streams[place].target.layer else { return sum }
      let base = ladders[place][0]
      guard decision.strategy == .stage, place == first else { return sum + base.bitrate }
      let motion = ladders[place].last { $0.size.height == base.size.height }!.bitrate
      return sum + min(layer.bitrate, motion)
    }
    return decision.streams.indices.map { place in
      let row = decision.streams[place]
      guard row.isPausedForBandwidth else { return 0 }
      let policy = coordinator.streams.states.first { $0.id == row.id }!.demand.pausePolicy
      let permitted = decision.budget.pictures + (policy == .never ? 500_000 : 0)
      return max(0, shown + ladders[place][0].bitrate - permitted)
    }
  }

  @Test(arguments: AllocationStrategy.allCases)
  func missingBitsAreDerivable(_ strategy: AllocationStrategy) throws {
    var configuration = VideoPauseConfiguration()
    configuration.strategy = strategy
    var world = try World(seed: 91, configuration)
    var (paused, onStage) = (0, 0)
    try world.run(100_000) { world, _ in
      let coordinator = world.coordinator
      guard coordinator.lastRoundAt == world.now else { return }
      let rows = coordinator.decision.streams
      #expect(rows.map(\.required) == missing(coordinator))
      paused += rows.count { $0.required > 0 }
      onStage += coordinator.decision.strategy == .stage ? 1 : 0
    }
    #expect(paused > 10_000 && onStage > 10_000)
  }

  @Test func everyLayerHasAnOutcome() throws {
    var world = try World(seed: 92)
    var seen: Set<LayerOutcome> = []
    try world.run(100_000) { world, _ in
      let coordinator = world.coordinator
      guard coordinator.lastRoundAt == world.now else { return }
      for stream in coordinator.streams.states {
        let row = try #require(coordinator.row(stream.id))
        let verdicts = coordinator.layerVerdicts(of: stream.id)
        #expect(verdicts.map(\.layer) == world.layers[stream.id])
        let forwarded = verdicts.filter { $0.outcome == .forwarded }.map(\.layer)
        #expect(forwarded == (row.target.layer.map { [$0] } ?? []))
        for verdict in verdicts {
          seen.insert(verdict.outcome)
          switch verdict.outcome {
          case .bandwidth:
            #expect(verdict.layer.bitrate > row.target.bitrate && row.ideal != nil)
          case .surpassed: #expect(verdict.layer.bitrate < row.target.bitrate)
          case .heldBack: #expect(row.isPausedForBandwidth && row.required == 0)
          case .belowMinimumQuality: #expect(stream.demand.minimumQuality != nil)
          case .notSent: #expect(!verdict.layer.isActive || verdict.layer.bitrate == 0)
          case .notWanted: #expect(row.ideal == nil && row.target.layer == nil)
          case .aboveDemand, .dominated, .forwarded: break
          }
        }
      }
      #expect(coordinator.layerVerdicts(of: camera("nobody")).isEmpty)
    }
    #expect(seen.isSuperset(of: Set(LayerOutcome.allCases).subtracting([.dominated])))
  }

  /// The nine layers of a camera: 360p at 7.5 and 15 frames costs more than 180p at 30 and is no better.
  @Test func eachOutcomeHasItsCause() throws {
    var layers = JitsiView.layers.map(\.1)
    layers[1].isActive = false
    var coordinator = try VideoPauseCoordinator(.pure, streams: [(camera("a"), layers)])
    let demand = VideoDemand(maximumQuality: .r360p_30fps, minimumQuality: .r180p_15fps)
    try coordinator.setDemand(demand, for: camera("a"), at: .zero)
    func outcomes(_ rate: Int) throws -> [LayerOutcome] {
      try coordinator.step(rate, at: .zero)
      return coordinator.layerVerdicts(of: camera("a")).map(\.outcome)
    }
    let above = Array(repeating: LayerOutcome.aboveDemand, count: 3)
    let below = LayerOutcome.belowMinimumQuality
    #expect(
      try outcomes(9_000_000)
        == [below, .notSent, .surpassed, below, .dominated, .forwarded] + above)
    #expect(
      try outcomes(200_000) == [below, .notSent, .forwarded, below, .dominated, .bandwidth] + above)
    #expect(
      try outcomes(100_000) == [below, .notSent, .bandwidth, below, .dominated, .bandwidth] + above)
    try coordinator.setSubscriberPaused(true, for: camera("a"), at: .zero)
    #expect(
      try outcomes(9_000_000)
        == (0..<9).map { $0 == 1 ? .notSent : .notWanted })
  }
}
