import TestSupport
import Testing

@testable import VideoPause

/// What is wanted of a stream.
@Suite struct DemandTests {
  private func layers(_ random: inout SeededGenerator) -> [VideoLayer] {
    (0..<random.int(0...9)).map { place in
      let height = random.pick([90, 180, 360, 720])
      return VideoLayer(
        spatial: place / 3, temporal: place % 3, size: VideoSize(width: height * 2, height: height),
        framesPerSecond: random.pick([0, 7.5, 15, 30]), bitrate: random.int(0...9) * 100,
        isActive: random.chance(90))
    }
  }

  /// Returns the expected ladder: the layers that are sent and wanted, and for which no other such layer is better at
  /// the same or a lower cost, as good at a lower cost, or equal and earlier in the list.
  private func expected(
    _ all: [VideoLayer], _ kind: VideoKind, _ limits: Ladder.Limits
  ) -> [Int] {
    let sent = all.indices.filter { all[$0].isActive && all[$0].bitrate > 0 }
    let filling = sent.map { all[$0].size.height }.filter { $0 >= limits.viewHeight ?? .max }
    let height = min(limits.height, filling.min() ?? .max)
    let within = sent.filter {
      all[$0].size.height <= height && all[$0].framesPerSecond <= limits.framesPerSecond
    }
    let least = min(limits.leastHeight, height)
    func isUseful(_ place: Int) -> Bool {
      let (rate, lowest) = (all[place].framesPerSecond, limits.leastFramesPerSecond)
      return all[place].size.height >= least
        && (rate == 0 || rate >= min(lowest, limits.framesPerSecond))
    }
    let wanted = within.filter(isUseful)
    func utility(_ place: Int) -> Double { all[place].utility(of: kind, among: all) }
    func beats(_ a: Int, _ b: Int) -> Bool {
      let (costA, costB) = (all[a].bitrate, all[b].bitrate)
      let (worthA, worthB) = (utility(a), utility(b))
      if costA == costB && worthA == worthB { return a < b }
      return costA <= costB && worthA >= worthB
    }
    let ladder = wanted.filter { place in !wanted.contains { beats($0, place) } }
    // Only if nothing is as small as requested, the cheapest will do.
    let useful = sent.filter(isUseful)
    guard within.isEmpty, let least = useful.map({ all[$0].bitrate }).min() else {
      return ladder.sorted { all[$0].bitrate < all[$1].bitrate }
    }
    return [useful.first { all[$0].bitrate == least }!]
  }

  /// Earlier limits make no difference. The test tries 100,000 ladders.
  @Test func aLadderHasOnlyUnbeatenLayers() {
    var random = SeededGenerator(seed: 51)
    for _ in 0..<20_000 {
      let kind = random.pick(VideoKind.allCases)
      let all = layers(&random)
      var ladder = LoneLadder(all, kind: kind)
      #expect(ladder.layers.isEmpty && ladder.steps.isEmpty)
      for _ in 0..<5 {
        let limits = Ladder.Limits(
          viewHeight: random.pick([nil, nil, 1, 180, 181, 361, 2_000]),
          height: random.pick([.max, 360, 90, 10]),
          framesPerSecond: random.pick([.infinity, 30, 15, 1]),
          leastHeight: random.pick([0, 0, 90, 180, 360, 720]),
          leastFramesPerSecond: random.pick([0, 0, 7.5, 15, 30]))
        ladder.limit(to: limits)
        #expect(ladder.layers == expected(all, kind, limits))
        // Raised, if a cheaper layer would be chosen as the base without a least quality.
        var careless = limits
        (careless.leastHeight, careless.leastFramesPerSecond) = (0, 0)
        let base = expected(all, kind, careless).first.map { all[$0].bitrate }
        let raised = base.map { $0 < ladder.steps.first?.bitrate ?? .max } ?? false
        #expect(ladder.isRaised == raised)
        #expect(ladder.steps.map(\.bitrate) == ladder.layers.map { all[$0].bitrate })
        let worth = ladder.layers.map { all[$0].utility(of: kind, among: all) }
        #expect(ladder.steps.map(\.utility) == worth)
      }
    }
  }

  /// The order is own or left out, paused, hidden, muted, dry.
  @Test func theFirstOfSeveralReasonsCounts() {
    for flags in 0..<64 {
      func has(_ bit: Int) -> Bool { flags & (1 << bit) != 0 }
      var stream = StreamState(
        id: camera("a"), kind: .camera, layers: has(5) ? [] : simulcast(100), isLocal: has(0),
        resumeLimit: 2)
      stream.isSubscriberPaused = has(2)
      stream.demand.isVisible = !has(3)
      stream.isPublisherMuted = has(4)
      _ = stream.refresh(StreamState.Bounds(isCustomLayout: has(1)))
      let reasons: [PauseReason] = [
        .notRequested, .notRequested, .subscriberPaused, .notVisible, .publisherMuted, .feedDry,
      ]
      #expect(stream.block == (0..<6).first(where: has).map { reasons[$0] })
      #expect(!stream.isStale)
    }
  }

