import TestSupport
import Testing

@testable import VideoPause

/// Guarantee G3: the first in rank is dark for at most 2 s while its base layer fits the estimate.
@Suite struct FirstInRankTests {
  private static let patience: Int64 = 2_000_000

  /// An independent oracle. It sees estimates and decisions, and knows the base layers; audio is not reserved.
  private struct Oracle {
    let bases: [StreamID: Int]
    private var resumes: [StreamID: [Int64]] = [:]
    private var toggles: [StreamID: [Int64]] = [:]
    private var isShown: [StreamID: Bool] = [:]
    private var first: StreamID?
    private var since: Int64?
    /// How long the first stream was dark although it fitted, at the longest.
    private(set) var longest: Int64 = 0
    /// The resumes of the first stream that G7 would have refused to any other.
    private(set) var claims = 0

    init(_ bases: [StreamID: Int]) { self.bases = bases }

    private func isSpent(_ id: StreamID, _ now: Int64) -> Bool {
      resumes[id, default: []].suffix(2).filter { now - $0 < 60_000_000 }.count == 2
    }

    /// Whether it could not give way and return within the five toggles of G7.
    private func isRestless(_ id: StreamID, _ now: Int64) -> Bool {
      toggles[id, default: []].count { now - $0 < 60_000_000 } + 2 > 5
    }

    mutating func observe(_ decision: AllocationDecision, _ estimate: Int, at now: Int64) {
      let rows = decision.streams
      if rows[0].id != first { (first, since) = (rows[0].id, nil) }
      for row in rows {
        let isForwarded = row.target.layer != nil
        if isForwarded, isShown[row.id] == false {
          claims += row.rank == 0 && isSpent(row.id, now) ? 1 : 0
          resumes[row.id, default: []].append(now)
        }
        if let wasShown = isShown[row.id], wasShown != isForwarded {
          toggles[row.id, default: []].append(now)
        }
        isShown[row.id] = isForwarded
      }
      let kept = rows.filter { $0.target.layer != nil && isRestless($0.id, now) }
      let needed = kept.reduce(bases[rows[0].id]!) { $0 + bases[$1.id]! }
      guard rows[0].target.layer == nil, needed <= estimate else {
        since = nil
        return
      }
      since = since ?? now
      longest = max(longest, now - since!)
    }
  }

  /// A random walk with falls and outages, which lasts and changes as paths do.
  private struct Path {
    var rate = 1_000_000.0
    var outage = 0

    mutating func next(_ random: inout SeededGenerator) -> Int {
      if outage > 0 {
        outage -= 1
        return random.pick([0, 0, 20_000])
      }
      if random.chance(1) { outage = random.pick([3, 10, 40, 70, 150, 300]) }
      if random.chance(2) { rate = random.pick([60, 160, 210, 320, 500, 900, 4_000]) * 1_000 }
      rate *= 1 + 0.05 * random.normal()
      return max(0, Int(rate))
    }
  }

  /// A step is 100 ms, and each brings an estimate.
  @Test(
    arguments: AllocationStrategy.allCases,
    [1, 2, 9])
  func theFirstIsNeverDarkForLongWhileItFits(_ strategy: AllocationStrategy, _ streams: Int) throws
  {
    var random = SeededGenerator(seed: UInt64(streams))
    var (claims, changes) = (0, 0)
    for call in 0..<10 {
      var configuration = VideoPauseConfiguration()
      configuration.strategy = strategy
      var bases: [StreamID: Int] = [:]
      var coordinator = try VideoPauseCoordinator(configuration: configuration)
      for name in "abcdefghi".prefix(streams) {
        let base = call < 5 ? 150 : random.pick([50, 100, 150, 300])
        bases[camera(String(name))] = base * 1_000
        try coordinator.upsertStream(
          camera(String(name)), kind: .camera, layers: simulcast(base, 3 * base, 9 * base),
          at: .zero)
      }
      var oracle = Oracle(bases)
      var path = Path()
      for tick in 0..<6_000 as Range<Int64> {
        let now = Timestamp.milliseconds(100 * tick)
        if streams > 1, random.chance(call % 2 == 0 ? 1 : 4) {
          let speaker = random.pick(bases.keys.map(\.participant).sorted())
          try coordinator.setSpeaking(random.chance(70), for: speaker, at: now)
          changes += 1
        }
        let estimate = path.next(&random)
        try coordinator.step(estimate, at: now)
        oracle.observe(coordinator.decision, estimate, at: now.microseconds)
      }
      #expect(oracle.longest <= Self.patience, "in call \(call)")
      claims += oracle.claims
    }
    #expect(claims > (streams == 1 ? 20 : 2), "no path called for the rule")
    #expect(streams == 1 || changes > 1_000)
  }

