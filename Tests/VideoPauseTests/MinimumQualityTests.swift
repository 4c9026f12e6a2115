import TestSupport
import Testing

@testable import VideoPause

/// A stream below its least quality is paused, with that reason.
@Suite struct MinimumQualityTests {
  private let alice = camera("a")

  private func coordinator(
    _ minimum: StreamQuality, _ change: (inout VideoDemand) -> Void = { _ in }
  ) throws -> VideoPauseCoordinator {
    var coordinator = try VideoPauseCoordinator.cameras(1, .pure)
    var demand = VideoDemand(minimumQuality: minimum)
    change(&demand)
    try coordinator.setDemand(demand, for: alice, at: .zero)
    return coordinator
  }

  /// The camera has 150, 500 and 1,500 kbit/s.
  @Test func lessThanTheMinimumIsNotForwarded() throws {
    var coordinator = try coordinator(.r360p_30fps)
    let rows: [(rate: Int, height: Int?, missing: Int)] = [
      (1_500_000, 720, 0), (1_499_999, 360, 0), (500_000, 360, 0), (499_999, nil, 1),
      (150_000, nil, 350_000), (0, nil, 500_000), (500_000, 360, 0),
    ]
    for (rate, height, missing) in rows {
      try coordinator.step(rate, at: .zero)
      #expect(coordinator.height(alice) == height)
      let row = try #require(coordinator.row(alice))
      #expect(row.required == missing && row.ideal?.size.height == 720)
      #expect(row.target.pauseReason == (height == nil ? .belowMinimumQuality : nil))
      #expect(row.isPausedForBandwidth == (height == nil))
      #expect(coordinator.pausedTracks.isEmpty == (height != nil))
    }
  }

  /// Nothing that the publisher sends is good enough: more bandwidth would not help, so `pausedTracks` is empty.
  @Test func aPublisherWithoutSuchALayerIsNoLackOfBandwidth() throws {
    var coordinator = try coordinator(.r360p_30fps)
    try coordinator.upsertStream(alice, kind: .camera, layers: simulcast(150), at: .zero)
    try coordinator.step(9_000_000, at: .zero)
    #expect(coordinator.reason(alice) == .belowMinimumQuality)
    #expect(coordinator.row(alice)?.ideal == nil && coordinator.pausedTracks.isEmpty)
    #expect(coordinator.row(alice)?.isPausedForBandwidth == false)
    try coordinator.upsertStream(alice, kind: .camera, layers: [], at: .zero)
    try coordinator.step(9_000_000, at: .zero)
    #expect(coordinator.reason(alice) == .feedDry)
  }

  /// NTSC cameras and measured rates are a little off 30; half of it is another quality.
  @Test(arguments: [
    (29.97, true), (28.5, true), (30.2, true), (31.5, true), (28, false), (32, false),
  ])
  func aFrameRateIsWhatItIsNearTo(rate: Double, isNear: Bool) throws {
    func heights(_ demand: VideoDemand) throws -> [Int?] {
      var coordinator = try VideoPauseCoordinator.cameras(1, .pure)
      let layers = simulcast(150, 500).enumerated().map { place, layer in
        var layer = layer
        layer.framesPerSecond = place == 1 ? rate : 15
        return layer
      }
      try coordinator.upsertStream(alice, kind: .camera, layers: layers, at: .zero)
      try coordinator.setDemand(demand, for: alice, at: .zero)
      try coordinator.step(9_000_000, at: .zero)
      return [coordinator.height(alice)]
    }
    let least = try heights(VideoDemand(minimumQuality: .r360p_30fps))
    let most = try heights(VideoDemand(maximumQuality: .r360p_30fps))
    #expect(least == [isNear || rate > 30 ? 360 : nil] && most == [isNear || rate < 30 ? 360 : 180])
  }

  /// Nothing smaller is sent, so bandwidth is all that it lacks.
  @Test func aMinimumThatExcludesNothingIsNoReason() throws {
    var coordinator = try coordinator(.r180p_30fps)
    try coordinator.step(100_000, at: .zero)
    #expect(coordinator.reason(alice) == .bandwidth)
  }

  @Test func upperLimitsWin() throws {
    var small = try coordinator(.r720p_30fps) { $0.viewSize = VideoSize(width: 320, height: 180) }
    try small.step(9_000_000, at: .zero)
    #expect(small.height(alice) == 180, "a picture that fills its view is good enough")
    var limited = try coordinator(.r720p_30fps) { $0.maximumQuality = .r360p_30fps }
    try limited.step(9_000_000, at: .zero)
    #expect(limited.height(alice) == 360)
    try limited.step(499_000, at: .zero)
    #expect(limited.reason(alice) == .belowMinimumQuality)
  }

  /// Such a stream keeps its least quality, and nothing is paused (G11).
  @Test func withoutTheCapabilityItIsOversent() throws {
    var coordinator = try coordinator(.r360p_30fps)
    try coordinator.disableClientCapabilities([.subscriberVideoPause], at: .zero)
    try coordinator.step(100_000, at: .zero)
    #expect(coordinator.height(alice) == 360 && coordinator.decision.isOversending)
  }

  @Test func onePauseAndOneResumeAreReported() throws {
    let told = Told()
    var coordinator = try coordinator(.r360p_30fps)
    coordinator.onAction = { told.note($0) }
    try coordinator.step(600_000, at: .zero)
    #expect(told.take().isEmpty)
    try coordinator.step(200_000, at: .seconds(1))
    #expect(told.take() == [.paused(alice, .belowMinimumQuality)])
    try coordinator.step(600_000, at: .seconds(3))
    #expect(told.take() == [.resumed(alice, .belowMinimumQuality, after: .seconds(2))])
  }
}