  /// View, requested quality, layout, frame rate, and 720p, which does not limit screen shares.
  @Test func limitsCombine() {
    func heights(
      _ kind: VideoKind = .camera, is720p: Bool = true, _ change: (inout StreamState) -> Void
    ) -> [Int] {
      let layers = JitsiView.layers.map(\.1)
      var stream = StreamState(
        id: camera("a"), kind: kind, layers: layers, isLocal: false, resumeLimit: 2)
      change(&stream)
      return stream.refresh(StreamState.Bounds(is720pEnabled: is720p)).map(\.size.height)
    }
    #expect(heights { _ in } == [180, 180, 180, 360, 720])
    #expect(heights(is720p: false) { _ in } == [180, 180, 180, 360])
    #expect(heights(.screenShare, is720p: false) { _ in }.last == 720)
    #expect(heights { $0.demand.maximumQuality = .r360p_15fps } == [180, 180, 360])
    #expect(heights { $0.demand.maximumQuality = .r180p_30fps } == [180, 180, 180])
    #expect(
      heights {
        $0.demand.maximumQuality = .r720p_7fps
        $0.demand.maximumFramesPerSecond = 15
      } == [180, 360, 720])
    #expect(
      heights {
        $0.demand.viewSize = VideoSize(width: 640, height: 200)
        $0.entry = StreamState.Entry(quality: .r180p_15fps, priority: nil, order: 0)
      } == [180, 180])
  }

  /// A camera's motion and preferred level, a screen share's first level of full height.
  @Test func stageLevelsDependOnTheKindOfVideo() {
    func candidate(_ kind: VideoKind, _ height: Int) -> [Int] {
      var stream = StreamState(
        id: camera("a"), kind: kind, layers: JitsiView.layers.map(\.1), isLocal: false,
        resumeLimit: 2)
      _ = stream.refresh(StreamState.Bounds(is720pEnabled: true, preferredHeight: height))
      return [stream.motion.place, stream.preferred.place]
    }
    // Cameras: 180p at 7.5, 15 and 30, 360p at 30, 720p at 30. Screen shares have nine levels.
    #expect(candidate(.camera, 360) == [2, 3])
    #expect(candidate(.camera, 180) == [2, 2])
    #expect(candidate(.camera, 100) == [2, 0])
    #expect(candidate(.camera, 9_999) == [2, 4])
    #expect(candidate(.screenShare, 360) == [2, 6])
  }

  /// It loses its place only if the layer is gone.
  @Test func aForwardedLayerKeepsItsPlaceInANewLadder() throws {
    var coordinator = try VideoPauseCoordinator.cameras(1, .pure)
    try coordinator.step(600_000, at: .zero)
    #expect(coordinator.streams.states[0].phase.level == Level(1))
    var layers = simulcast(150, 500, 1_500)
    layers[0].isActive = false
    try coordinator.upsertStream(camera("a"), kind: .camera, layers: layers, at: .zero)
    try coordinator.step(600_000, at: .zero)
    #expect(coordinator.streams.states[0].phase.level == .base)
    #expect(coordinator.height(camera("a")) == 360)
    layers[1].isActive = false
    try coordinator.upsertStream(camera("a"), kind: .camera, layers: layers, at: .zero)
    try coordinator.step(600_000, at: .zero)
    #expect(coordinator.reason(camera("a")) == .bandwidth)
    #expect(coordinator.streams.states[0].phase.level == .none)
    #expect(coordinator.network.sent == 0)
  }

  @Test func aKeyFrameIsRequestedUntilTheNewSizeArrives() throws {
    var coordinator = try VideoPauseCoordinator.cameras(1, .pure)
    func forward(_ rate: Int, _ milliseconds: Int64) throws -> [Bool] {
      try coordinator.setBandwidthEstimate(rate, at: .milliseconds(milliseconds))
      _ = try coordinator.decide(at: .milliseconds(milliseconds))
      let stream = coordinator.streams.states[0]
      return [
        stream.phase.needsKeyFrame,
        stream.phase.received?.size == stream.phase.layer?.size,
      ]
    }
    #expect(try forward(200_000, 0) == [true, false])
    #expect(try forward(600_000, 100) == [true, false], "another one, before the first came")
    #expect(try forward(600_000, 999) == [true, false], "waited for since the picture was chosen")
    #expect(try forward(600_000, 1_000) == [true, true], "taken as there, and still asked for")
    #expect(try forward(2_000_000, 1_200) == [true, false])
    #expect(try forward(600_000, 1_300) == [false, true], "back to what arrives")
    #expect(try forward(0, 1_400) == [false, true], "nothing is forwarded, nothing arrives")
    #expect(try forward(200_000, 1_500) == [true, false])
    try coordinator.layerLocked(camera("a"), at: .milliseconds(1_600))
    #expect(try forward(210_000, 1_700) == [false, true])
  }
}
