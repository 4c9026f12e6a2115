extension Allocation {
  /// Memory that is kept between decisions.
  struct Scratch {
    var heap: [Offer] = []
    var raises: [Raise] = []
    var sorter = MergeSort<Raise>()
  }

  /// A stream's next level, and what a bit of it brings.
  struct Offer {
    var density: Double
    var place: Int
    var level: Int

    func isBetter(than other: Offer) -> Bool {
      density == other.density ? place < other.place : density > other.density
    }
  }

  /// Raises streams where a bit brings most, up to `limit`'s level each, until nothing fits. Among equals the first
  /// in rank.
  mutating func raiseByDensity(upTo limit: (Candidate) -> Int) {
    scratch.heap.removeAll(keepingCapacity: true)
    for place in candidates.indices where candidates[place].level >= 0 {
      push(bestOffer(place, upTo: limit(candidates[place])))
    }
    while let offer = pop() {
      set(offer.place, to: offer.level)
      push(bestOffer(offer.place, upTo: limit(candidates[offer.place])))
    }
  }

  /// The level that brings most for its bits among those that fit.
  private func bestOffer(_ place: Int, upTo limit: Int) -> Offer? {
    let now = candidates[place].level
    var best: Offer?
    for level in (now + 1)..<max(now + 1, min(limit + 1, candidates[place].count)) {
      guard fits(place, level) else { break }
      let gain = utility(place, level) - utility(place, now)
      let density = gain / Double(bitrate(place, level) - bitrate(place, now))
      if density > best?.density ?? -.infinity {
        best = Offer(density: density, place: place, level: level)
      }
    }
    return best
  }

  // MARK: A binary heap, the best offer on top

  private mutating func push(_ offer: Offer?) {
    guard let offer else { return }
    scratch.heap.append(offer)
    var child = scratch.heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard scratch.heap[child].isBetter(than: scratch.heap[parent]) else { return }
      scratch.heap.swapAt(child, parent)
      child = parent
    }
  }

  /// The best offer that still fits. One that does not any more is made anew, smaller.
  private mutating func pop() -> Offer? {
    while let offer = removeTop() {
      if fits(offer.place, offer.level) { return offer }
      push(bestOffer(offer.place, upTo: offer.level))
    }
    return nil
  }

  private mutating func removeTop() -> Offer? {
    guard let last = scratch.heap.popLast() else { return nil }
    guard let top = scratch.heap.first else { return last }
    scratch.heap[0] = last
    sink()
    return top
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var best = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < scratch.heap.count {
        if scratch.heap[child].isBetter(than: scratch.heap[best]) { best = child }
      }
      guard best != parent else { return }
      scratch.heap.swapAt(parent, best)
      parent = best
    }
  }
}
