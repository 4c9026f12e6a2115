/// A stream's sort key in the order of importance.
///
/// Pinned streams come first (the subscriber's own pins before others, the newest first), then screen shares. Then the
/// priority decides, the place in a custom layout, how recently the participant spoke, and the area of the view. The
/// last criterion is the place in the list of streams, which is sorted by id, so the order is total.
struct RankKey {
  fileprivate var pinnedAt: Int64 = 0
  fileprivate var area = 0
  @Narrow<Int32> fileprivate var entryOrder = 0
  @Narrow<Int32> fileprivate var recency = 0
  fileprivate var pinClass: Int8 = 0
  fileprivate var kindClass: Int8 = 0
  fileprivate var priority: Int8 = 0

  /// Returns whether this key precedes another; nil if they are equal.
  func precedes(_ other: RankKey) -> Bool? {
    if pinClass != other.pinClass { return pinClass < other.pinClass }
    if pinnedAt != other.pinnedAt { return pinnedAt > other.pinnedAt }
    if kindClass != other.kindClass { return kindClass < other.kindClass }
    if priority != other.priority { return priority > other.priority }
    if entryOrder != other.entryOrder { return entryOrder < other.entryOrder }
    if recency != other.recency { return recency < other.recency }
    return area == other.area ? nil : area > other.area
  }
}

extension StreamState {
  /// Takes the key from the inputs.
  mutating func refreshRank(screenShareFirst: Bool) {
    rankKey.pinClass = demand.pin.map { $0.isLocal ? 0 : 1 } ?? 2
    rankKey.pinnedAt = demand.pin?.pinnedAt.microseconds ?? 0
    rankKey.kindClass = screenShareFirst && kind == .screenShare ? 0 : 1
    rankKey.priority = Int8(priority.order)
    rankKey.entryOrder = entry?.order ?? StreamState.last
    rankKey.recency = recency
    rankKey.area = demand.viewSize?.area ?? 0
    isRankStale = false
  }
}

extension VideoSize {
  /// The number of pixels.
  var area: Int { width * height }
}
