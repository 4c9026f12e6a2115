import Testing

@testable import VideoPause

/// The traces that a stream leaves after it was paused, resumed or removed.
@Suite struct AftermathTests {
  private let alice = camera("a")

  private func one(_ configuration: VideoPauseConfiguration = .pure) throws
    -> VideoPauseCoordinator
  {
    try VideoPauseCoordinator(configuration, streams: [(alice, simulcast(150))])
  }

  @Test func theFirstDecisionIsReturnedEvenIfEmpty() throws {
    var coordinator = try VideoPauseCoordinator()
    #expect(try coordinator.decide(at: .zero)?.generation == 1)
    #expect(try coordinator.decide(at: .seconds(9)) == nil)
  }

  @Test func aLateLockDoesNotResumeAPausedStream() throws {
    var coordinator = try one()
    try coordinator.step(0, at: .zero)
    try coordinator.layerLocked(alice, at: .milliseconds(1))
    #expect(coordinator.pausedTracks == ["a": [.video]])
    #expect(coordinator.videoStreams.isEmpty)
  }

  /// It requests no key frame.
  @Test func aStreamPausedBeforeItsKeyFrameStaysReportedAsPaused() throws {
    var coordinator = try one()
    try coordinator.setBandwidthEstimate(200_000, at: .zero)
    _ = try coordinator.decide(at: .zero)
    #expect(coordinator.row(alice)?.needsKeyFrame == true)
    try coordinator.step(0, at: .milliseconds(500))
    #expect(coordinator.row(alice)?.needsKeyFrame == false)
    for second in 1...3 as ClosedRange<Int64> {
      try coordinator.step(0, at: .seconds(second))
      #expect(coordinator.pausedTracks == ["a": [.video]])
      #expect(coordinator.videoStreams.isEmpty)
    }
  }

  @Test func aMutedPausedStreamLacksNothing() throws {
    var coordinator = try one()
    try coordinator.step(100_000, at: .zero)
    #expect(coordinator.row(alice)?.required == 50_000)
    try coordinator.setPublisherMuted(true, for: alice, at: .zero)
    _ = try coordinator.decide(at: .zero)
    #expect(coordinator.row(alice)?.required == 0)
  }

  @Test func aNewFrameRateOfTheSameSizeNeedsNoKeyFrame() throws {
    let size = VideoSize(width: 320, height: 180)
    let layers = [(7.5, 60_000), (30.0, 170_000)].enumerated().map { temporal, layer in
      VideoLayer(
        spatial: 0, temporal: temporal, size: size, framesPerSecond: layer.0, bitrate: layer.1)
    }
    var coordinator = try VideoPauseCoordinator(.pure, streams: [(alice, layers)])
    coordinator.setDebugMetadataEnabled(true)
    for (rate, layer) in [(200_000, 1), (100_000, 0), (200_000, 1)] {
      try coordinator.step(rate, at: .zero)
      let metadata = VideoStreamMetadata(
        framesPerSecond: layers[layer].framesPerSecond, bitrate: layers[layer].bitrate)
      #expect(
        coordinator.videoStreams == [VideoStream(id: alice, resolution: size, metadata: metadata)])
      #expect(coordinator.row(alice)?.needsKeyFrame == false)
    }
  }

  /// The first stream is never held: it comes back at once.
  @Test func aPausedStreamStaysPausedForTheHoldOff() throws {
    var configuration = VideoPauseConfiguration.pure
    (configuration.holdOff, configuration.probeInterval) = (.seconds(2), .seconds(30))
    let bob = camera("b")
    var coordinator = try VideoPauseCoordinator(
      configuration, streams: [(alice, simulcast(150)), (bob, simulcast(150))])
    for (rate, second) in [(300_000, 0), (0, 1), (300_000, 2)] {
      try coordinator.step(rate, at: .seconds(Int64(second)))
      #expect(coordinator.running == [[alice, bob], [], [alice]][second], "at \(second) s")
    }
    #expect(coordinator.decision.nextDecisionAt == .seconds(3), "2 s after the pause at 1 s")
    try coordinator.step(300_000, at: .milliseconds(2_999))
    #expect(coordinator.running == [alice])
    try coordinator.step(300_000, at: .seconds(3))
    #expect(coordinator.running == [alice, bob])
  }

  /// The new plan comes a second later, as a new decision.
  @Test func anUnsuccessfulProbeIsRescheduled() throws {
    var coordinator = try one()
    try coordinator.step(100_000, at: .zero)
    #expect(
      coordinator.decision.probe == ProbeGoal(bitrate: 200_000, notBefore: .milliseconds(750)))
    #expect(coordinator.decision.nextDecisionAt == .milliseconds(1_750))
    let next = try coordinator.decide(at: .milliseconds(1_750))
    #expect(next?.probe == ProbeGoal(bitrate: 200_000, notBefore: .milliseconds(2_875)))
    #expect(next?.generation == 2)
  }
}
