extension Allocation {
  /// A higher level for one stream, and what each bit of it brings.
  struct Offer {
    var density: Double
    /// The additional cost in bits per second.
    var cost: Int
    @Narrow<Int32> var place: Int
    var level: Level

    func isBetter(than other: Offer) -> Bool {
      density == other.density ? place < other.place : density > other.density
    }
  }

  /// A binary heap with the best offer on top, whose memory is reused between decisions.
  struct OfferHeap {
    private var offers: [Offer] = []

    var best: Offer? { offers.first }

    /// Fills the heap with one offer for each place that has one, in O(n).
    mutating func refill(_ places: Range<Int>, _ offer: (Int) -> Offer?) {
      offers.removeAll(keepingCapacity: true)
      for place in places {
        if let offer = offer(place) { offers.append(offer) }
      }
      for parent in (0..<(offers.count / 2)).reversed() { sink(offers[parent], from: parent) }
    }

    /// Removes the best offer, and inserts its stream's next offer instead.
    mutating func replaceBest(by next: Offer?) {
      if let next {
        sink(next, from: 0)
      } else if let last = offers.popLast(), !offers.isEmpty {
        sink(last, from: 0)
      }
    }

    /// Moves better children up until `offer` finds its place.
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
