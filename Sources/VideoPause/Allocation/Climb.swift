extension Allocation {
  /// Raises all streams from their base levels, the steps that bring the most per bit first, until one does not fit.
  ///
  /// The result equals that of ``raiseByDensity(upTo:)`` up to that point, in O(n), because nothing has to be sorted.
  /// Once the density of the first step that does not fit is known, all denser steps are taken in any order, and steps
  /// of equal density in rank order.
  mutating func climb() {
    collectOffers()
    let edge = scratch.edge.find(within: budget - used)
    for place in candidates.indices where !candidates[place].level.isNone {
      let candidate = candidates[place]
      var level = candidate.level
      while steps[candidate.first + level.place].density > edge {
        level = steps[candidate.first + level.place].next
      }
      if level > candidate.level { set(place, to: level) }
    }
    guard edge > -.infinity else { return }
    for place in candidates.indices where !candidates[place].level.isNone {
      while case let step = steps[candidates[place].first + candidates[place].level.place],
        step.density == edge
      {
        guard fits(place, step.next, within: budget) else { return }
        set(place, to: step.next)
      }
    }
  }

  private mutating func collectOffers() {
    scratch.edge.removeAll()
    for candidate in candidates where !candidate.level.isNone {
      var step = steps[candidate.first + candidate.level.place]
      while !step.next.isNone {
        let next = steps[candidate.first + step.next.place]
        scratch.edge.append(density: step.density, cost: next.bitrate - step.bitrate)
        step = next
      }
    }
  }
}

/// Finds where a budget ends among offers ordered by density: a selection, in O(n) on average.
struct Edge {
  private struct Offer {
    /// Octaves per bit per second.
    var density: Double
    /// The cost in bits per second.
    var cost: Int
  }

  private var offers: [Offer] = []
  /// The last result, which is often the next one as well.
  private var last = 0.0
  private var random: UInt64 = 1

  mutating func removeAll() { offers.removeAll(keepingCapacity: true) }

  mutating func append(density: Double, cost: Int) {
    offers.append(Offer(density: density, cost: cost))
  }

  /// Returns the density of the first offer that does not fit when the densest are taken first, or -∞ if all fit.
  ///
  /// Consumes the offers.
  mutating func find(within room: Int) -> Double {
    var (room, pivot) = (max(0, room), last)
    last = -.infinity
    while !offers.isEmpty {
      var (denser, equal) = (0, 0)
      for offer in offers {
        denser += offer.density > pivot ? offer.cost : 0
        equal += offer.density == pivot ? offer.cost : 0
      }
      if denser > room {
        offers.removeAll { $0.density <= pivot }
      } else if denser + equal > room {
        last = pivot
        break
      } else {
        room -= denser + equal
        offers.removeAll { $0.density >= pivot }
      }
      pivot = draw()
    }
    return last
  }

  /// Returns the density of a randomly drawn offer, so that no order of the offers makes the search slow. The answer
  /// does not depend on the draw. (The multiplier and the increment are those of Knuth's MMIX.)
  private mutating func draw() -> Double {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return offers.isEmpty ? 0 : offers[Int(random >> 33) % offers.count].density
  }
}
