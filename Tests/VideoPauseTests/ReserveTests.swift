import TestSupport
import Testing

@testable import VideoPause

/// What is reserved for other traffic.
@Suite struct ReserveTests {
  @Test func partsAddUp() throws {
    var configuration = VideoPauseConfiguration()
    configuration.otherTrafficReserve = 50_000
    var coordinator = try VideoPauseCoordinator(configuration: configuration)
    var now = Timestamp.zero
    func available(_ other: Int?) throws -> Int {
      now = now.advanced(by: .seconds(1))
      if let other { try coordinator.setOtherTraffic(other, at: now) }
      try coordinator.step(500_000, at: now)
      #expect(coordinator.decision.budget.available == coordinator.network.available)
      return coordinator.network.available
    }
    #expect(try available(nil) == 450_000)
    #expect(try available(20_000) == 450_000, "the fixed part is the least")
    #expect(try available(50_001) == 449_999)
    #expect(try available(0) == 450_000)
    try coordinator.setAudio(streamCount: 2, at: now)
    #expect(try available(100_000) == 500_000 - 115_200 - 100_000)
    #expect(try available(VideoPauseLimits.maximumBitrate) == 0)
    #expect(coordinator.decision.budget.audioReserve == 115_200)
    #expect(coordinator.decision.budget.otherReserve == VideoPauseLimits.maximumBitrate)
    #expect(throws: VideoPauseError.invalidBandwidth(-1)) {
      try coordinator.setOtherTraffic(-1, at: now)
    }
    configuration.otherTrafficReserve = -1
    #expect(throws: VideoPauseError.invalidConfiguration(field: "otherTrafficReserve")) {
      try VideoPauseCoordinator(configuration: configuration)
    }
  }

  /// The oracle is a subscriber whose estimate is lower by what the other one reserves.
  @Test func itIsAsIfTheEstimateWereLower() throws {
    var random = SeededGenerator(seed: 71)
    var (one, other) = (
      try VideoPauseCoordinator.cameras(6), try VideoPauseCoordinator.cameras(6)
    )
    var (estimate, reserve, paused) = (2_000_000, 0, 0)
    for step in 0..<20_000 {
      let now = Timestamp.milliseconds(Int64(step) * 150)
      if random.chance(10) { reserve = random.int(0...600_000) }
      if random.chance(5) { estimate = random.int(0...5_000_000) }
      let rate = Int(Double(estimate) * (1 + 0.1 * random.normal()))
      try one.setOtherTraffic(reserve, at: now)
      try one.step(max(0, rate), at: now)
      try other.step(max(0, rate - reserve), at: now)
      #expect(one.decision.streams == other.decision.streams)
      if let (goal, lower) = one.decision.probe.flatMap({ a in other.decision.probe.map { (a, $0) }
      }) {
        #expect(goal.notBefore == lower.notBefore)
      }
      paused += one.decision.streams.count { $0.target == .paused(.bandwidth) }
    }
    #expect(paused > 5_000)
  }
}