  /// An estimate comes each 100 ms: 4 Mbit/s, except in the given times.
  private func longestDarkness(
    _ streams: Int, seconds: Double = 100, without outages: [ClosedRange<Double>]
  ) throws -> Double {
    var coordinator = try VideoPauseCoordinator.cameras(streams)
    try coordinator.setAudio(streamCount: 3, at: .zero)
    var (dark, longest) = (0, 0)
    for tick in 0..<Int(seconds * 10) {
      let isOut = outages.contains { $0.contains(Double(tick) / 10) }
      try coordinator.step(isOut ? 0 : 4_000_000, at: .milliseconds(100 * Int64(tick)))
      dark = !isOut && coordinator.decision.streams[0].target.layer == nil ? dark + 1 : 0
      longest = max(longest, dark)
    }
    return Double(longest) / 10
  }

  /// One outage and glitches behind it; three outages; eight seconds of twenty.
  @Test(arguments: [1, 4, 9])
  func noSeriesOfOutagesTakesTheFirstAway(_ streams: Int) throws {
    for glitch in [0.6, 1, 3] {
      let outages = [10...16.5, 18...(18 + glitch), 22...(22 + glitch), 26...(26 + glitch)]
      #expect(try longestDarkness(streams, without: outages) <= 2, "glitches of \(glitch) s")
    }
    #expect(try longestDarkness(streams, without: [10...16.5, 18...24.5, 26...32.5]) <= 2)
    #expect(try longestDarkness(streams, without: [20.0, 40, 60, 80].map { $0...($0 + 8) }) <= 2)
    #expect(try longestDarkness(streams, without: [20.0, 40, 60, 80].map { $0...($0 + 18) }) <= 2)
  }

  /// Guarantee G7. The queue of an oracle has to be as long as 7.5 s of the only picture at each pause, so that
  /// glitches do not make it flicker.
  @Test func theOnlyStreamIsPausedOnlyWhenItsQueueIsFull() throws {
    var random = SeededGenerator(seed: 5)
    var pauses = 0
    for call in 0..<10 {
      var coordinator = try VideoPauseCoordinator.cameras(1)
      var path = Path()
      var (queue, sent, last, wasShown) = (0.0, 0, 0, false)
      for tick in 0..<6_000 as Range<Int64> {
        queue = max(0, queue + Double(sent - last) / 10)
        last = path.next(&random)
        try coordinator.step(last, at: .milliseconds(100 * tick))
        let isShown = !coordinator.running.isEmpty
        if wasShown, !isShown {
          pauses += 1
          #expect(last < 150_000 && queue >= 7.5 * 150_000, "in call \(call)")
        }
        (sent, wasShown) = (coordinator.network.sent, isShown)
      }
    }
    #expect(pauses > 20)
  }

  /// Guarantee G7: the line carries one picture or two, and whoever speaks is the first.
  @Test(arguments: [200_000, 310_000], [10, 20, 30, 50])
  func speakersInTurnDoNotEvadeTheLimit(_ estimate: Int, _ ticks: Int64) throws {
    var coordinator = try VideoPauseCoordinator.cameras(4)
    var counter = ToggleCounter()
    for tick in 0..<6_000 as Range<Int64> {
      let now = Timestamp.milliseconds(100 * tick)
      if tick % ticks == 0 {
        let speaker = ParticipantID(["a", "b", "c"][Int(tick / ticks) % (ticks == 10 ? 2 : 3)])
        try coordinator.setSpeakerOrder([speaker], at: now)
      }
      try coordinator.step(estimate, at: now)
      counter.observe(coordinator, at: now)
    }
    #expect(counter.worst <= 5)
    #expect(counter.claims == 0, "nothing was ever short")
  }

