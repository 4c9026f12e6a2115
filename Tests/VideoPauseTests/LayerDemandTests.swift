import TestSupport
import Testing

@testable import VideoPause

/// What publishers have to send.
@Suite struct LayerDemandTests {
  private static let hold = Duration.seconds(5)

  private func layer(_ spatial: Int) -> VideoLayer { simulcast(100, 300, 900)[spatial] }

  /// Returns a row of a publisher of three layers that forwards one of them, or nothing (-1), where another one would
  /// be ideal (-1 if none).
  private func row(_ name: String, _ forwarded: Int, ideal: Int) -> StreamDecision {
    StreamDecision(
      id: camera(name),
      target: forwarded < 0
        ? .paused(ideal < 0 ? .notVisible : .bandwidth) : .forward(layer(forwarded)),
      ideal: ideal < 0 ? nil : layer(ideal),
      neededSpatial: ideal < 0 ? nil : max(0, min(ideal, forwarded + 1)))
  }

  private func decision(_ rows: StreamDecision...) -> AllocationDecision {
    AllocationDecision(streams: rows)
  }

  /// Cameras whose layers cost 100, 300 and 900 kbit/s, and two that do not send all of them.
  @Test func aSubscriberNeedsWhatItGetsAndTheNextThatItLacks() throws {
    let all = [0, 1, 2]
    let rows: [(sent: [Int], estimate: Int, viewHeight: Int, needed: Int?)] = [
      (all, 900, 0, nil), (all, 99, 180, 0), (all, 99, 720, 0), (all, 100, 180, 0),
      (all, 299, 360, 1), (all, 299, 720, 1), (all, 300, 360, 1), (all, 899, 720, 2),
      (all, 900, 720, 2), ([], 900, 720, nil), ([1, 2], 299, 720, 1), ([1, 2], 300, 720, 2),
      ([0, 2], 99, 720, 0), ([0, 2], 100, 720, 2), ([0, 2], 100, 180, 0),
    ]
    for (sent, estimate, height, needed) in rows {
      let layers = all.map { place in
        var layer = layer(place)
        layer.isActive = sent.contains(place)
        return layer
      }
      var coordinator = try VideoPauseCoordinator(.pure, streams: [(camera("a"), layers)])
      try coordinator.setAudio(streamCount: 0, at: .zero)
      let size = VideoSize(width: height * 16 / 9, height: height)
      try coordinator.setDemand(VideoDemand(viewSize: size), for: camera("a"), at: .zero)
      try coordinator.step(estimate * 1_000, at: .zero)
      var demand = try LayerDemand()
      try demand.update(coordinator.decision, of: "s", at: .zero)
      #expect(
        try demand.drainChanges(at: .zero) == [
          DemandedLayers(id: camera("a"), highestSpatial: needed)
        ], "\(sent) at \(estimate) kbit/s in \(height) lines")
      #expect(try demand.drainChanges(at: .seconds(100)).isEmpty)
      #expect(demand.nextChangeAt == nil)
    }
  }

  /// Several temporal layers of each size: the next that is lacking is a larger one, not a faster one.
  @Test func whatIsLackingIsALargerPicture() throws {
    let layers = [(0, 0, 100), (0, 1, 150), (1, 0, 300), (1, 1, 450)].map {
      spatial, temporal, rate in
      VideoLayer(
        spatial: spatial, temporal: temporal,
        size: VideoSize(width: 320 << spatial, height: 180 << spatial),
        framesPerSecond: temporal == 0 ? 15 : 30, bitrate: rate * 1_000)
    }
    for (estimate, needed) in [(99, 0), (100, 1), (299, 1), (450, 1)] {
      var coordinator = try VideoPauseCoordinator(.pure, streams: [(camera("a"), layers)])
      try coordinator.setAudio(streamCount: 0, at: .zero)
      try coordinator.step(estimate * 1_000, at: .zero)
      #expect(coordinator.row(camera("a"))?.neededSpatial == needed, "\(estimate) kbit/s")
    }
  }

  @Test func itRisesAtOnceAndFallsLater() throws {
    var demand = try LayerDemand(holdTime: Self.hold)
    func told(_ highest: Int?) -> [DemandedLayers] {
      [DemandedLayers(id: camera("a"), highestSpatial: highest)]
    }
    try demand.update(decision(row("a", 0, ideal: 0)), of: "s", at: .zero)
    try demand.update(decision(row("a", 2, ideal: 2)), of: "t", at: .zero)
    #expect(demand.nextChangeAt == .zero)
    #expect(try demand.drainChanges(at: .zero) == told(2))
    try demand.remove("t", at: .seconds(1))
    #expect(demand.nextChangeAt == .seconds(6))
    #expect(try demand.drainChanges(at: .milliseconds(5_999)).isEmpty)
    #expect(try demand.drainChanges(at: .seconds(6)) == told(0))
    try demand.update(decision(row("a", 1, ideal: 1)), of: "t", at: .seconds(7))
    #expect(try demand.drainChanges(at: .seconds(7)) == told(1))
    try demand.update(decision(), of: "s", at: .seconds(8))
    try demand.update(decision(), of: "t", at: .seconds(9))
    #expect(try demand.drainChanges(at: .seconds(14)) == told(nil), "nobody is left")
    #expect(demand.nextChangeAt == nil)
  }

  @Test func invalidInputsChangeNothing() throws {
    for hold in [Duration.seconds(-1), .seconds(86_401)] {
      #expect(throws: VideoPauseError.invalidConfiguration(field: "holdTime")) {
        try LayerDemand(holdTime: hold)
      }
    }
    var demand = try LayerDemand()
    try demand.update(decision(row("a", 0, ideal: 0)), of: "s", at: .seconds(2))
    let back = VideoPauseError.timestampWentBackwards(from: .seconds(2), to: .seconds(1))
    #expect(throws: back) { try demand.remove("s", at: .seconds(1)) }
    #expect(throws: back) { try demand.drainChanges(at: .seconds(1)) }
    #expect(try demand.drainChanges(at: .seconds(2)).map(\.highestSpatial) == [0])
  }

  /// The oracle keeps every need that ever was with its time, and takes the highest of those that have ended less than
  /// the hold time ago or not at all.
  @Test(arguments: [0, 1_000, 5_000])
  func itIsTheHighestNeedOfTheHoldTime(_ milliseconds: Int64) throws {
    struct Need { var subscriber: Int, name: String, spatial: Int, end: Int64? }
    var random = SeededGenerator(seed: 81)
    var demand = try LayerDemand(holdTime: .milliseconds(milliseconds))
    var (needs, known, now, told) = ([Need](), [StreamID: Int?](), Int64(0), 0)
    var present: [Int: Set<StreamID>] = [:]
    // What nobody has a row for is forgotten once that is reported; its return is new.
    func isForgotten(_ id: StreamID, _ highest: Int?) -> Bool {
      highest == nil && !present.values.contains { $0.contains(id) }
    }
    for _ in 0..<20_000 {
      let next = now + Int64(random.int(0...600))
      // Nothing changes before the time that it states.
      if let change = demand.nextChangeAt?.microseconds, change > now * 1_000,
        change <= next * 1_000
      {
        #expect(try demand.drainChanges(at: Timestamp(microseconds: change - 1)).isEmpty)
        let late = try demand.drainChanges(at: Timestamp(microseconds: change))
        for change in late {
          known[change.id] =
            isForgotten(change.id, change.highestSpatial) ? nil : .some(change.highestSpatial)
        }
      }
      now = next
      let subscriber = random.int(0...3)
      var rows: [StreamDecision] = []
      for name in ["a", "b", "c"] where random.chance(80) {
        let ideal = random.int(-1...2)
        rows.append(row(name, ideal < 0 ? -1 : random.int(-1...ideal), ideal: ideal))
      }
      if random.chance(10) { rows = [] }
      rows.shuffle(using: &random)
      for place in needs.indices where needs[place].subscriber == subscriber {
        needs[place].end = needs[place].end ?? now
      }
      for row in rows {
        guard let spatial = row.neededSpatial else { continue }
        needs.append(
          Need(
            subscriber: subscriber, name: row.id.participant.rawValue, spatial: spatial, end: nil))
      }
      needs.removeAll { $0.end.map { $0 + milliseconds <= now } ?? false }
      try demand.update(
        AllocationDecision(streams: rows), of: ParticipantID("s\(subscriber)"),
        at: .milliseconds(now))
      let changes = try demand.drainChanges(at: .milliseconds(now))
      present[subscriber] = Set(rows.map(\.id))
      #expect(changes.map(\.id) == changes.map(\.id).sorted())
      for change in changes {
        #expect(known[change.id].map { $0 != change.highestSpatial } ?? true, "no change repeats")
        known[change.id] = .some(change.highestSpatial)
        told += 1
      }
      for (id, highest) in known {
        let wanted = needs.filter { $0.name == id.participant.rawValue }.map(\.spatial).max()
        #expect(highest == wanted)
        if isForgotten(id, wanted) { known[id] = nil }
      }
    }
    #expect(told > 500)
  }

  /// The layers that rest stay active in the lists of the coordinators: a larger view has them sent again at once.
  @Test func aLayerThatRestsComesBackWhenItIsWanted() throws {
    var demand = try LayerDemand()
    var coordinator = try VideoPauseCoordinator.cameras(1, .pure)
    var told: [Int?] = []
    for (second, height) in [(0, 180), (1, 180), (8, 720), (9, 180), (20, 180)] {
      let now = Timestamp.seconds(Int64(second))
      let size = VideoSize(width: height * 16 / 9, height: height)
      try coordinator.setDemand(VideoDemand(viewSize: size), for: camera("a"), at: now)
      try coordinator.step(9_000_000, at: now)
      try demand.update(coordinator.decision, of: "s", at: now)
      told += try demand.drainChanges(at: now).map(\.highestSpatial)
    }
    #expect(told == [0, 2, 0])
  }
}
