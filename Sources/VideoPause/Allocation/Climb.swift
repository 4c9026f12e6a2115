extension Allocation {
  /// All streams' ways up from their base levels, the steps that bring most for a bit first.
  ///
  /// They depend on the streams alone, so that they are sorted once for all budgets.
  struct Climb {
    fileprivate var offers: [Offer] = []
    private var sorter = MergeSort<Offer>()
    fileprivate var isReady = false

    mutating func forget() { isReady = false }

    fileprivate mutating func sort() {
      sorter.sort(&offers) { $0.isBetter(than: $1) }
      isReady = true
    }
  }

  /// Takes the best steps until one does not fit: what ``raiseByDensity(upTo:)`` would do, in O(n).
  mutating func climb() {
    if !scratch.climb.isReady { prepareClimb() }
    for index in scratch.climb.offers.indices {
      let offer = scratch.climb.offers[index]
      guard candidates[offer.place].level >= 0 else { continue }
      guard offer.cost <= budget - used else { return }
      set(offer.place, to: offer.level)
    }
  }

  private mutating func prepareClimb() {
    scratch.climb.offers.removeAll(keepingCapacity: true)
    for place in candidates.indices {
      var level = 0
      while let offer = bestOffer(place, from: level, upTo: .max, within: .max) {
        scratch.climb.offers.append(offer)
        level = offer.level
      }
    }
    scratch.climb.sort()
  }
}