  /// What ends the contest of two speakers for a line that carries one picture.
  enum Room: CaseIterable {
    case theOtherLeaves, theOtherIsMuted, theLineIsWide
  }

  /// Guarantee G3: two take turns in speaking until neither may give way any more. Then there is room for the one who
  /// is dark.
  @Test(arguments: Room.allCases, [20, 30, 50, 80])
  func turnsInSpeakingKeepNobodyDarkWhoFits(_ room: Room, _ ticks: Int64) throws {
    var refused = 0
    for end in stride(from: ticks * 2, through: 700, by: 7) {
      var coordinator = try VideoPauseCoordinator.cameras(2)
      for tick in 0..<end {
        let now = Timestamp.milliseconds(100 * tick)
        if tick % ticks == 0 {
          try coordinator.setSpeakerOrder([tick / ticks % 2 == 0 ? "a" : "b"], at: now)
        }
        try coordinator.step(200_000, at: now)
      }
      let dark = coordinator.running == [camera("a")] ? "b" : "a"
      let now = Timestamp.milliseconds(100 * end)
      refused += coordinator.decision.streams[0].target.layer == nil ? 1 : 0
      switch room {
      case .theOtherLeaves:
        try coordinator.removeStream(camera(dark == "a" ? "b" : "a"), at: now)
      case .theOtherIsMuted:
        try coordinator.setPublisherMuted(true, for: camera(dark == "a" ? "b" : "a"), at: now)
      case .theLineIsWide: try coordinator.setSpeakerOrder([ParticipantID(dark)], at: now)
      }
      let estimate = room == .theLineIsWide ? 10_000_000 : 200_000
      var tick = end
      repeat {
        try coordinator.step(estimate, at: .milliseconds(100 * tick))
        tick += 1
      } while !coordinator.running.contains(camera(dark)) && tick < end + 100
      #expect(100_000 * (tick - end - 1) <= Self.patience, "\(dark), from \(end) on")
    }
    #expect(refused > 0, "the ranks never used up what G7 allows")
  }

  /// Guarantee G3. The line carries one picture. Whoever speaks is shown, however often either was paused by outages.
  @Test func theShownGivesWayEvenIfItCannotReturn() throws {
    var coordinator = try VideoPauseCoordinator.cameras(2)
    let speakers = [14: "b", 40: "a", 58: "b", 80: "a"]
    let outages = [20...27, 30...37, 44...51]
    var (dark, longest) = (0, 0)
    for tick in 0..<1_000 {
      let now = Timestamp.milliseconds(100 * Int64(tick))
      if tick % 10 == 0, let speaker = speakers[tick / 10] {
        try coordinator.setSpeakerOrder([ParticipantID(speaker)], at: now)
        dark = 0
      }
      let isOut = outages.contains { $0.contains(tick / 10) }
      try coordinator.step(isOut ? 0 : 200_000, at: now)
      dark = !isOut && coordinator.decision.streams[0].target.layer == nil ? dark + 1 : 0
      longest = max(longest, dark)
    }
    #expect(longest <= 20, "\(longest) tenths of a second")
  }

  /// A stream that has just become the first waits for 1.5 s.
  @Test func thePromiseMovesWithTheRank() throws {
    var coordinator = try VideoPauseCoordinator(
      .default, streams: [(camera("a"), simulcast(100)), (camera("b"), simulcast(300))])
    for second in 0..<10 { try coordinator.step(350_000, at: .seconds(Int64(second))) }
    #expect(coordinator.running == [camera("a")])
    // The evidence is for 332 kbit/s, and 310 fit.
    for tick in 0..<40 as Range<Int64> {
      try coordinator.step(310_000, at: .milliseconds(10_000 + 100 * tick))
    }
    try coordinator.setSpeakerOrder(["b"], at: .seconds(14))
    _ = try coordinator.decide(at: .seconds(14))
    #expect(coordinator.running == [camera("a")], "0.95 of 310 kbit/s is not evidence for 300")
    var early = coordinator
    _ = try early.decide(at: .milliseconds(15_499))
    #expect(early.running == [camera("a")])
    _ = try coordinator.decide(at: .milliseconds(15_500))
    #expect(coordinator.running == [camera("b")])
  }

