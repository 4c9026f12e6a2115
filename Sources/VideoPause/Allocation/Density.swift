extension Allocation {
  /// Memory that is reused between decisions.
  struct Scratch {
    var edge = Edge()
    var offers = OfferHeap()
    var raises: [Raise] = []
    var sorter = MergeSort<Raise>()
  }

  /// Raises streams where a bit brings the most, each up to its `limit`, until nothing fits.
  ///
  /// Among equals, the stream that ranks first goes first.
  mutating func raiseByDensity(upTo limit: (Candidate) -> Level) {
    // Moved out of self while in use, so that the closure may read self.
    var offers = OfferHeap()
    swap(&offers, &scratch.offers)
    offers.refill(candidates.indices) { bestOffer($0, upTo: limit(candidates[$0])) }
    while let offer = offers.best {
      if offer.cost <= budget - used {
        set(offer.place, to: offer.level)
        offers.replaceBest(by: bestOffer(offer.place, upTo: limit(candidates[offer.place])))
      } else {
        // This offer no longer fits; a smaller one may.
        offers.replaceBest(by: bestOffer(offer.place, upTo: offer.level.below))
      }
    }
    swap(&offers, &scratch.offers)
  }

  /// Returns the level that brings the most per bit among those that fit; nil if none fits or the stream is paused.
  private func bestOffer(_ place: Int, upTo limit: Level) -> Offer? {
    let candidate = candidates[place]
    let top = min(limit, candidate.top)
    guard !candidate.level.isNone, candidate.level < top else { return nil }
    let now = steps[candidate.first + candidate.level.place]
    var best: Offer?
    for level in candidate.level.above.place...top.place {
      let step = steps[candidate.first + level]
      let cost = step.bitrate - now.bitrate
      guard cost <= budget - used else { break }
      let density = (step.utility - now.utility) / Double(cost)
      if density > best?.density ?? -.infinity {
        best = Offer(density: density, cost: cost, place: place, level: Level(level))
      }
    }
    return best
  }
}
