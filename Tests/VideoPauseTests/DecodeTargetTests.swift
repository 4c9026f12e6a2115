import TestSupport
import Testing

@testable import VideoPause

/// Layers of scalable streams.
@Suite struct DecodeTargetTests {
  /// Returns targets of L3T2 at these rates in kbit/s, in the order S0T0, S0T1, S1T0….
  private func targets(_ kilobits: [Int]) -> [VideoLayer] {
    kilobits.enumerated().map { place, rate in
      let height = 180 << (place / 2)
      return VideoLayer(
        spatial: place / 2, temporal: place % 2,
        size: VideoSize(width: height * 16 / 9, height: height),
        framesPerSecond: place % 2 == 0 ? 15 : 30, bitrate: rate * 1_000, isDecodeTarget: true)
    }
  }

  private func refusal(of layers: [VideoLayer]) throws -> VideoPauseError.LayerDefect? {
    var coordinator = try VideoPauseCoordinator()
    do throws(VideoPauseError) {
      try coordinator.upsertStream(camera("a"), kind: .camera, layers: layers, at: .zero)
      return nil
    } catch {
      guard case .invalidLayers(_, let defect) = error else { throw error }
      return defect
    }
  }

  @Test func idsAreThoseOfTheCodecs() throws {
    func layer(_ spatial: Int, _ temporal: Int, isTarget: Bool = true) -> [VideoLayer] {
      [
        VideoLayer(
          spatial: spatial, temporal: temporal, size: VideoSize(width: 320, height: 180),
          bitrate: 1_000, isDecodeTarget: isTarget)
      ]
    }
    #expect(try refusal(of: layer(3, 7)) == nil)
    #expect(try refusal(of: layer(4, 0)) == .invalidDecodeTarget)
    #expect(try refusal(of: layer(0, 8)) == .invalidDecodeTarget)
    #expect(try refusal(of: layer(256, 0)) == .invalidIndex)
    #expect(try refusal(of: layer(255, 255, isTarget: false)) == nil)
  }

  @Test func whatIsContainedCostsNoMore() throws {
    #expect(try refusal(of: targets([100, 150, 300, 450, 900, 1_350])) == nil)
    #expect(try refusal(of: targets([100, 100, 100, 100])) == nil, "a layer without packets")
    #expect(try refusal(of: targets([100, 150, 140, 150])) == nil, "S0T1 is no part of S1T0")
    #expect(try refusal(of: targets([100, 99])) == .cheaperThanContained)
    #expect(try refusal(of: targets([100, 99]).reversed()) == .cheaperThanContained)
    #expect(try refusal(of: targets([100, 150, 120, 149])) == .cheaperThanContained)
    var resting = targets([100, 150, 120, 149])
    resting[1].isActive = false
    #expect(try refusal(of: resting) == nil, "the rate of what is not sent is not known")
    #expect(try refusal(of: targets([0, 150, 0, 149])) == .cheaperThanContained)
    #expect(try refusal(of: targets([100]) + targets([100])) == .duplicate)
    #expect(try refusal(of: targets([100]) + simulcast(1, 300).suffix(1)) == .mixed)
    #expect(try refusal(of: simulcast(300, 200, 100)) == nil, "encodings depend on nothing")
  }

  /// The oracle compares all pairs.
  @Test func exactlyTheInconsistentListsAreRefused() throws {
    var random = SeededGenerator(seed: 61)
    var refused = 0
    for _ in 0..<20_000 {
      var all: [VideoLayer] = []
      for _ in 0..<random.int(0...4) {
        all.append(
          VideoLayer(
            spatial: random.int(0...2), temporal: random.int(0...2),
            size: VideoSize(width: 320, height: 180), bitrate: random.int(0...20),
            isActive: random.chance(80), isDecodeTarget: random.chance(95)))
      }
      var isWrong = false
      for (place, a) in all.enumerated() {
        for (other, b) in all.enumerated() where other != place {
          let isPart = b.spatial <= a.spatial && b.temporal <= a.temporal
          let isPair = a.isDecodeTarget && b.isDecodeTarget && isPart
          let areSent = a.isActive && b.isActive && a.bitrate > 0 && b.bitrate > 0
          isWrong = isWrong || isPair && areSent && a.bitrate < b.bitrate
          isWrong = isWrong || (a.spatial, a.temporal) == (b.spatial, b.temporal)
          isWrong = isWrong || a.isDecodeTarget != b.isDecodeTarget
        }
      }
      #expect(try (refusal(of: all) != nil) == isWrong)
      refused += isWrong ? 1 : 0
    }
    #expect(refused > 2_000 && refused < 18_000)
  }

  /// Down, a decoder goes on with what it has. Up, it needs a key frame. An encoding of simulcast needs one both ways.
  @Test(arguments: [true, false])
  func onlyAHigherTargetNeedsAKeyFrame(_ isScalable: Bool) throws {
    let layers =
      isScalable
      ? targets([100, 150, 300, 450, 900, 1_350]) : simulcast(100, 300, 900)
    var coordinator = try VideoPauseCoordinator(.pure, streams: [(camera("a"), layers)])
    func aim(_ rate: Int, at milliseconds: Int64) throws -> StreamDecision {
      try coordinator.setBandwidthEstimate(rate, at: .milliseconds(milliseconds))
      _ = try coordinator.decide(at: .milliseconds(milliseconds))
      return try #require(coordinator.row(camera("a")))
    }
    #expect(try aim(2_000_000, at: 0).needsKeyFrame)
    try coordinator.layerLocked(camera("a"), at: .milliseconds(1))
    let top = try #require(coordinator.row(camera("a"))?.target.layer)
    #expect((top.spatial, top.temporal, top.isDecodeTarget) == (2, isScalable ? 1 : 0, isScalable))
    let down = try aim(460_000, at: 10)
    #expect(down.target.layer?.spatial == 1)
    #expect(down.needsKeyFrame == !isScalable)
    #expect(coordinator.videoStreams.map(\.resolution.height) == [isScalable ? 360 : 720])
    if !isScalable { try coordinator.layerLocked(camera("a"), at: .milliseconds(11)) }
    #expect(try aim(2_000_000, at: 20).needsKeyFrame)
    #expect(coordinator.videoStreams.map(\.resolution.height) == [360])
    // Back before the key frame has come: the decoder never left the lower one.
    #expect(try !aim(460_000, at: 30).needsKeyFrame)
  }
}
