/// A stream's sort key in the order of importance.
///
/// Pinned streams come first (the subscriber's own pins before others, the newest first), then screen shares. Then the
/// priority decides, the place in a custom layout, how recently the participant spoke, and the area of the view. The
/// last criterion is the place in the list of streams, which is sorted by id, so the order is total.
struct RankKey {
  private var pinnedAt: Int64 = 0
  private var area = 0
  @Narrow<Int32> private var entryOrder = 0
  @Narrow<Int32> private var recency = 0
  private var pinClass: Int8 = 0
  private var kindClass: Int8 = 0
  private var priority: Int8 = 0

  init() {}

  init(_ stream: StreamState, screenShareFirst: Bool) {
    let pin = stream.demand.pin
    pinClass = pin.map { $0.isLocal ? 0 : 1 } ?? 2
    pinnedAt = pin?.pinnedAt.microseconds ?? 0
    kindClass = screenShareFirst && stream.kind == .screenShare ? 0 : 1
    priority = Int8(stream.priority.order)
    entryOrder = stream.entry?.order ?? StreamState.last
    recency = stream.recency
    area = stream.demand.viewSize?.area ?? 0
  }

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

extension VideoSize {
  /// The number of pixels.
  var area: Int { width * height }
}
