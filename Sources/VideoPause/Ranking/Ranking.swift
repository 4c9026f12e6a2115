/// The streams in the order of importance.
///
/// Streams whose keys are unchanged keep their order: only the others are sorted, and then merged in. A change of
/// speaker therefore costs O(n), and no change costs more than O(n log n).
struct Ranking {
  private var order: [RankKey] = []
  private var moved: [RankKey] = []
  private var sorter = MergeSort<RankKey>()

  /// Returns the index, in the list of streams, of the stream with a rank.
  subscript(rank: Int) -> Int { order[rank].place }
  var indices: Range<Int> { order.indices }

  /// Discards the order after streams were added or removed, since every index may have changed.
  mutating func forget() { order.removeAll(keepingCapacity: true) }

  /// Updates the order for the streams whose rank is stale.
  mutating func refresh(_ streams: inout [StreamState], screenShareFirst: Bool) {
    let isEmpty = order.isEmpty
    order.removeAll { streams[$0.place].isRankStale }
    moved.removeAll(keepingCapacity: true)
    for place in streams.indices where isEmpty || streams[place].isRankStale {
      moved.append(streams[place].rankKey(place, screenShareFirst: screenShareFirst))
      streams[place].isRankStale = false
    }
    sorter.sort(&moved) { $0.precedes($1) }
    merge()
  }

  /// Merges from the end, so that nothing is overwritten that is still needed.
  private mutating func merge() {
    var kept = order.count
    order.append(contentsOf: moved)
    for place in order.indices.reversed() {
      guard let last = moved.last else { return }
      if kept > 0, last.precedes(order[kept - 1]) {
        kept -= 1
        order[place] = order[kept]
      } else {
        order[place] = moved.removeLast()
      }
    }
  }
}
