import TestSupport
import Testing

@testable import VideoPause

/// Counts the pauses and resumes for bandwidth of every stream, for cameras of 150 kbit/s.
///
/// Of a stream that returned as the first in rank, what a shortage forced does not count: pauses because what was shown
/// no longer fitted, and a third return within 60 s from one of them.
struct ToggleCounter {
  private struct Toggle {
    let at: Timestamp
    let isForced: Bool
  }

  private var toggles: [StreamID: [Toggle]] = [:]
  private var resumes: [StreamID: [Timestamp]] = [:]
  private var isPaused: [StreamID: Bool] = [:]
  private var returnedFirst: Set<StreamID> = []
  /// How many returns of the first were the third within 60 s, after a pause that a shortage forced.
  private(set) var claims = 0

  mutating func observe(_ coordinator: VideoPauseCoordinator, at now: Timestamp) {
    let shown = isPaused.values.count { !$0 }
    let fitted = shown * 150_000 <= coordinator.network.available
    for row in coordinator.decision.streams {
      let paused = row.target == .paused(.bandwidth)
      guard paused || row.target.layer != nil else { continue }
      defer { isPaused[row.id] = paused }
      guard let before = isPaused[row.id], before != paused else { continue }
      var isForced = paused && !fitted
      if !paused {
        let recent = resumes[row.id, default: []].suffix(2)
        let isThird = recent.count { now.microseconds - $0.microseconds < 60_000_000 } == 2
        resumes[row.id, default: []].append(now)
        if row.rank == 0 {
          returnedFirst.insert(row.id)
          isForced = isThird && toggles[row.id]?.last?.isForced == true
          claims += isForced ? 1 : 0
        }
      }
      toggles[row.id, default: []].append(Toggle(at: now, isForced: isForced))
    }
  }

  /// When each stream was paused or resumed, without what does not count.
  var moments: [StreamID: [Timestamp]] {
    toggles.reduce(into: [:]) { moments, entry in
      let counts = entry.value.filter { !$0.isForced || !returnedFirst.contains(entry.key) }
      moments[entry.key] = counts.map(\.at)
    }
  }

  /// The most toggles of one stream in any 60 s.
  var worst: Int {
    moments.values.map { times in
      times.indices.map { first in
        times[first...].prefix { $0.microseconds - times[first].microseconds < 60_000_000 }.count
      }.max() ?? 0
    }.max() ?? 0
  }

  var total: Int { toggles.values.reduce(0) { $0 + $1.count } }
}

/// Guarantee G7: a stream is paused and resumed at most five times in any 60 s, unless it is the first in rank.
@Suite struct ToggleTests {
  /// Chooses the estimate with full knowledge of the coordinator's state.
  private typealias Adversary = (VideoPauseCoordinator, inout SeededGenerator) -> Int

  private func attack(
    seconds: Int, everyMilliseconds: Int64, streams: Int = 4, seed: UInt64 = 7,
    by adversary: Adversary
  ) throws -> ToggleCounter {
    var coordinator = try VideoPauseCoordinator.cameras(streams)
    var random = SeededGenerator(seed: seed)
    var counter = ToggleCounter()
    var now = Timestamp.zero
    while now < .seconds(Int64(seconds)) {
      now = now.advanced(by: .milliseconds(everyMilliseconds))
      try coordinator.step(adversary(coordinator, &random), at: now)
      counter.observe(coordinator, at: now)
    }
    return counter
  }

  /// It starves whatever runs and feeds whatever is paused.
  @Test(
    arguments: [50, 100, 200, 700, 2_500])
  func aGreedyAdversaryIsBounded(_ interval: Int64) throws {
    let counter = try attack(seconds: 3_600, everyMilliseconds: interval) { coordinator, _ in
      coordinator.running.isEmpty ? 10_000_000 : 0
    }
    #expect(counter.worst <= 5)
    #expect(counter.total > 20, "the adversary does nothing")
  }

  /// It gives just enough, then just too little.
  @Test(arguments: [0, 1, 2, 3])
  func anAdversaryAgainstOneStreamIsBounded(_ victim: Int) throws {
    let id = camera(String("abcd".dropFirst(victim).first!))
    let counter = try attack(seconds: 3_600, everyMilliseconds: 100) { coordinator, _ in
      coordinator.running.contains(id) ? victim * 150_000 : 4_000_000
    }
    #expect(counter.worst <= 5)
    #expect((counter.moments[id]?.count ?? 0) + counter.claims > 20)
  }

