import TestSupport
import Testing

@testable import VideoPause

/// The climb to the layers where bits yield the most.
@Suite struct ClimbTests {
  /// Returns a ladder whose costs and gains are small integers, so that many are equal within it and between ladders.
  private func ladder(_ random: inout SeededGenerator) -> [Allocation.Step] {
    var (rate, utility) = (0, 0.0)
    return (0..<random.int(1...6)).map { _ in
      rate += random.int(1...4)
      utility += Double(random.int(1...4))
      return Allocation.Step(bitrate: rate, utility: utility)
    }
  }

  /// Climbs naively: takes the step of the highest density among all streams, in rank order among equals, until one
  /// does not fit.
  private func climbed(_ ladders: [[Allocation.Step]], _ start: [Int], _ budget: Int) -> [Int] {
    var levels = start
    var room = budget
    for (ladder, level) in zip(ladders, levels) where level >= 0 { room -= ladder[level].bitrate }
    while true {
      var best: (density: Double, stream: Int, level: Int)?
      for (stream, ladder) in ladders.enumerated() where levels[stream] >= 0 {
        let now = ladder[levels[stream]]
        for level in ladder.indices where level > levels[stream] {
          let density =
            (ladder[level].utility - now.utility) / Double(ladder[level].bitrate - now.bitrate)
          if density > best?.density ?? 0 { best = (density, stream, level) }
        }
      }
      guard let best else { return levels }
      let ladder = ladders[best.stream]
      room -= ladder[best.level].bitrate - ladder[levels[best.stream]].bitrate
      if room < 0 { return levels }
      levels[best.stream] = best.level
    }
  }

  /// The test solves 100,000 problems.
  @Test func eachStepOfTheClimbYieldsTheMostPerBit() {
    var random = SeededGenerator(seed: 41)
    var (allocation, stopped) = (Allocation(), 0)
    for _ in 0..<100_000 {
      let same = ladder(&random)
      let ladders = (0..<random.int(0...6)).map { _ in random.chance(40) ? same : ladder(&random) }
      let start = ladders.map { _ in random.chance(20) ? -1 : 0 }
      // Keeps scratch memory from one problem to the next, as a coordinator does.
      let scratch = allocation.scratch
      allocation = Allocation()
      allocation.scratch = scratch
      for ladder in ladders {
        allocation.append(Allocation.Candidate(), ladder)
      }
      allocation.budget = random.int(-5...80)
      for (place, level) in start.enumerated() where level == 0 { allocation.set(place, to: .base) }
      allocation.climb()
      let expected = climbed(ladders, start, allocation.budget)
      #expect(allocation.candidates.map(\.level.place) == expected)
      let used = zip(ladders, expected).reduce(0) { $0 + ($1.1 < 0 ? 0 : $1.0[$1.1].bitrate) }
      #expect(allocation.used == used)
      stopped += zip(ladders, expected).contains { $1 >= 0 && $1 + 1 < $0.count } ? 1 : 0
    }
    #expect(stopped > 10_000)
  }

  /// Any number of offers may be equal.
  @Test func theEdgeIsWhereASortedListWouldStop() {
    var random = SeededGenerator(seed: 42)
    var edge = Edge()
    for _ in 0..<20_000 {
      let kinds = random.pick([1, 3, 1_000])
      let offers = (0..<random.int(0...40)).map { _ in
        (density: Double(random.int(1...kinds)), cost: random.int(1...9))
      }
      let room = random.int(-3...200)
      edge.removeAll()
      for offer in offers { edge.append(density: offer.density, cost: offer.cost) }
      var used = 0
      let stop = offers.sorted { $0.density > $1.density }.first {
        used += $0.cost
        return used > room
      }
      #expect(edge.find(within: room) == stop?.density ?? -.infinity)
    }
  }

  @Test func aLadderLinksAlongItsUpperHull() {
    var steps = [(100, 1.0), (200, 4.0), (300, 5.0), (400, 6.0), (900, 7.0)].map {
      Allocation.Step(bitrate: $0.0, utility: $0.1)
    }
    steps.link(steps.indices)
    #expect(steps.map(\.next.place) == [1, 2, 3, 4, -1])
    #expect(steps.map(\.density) == [0.03, 0.01, 0.01, 0.002, -.infinity])
    steps[1].utility = 1.5
    steps.link(steps.indices)
    #expect(steps.map(\.next.place) == [2, 2, 3, 4, -1], "the first of equals, past a dent")
    var one = [Allocation.Step(bitrate: 1, utility: 1)]
    one.link(0..<1)
    #expect(one[0].next == .none)
  }
}
