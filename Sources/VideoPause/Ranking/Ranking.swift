/// The streams in the order of importance.
///
/// Streams whose keys are unchanged keep their order: only the others are sorted, and then merged in. A change of
/// speaker therefore costs O(n), and no change costs more than O(n log n).
struct Ranking {
  private var order: [Int32] = []
  private var moved: [Int32] = []
  private var sorter = MergeSort<Int32>()

  /// Returns the index, in the list of streams, of the stream with a rank.
  subscript(rank: Int) -> Int { Int(order[rank]) }
  var indices: Range<Int> { order.indices }

  /// Discards the order after streams were added or removed, since every index may have changed.
  mutating func forget() { order.removeAll(keepingCapacity: true) }

  /// Updates the order for the streams whose rank is stale.
  mutating func refresh(_ streams: inout [StreamState], screenShareFirst: Bool) {
    let isEmpty = order.isEmpty
    order.reserveCapacity(streams.count)
    moved.reserveCapacity(streams.count)
    order.removeAll { streams[Int($0)].isRankStale }
    moved.removeAll(keepingCapacity: true)
    for place in streams.indices where isEmpty || streams[place].isRankStale {
      moved.append(Int32(place))
      streams[place].refreshRank(screenShareFirst: screenShareFirst)
    }
    sorter.sort(&moved) { streams.ranks($0, before: $1) }
    merge(streams)
  }

  /// Merges from the end, so that nothing is overwritten that is still needed.
  private mutating func merge(_ streams: [StreamState]) {
    var kept = order.count
    order.append(contentsOf: moved)
    for place in order.indices.reversed() {
      guard let last = moved.last else { return }
      if kept > 0, streams.ranks(last, before: order[kept - 1]) {
        kept -= 1
        order[place] = order[kept]
      } else {
        order[place] = moved.removeLast()
      }
    }
  }
}

extension [StreamState] {
  /// Whether the stream at one place is more important than that at another.
  fileprivate func ranks(_ place: Int32, before other: Int32) -> Bool {
    self[Int(place)].rankKey.precedes(self[Int(other)].rankKey) ?? (place < other)
  }
}
