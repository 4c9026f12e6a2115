import ActivityReporting
import MetricsTestKit
import Testing
import VideoPause

/// The oracle is swift-metrics' own test kit.
@Suite struct VideoPauseMetricsTests {
  private let metrics = TestMetrics()

  /// By action and reason, those that are not 0.
  private var actions: [String: Int64] {
    let counters = metrics.counters.filter { $0.label == "video_pause_actions_total" }
    let counted = counters.map { counter in
      let dimensions = Dictionary(uniqueKeysWithValues: counter.dimensions)
      return ("\(dimensions["action"]!) \(dimensions["reason"]!)", counter.totalValue)
    }
    return Dictionary(uniqueKeysWithValues: counted.filter { $0.1 != 0 })
  }

  @Test func pausesAndResumesAreCounted() throws {
    let meters = VideoPauseMeters(metrics)
    let bob = StreamID(participant: "bob")
    let layer = VideoLayer(
      spatial: 0, size: VideoSize(width: 320, height: 180), framesPerSecond: 30, bitrate: 100_000)
    var subscribers = try (0..<2).map { _ in try VideoPauseCoordinator() }
    for index in subscribers.indices {
      subscribers[index].onAction = meters.record
      try subscribers[index].upsertStream(bob, kind: .camera, layers: [layer], at: .zero)
      try subscribers[index].setBandwidthEstimate(0, at: .zero)
      _ = try subscribers[index].decide(at: .zero)
    }
    #expect(actions == ["pause bandwidth": 2])
    try subscribers[0].setBandwidthEstimate(5_000_000, at: .seconds(60))
    _ = try subscribers[0].decide(at: .seconds(60))
    let resume = try metrics.expectTimer("video_resume_seconds")
    // The estimate is believed only after a while.
    while resume.values.isEmpty, let next = subscribers[0].decision.nextDecisionAt {
      _ = try subscribers[0].decide(at: next)
    }
    #expect(actions == ["pause bandwidth": 2, "resume bandwidth": 1])
    #expect(resume.values.count == 1 && resume.values[0] >= 60_000_000_000)

    try subscribers[0].setPublisherMuted(true, for: bob, at: .seconds(100))
    _ = try subscribers[0].decide(at: .seconds(100))
    try subscribers[0].setPublisherMuted(false, for: bob, at: .seconds(101))
    _ = try subscribers[0].decide(at: .seconds(101))
    #expect(actions["pause publisherMuted"] == 1 && actions["resume publisherMuted"] == 1)
    // Nobody was late.
    #expect(resume.values.count == 1)
  }

  /// Before anything happens, with a number of labels that nothing can raise.
  @Test func allMetricsExistFromTheBeginning() {
    _ = VideoPauseMeters(metrics)
    #expect(metrics.counters.count == 2 * PauseReason.allCases.count)
    #expect(metrics.counters.allSatisfy { $0.values == [0] })
    #expect(metrics.timers.map(\.label) == ["video_resume_seconds"])
    #expect(
      VideoPauseMeters.Metric.allCases.map(\.rawValue) == [
        "video_pause_actions_total", "video_resume_seconds",
      ])
  }
}
