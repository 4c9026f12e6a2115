extension Allocation {
  /// A stream's next level, and what a bit of it brings.
  struct Offer {
    var density: Double
    /// Bits per second more than now.
    var cost: Int
    var place: Int
    var level: Int

    func isBetter(than other: Offer) -> Bool {
      density == other.density ? place < other.place : density > other.density
    }
  }

  /// A binary heap, the best offer on top, with memory that is kept between decisions.
  struct OfferHeap {
    private var offers: [Offer] = []

    var best: Offer? { offers.first }

    /// Fills it with one offer each for those who have one, in O(n).
    mutating func refill(_ places: Range<Int>, _ offer: (Int) -> Offer?) {
      offers.removeAll(keepingCapacity: true)
      for place in places {
        if let offer = offer(place) { offers.append(offer) }
      }
      for parent in (0..<(offers.count / 2)).reversed() { sink(offers[parent], from: parent) }
    }

    /// Takes the best away, and puts what its stream offers next in its stead.
    mutating func replaceBest(by next: Offer?) {
      if let next {
        sink(next, from: 0)
      } else if let last = offers.popLast(), !offers.isEmpty {
        sink(last, from: 0)
      }
    }

    /// Moves better children up until `offer` can stay.
    private mutating func sink(_ offer: Offer, from start: Int) {
      var parent = start
      while 2 * parent + 1 < offers.count {
        var child = 2 * parent + 1
        if child + 1 < offers.count, offers[child + 1].isBetter(than: offers[child]) { child += 1 }
        guard offers[child].isBetter(than: offer) else { break }
        offers[parent] = offers[child]
        parent = child
      }
      offers[parent] = offer
    }
  }
}