  /// It waits until the gates have opened, then toggles as fast as they allow.
  @Test func aPatientAdversaryIsBounded() throws {
    var (waitUntil, isStarving) = (Timestamp.zero, false)
    let counter = try attack(seconds: 7_200, everyMilliseconds: 100) { coordinator, random in
      guard let now = coordinator.clock else { return 5_000_000 }
      if now < waitUntil { return 5_000_000 }
      isStarving = isStarving || random.chance(2)
      guard coordinator.running.count == 4, isStarving else {
        if isStarving { waitUntil = now.advanced(by: .seconds(Int64(random.int(0...70)))) }
        isStarving = false
        return 5_000_000
      }
      return random.chance(50) ? 0 : 200_000
    }
    #expect(counter.worst <= 5)
    #expect(counter.worst >= 3, "no attack came near the bound")
  }

  /// Looks ahead: tries each choice for some seconds on copies, and takes the one with the most toggles.
  @Test func anAdaptiveAdversaryIsBounded() throws {
    let choices = [0, 140_000, 160_000, 310_000, 460_000, 700_000, 5_000_000]
    var coordinator = try VideoPauseCoordinator.cameras(3)
    var random = SeededGenerator(seed: 70)
    var counter = ToggleCounter()
    var now = Timestamp.zero
    while now < .seconds(1_200) {
      let scored = try choices.map { ($0, try toggles(of: $0, from: coordinator, at: now)) }
      let best = scored.map(\.1).max()!
      let choice = random.pick(scored.filter { $0.1 == best }.map(\.0))
      for _ in 0..<random.int(1...8) {
        now = now.advanced(by: .milliseconds(500))
        try coordinator.step(choice, at: now)
        counter.observe(coordinator, at: now)
      }
    }
    #expect(counter.worst <= 5)
    #expect(counter.worst >= 3)
  }

  private func toggles(
    of choice: Int, from start: VideoPauseCoordinator, at now: Timestamp
  ) throws -> Int {
    var copy = start
    var counter = ToggleCounter()
    counter.observe(copy, at: now)
    for step in 1...8 {
      let later = now.advanced(by: .milliseconds(Int64(step) * 1_000))
      try copy.step(choice, at: later)
      counter.observe(copy, at: later)
    }
    return counter.total
  }

  /// There are 100,000 estimates of every kind, and the speakers change.
  @Test(.tags(.slow), arguments: [1, 2, 3] as [UInt64])
  func randomEstimatesAreBounded(_ seed: UInt64) throws {
    var coordinator = try VideoPauseCoordinator.cameras(6)
    var random = SeededGenerator(seed: seed)
    var counter = ToggleCounter()
    var now = Timestamp.zero
    for _ in 0..<100_000 {
      now = now.advanced(by: .milliseconds(Int64(random.int(10...600))))
      if random.chance(5) {
        try coordinator.setSpeakerOrder(
          ["a", "b", "c", "d", "e", "f"].shuffled(using: &random), at: now)
      }
      let mean = random.pick([100, 200, 310, 460, 610, 760, 905, 2_000])
      try coordinator.step(Int(Double(mean) * 1_000 * abs(1 + random.normal() * 0.4)), at: now)
      counter.observe(coordinator, at: now)
    }
    #expect(counter.worst <= 5)
    #expect(counter.total > 100)
  }

  @Test func aPinOfTheSubscriberOpensTheGateOfItsStream() throws {
    var coordinator = try VideoPauseCoordinator.cameras(2)
    var now = Timestamp.zero
    func settle(_ rate: Int, _ seconds: Int) throws {
      for _ in 0..<(seconds * 5) {
        now = now.advanced(by: .milliseconds(200))
        try coordinator.step(rate, at: now)
      }
    }
    try settle(350_000, 6)
    for length in [12, 14] {
      try settle(0, 9)
      try settle(350_000, length)
    }
    try settle(0, 9)
    try settle(350_000, 15)
    #expect(coordinator.running == [camera("a")], "two resumes in a minute are all")
    #expect(coordinator.row(camera("b"))?.required == 0, "only the gate holds it")
    try coordinator.setDemand(VideoDemand(pin: Pin(pinnedAt: now)), for: camera("b"), at: now)
    try settle(350_000, 1)
    #expect(coordinator.running == [camera("a"), camera("b")])
  }
}
