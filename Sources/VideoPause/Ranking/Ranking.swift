/// The streams in the order of their importance.
///
/// Streams whose key stays keep their order among themselves: only the others are sorted, and merged in. A speaker
/// more or less thus costs O(n), and never more than O(n log n).
struct Ranking {
  private var order: [RankKey] = []
  private var moved: [RankKey] = []
  private var sorter = MergeSort<RankKey>()

  /// The place of the stream of a rank in the list of streams.
  subscript(rank: Int) -> Int { order[rank].place }
  var indices: Range<Int> { order.indices }

  /// Streams came or went, so that every place is another one.
  mutating func forget() { order.removeAll(keepingCapacity: true) }

  /// Works in the streams that say that their rank is stale.
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

  /// From the end, so that nothing is overwritten that is still needed.
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