  /// Three are paused for a while; then the path is wide again. Nobody is in 720p before all are shown.
  @Test func sizesWaitForThePicturesThatFit() throws {
    var coordinator = try VideoPauseCoordinator.cameras(4)
    var waiting = 0
    for tick in 0..<800 as Range<Int64> {
      let rate = (200..<600).contains(tick) ? 160_000 : 3_000_000
      try coordinator.step(rate, at: .milliseconds(100 * tick))
      guard tick >= 600, coordinator.running.count < 4 else { continue }
      waiting += 1
      // The best answer for all four on 3 Mbit/s is 360p.
      #expect(coordinator.decision.streams.allSatisfy { $0.target.layer?.size.height ?? 0 <= 360 })
    }
    #expect(waiting > 10 && coordinator.running.count == 4)
  }

  /// Nothing has to be reported for that.
  @Test func theNextLookIsInTimeForTheFirst() throws {
    var coordinator = try VideoPauseCoordinator.cameras(1)
    var times: [Int64] = []
    try coordinator.step(160_000, at: .zero)
    var now: Int64 = 1_000
    for _ in 0..<4 {
      for _ in 0..<200 {
        try coordinator.step(0, at: .milliseconds(now))
        now += 100
      }
      #expect(coordinator.running.isEmpty)
      try coordinator.step(160_000, at: .milliseconds(now))
      let fitsFrom = now
      while coordinator.running.isEmpty, now < fitsFrom + 5_000 {
        now = max(now + 1, (coordinator.decision.nextDecisionAt?.microseconds ?? .max / 2) / 1_000)
        _ = try coordinator.decide(at: .milliseconds(now))
      }
      times.append(now - fitsFrom)
    }
    #expect(times.prefix(2).allSatisfy { $0 <= 200 }, "\(times)")
    #expect(times.suffix(2).allSatisfy { (900...1_500).contains($0) }, "\(times)")
  }
}

/// How the first takes its place.
@Suite struct ClaimTests {
  /// Solves for streams of 100 each, of which all but the first are shown.
  private func solved(
    _ budget: Int, _ change: (inout Allocation) -> Void = { _ in }
  ) -> [Bool] {
    var allocation = Allocation()
    for place in 0..<4 {
      var candidate = Allocation.Candidate()
      (candidate.rank, candidate.standing) = (place, place == 0 ? .shut : .shown)
      allocation.append(candidate, [Allocation.Step(bitrate: 100, utility: 1)])
    }
    allocation.findFirst()
    (allocation.budget, allocation.keepBudget, allocation.firstBudget) = (budget, budget, budget)
    (allocation.claimBudget, allocation.mayClaim) = (budget, true)
    change(&allocation)
    allocation.solve(.grid)
    return allocation.candidates.map { !$0.level.isNone }
  }

  @Test func theLastGivesWay() {
    #expect(solved(400) == [true, true, true, true])
    #expect(solved(399) == [true, true, true, false])
    #expect(solved(300) == [true, true, true, false])
    #expect(solved(100) == [true, false, false, false])
    #expect(solved(99) == [false, false, false, false])
  }

  @Test func whatToggledTooOftenStays() {
    #expect(
      solved(300) { $0.candidates[3].canReturn = false } == [true, true, false, true])
    #expect(
      solved(300) { allocation in
        for place in 1...3 { allocation.candidates[place].canReturn = false }
      } == [false, true, true, true])
  }

  @Test func pinnedStreamsAndThoseOfLastResortGiveWayToTheFirst() {
    #expect(
      solved(300) { $0.candidates[3].isPinned = true } == [true, true, true, false])
    #expect(
      solved(300) {
        $0.candidates[0].policy = .lastResort
        $0.candidates[3].policy = .lastResort
      } == [true, true, true, false])
  }

  @Test func whoeverIsNeverPausedDoesNotGiveWay() {
    for (budget, isShown) in [(100, false), (200, true)] {
      #expect(
        solved(budget) { allocation in
          for place in 0...1 { allocation.candidates[place].policy = .never }
        } == [isShown, true, false, false])
    }
  }

  @Test func withoutTheRightNothingIsTaken() {
    #expect(solved(300) { $0.mayClaim = false } == [false, true, true, true])
    #expect(solved(300) { $0.claimBudget = 99 } == [false, true, true, true])
  }
}
