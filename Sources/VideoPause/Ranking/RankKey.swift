/// A stream's sort key in the order of importance.
///
/// Pinned streams come first (the subscriber's own pins before others, the newest first), then screen shares. Then the
/// priority decides, the place in a custom layout, how recently the participant spoke, and the area of the view. The
/// last criterion is the place in the list of streams, which is sorted by id, so the order is total.
struct RankKey {
  private let pinClass: Int8
  private let pinnedAt: Int64
  private let kindClass: Int8
  private let priority: Int8
  private let entryOrder: Int
  private let recency: Int
  private let area: Int
  let place: Int

  init(_ stream: StreamState, place: Int, screenShareFirst: Bool) {
    let pin = stream.demand.pin
    pinClass = pin.map { $0.isLocal ? 0 : 1 } ?? 2
    pinnedAt = pin?.pinnedAt.microseconds ?? 0
    kindClass = screenShareFirst && stream.kind == .screenShare ? 0 : 1
    priority = Int8(stream.priority.order)
    entryOrder = stream.entryOrder
    recency = stream.recency
    area = stream.demand.viewSize?.area ?? 0
    self.place = place
  }

  func precedes(_ other: RankKey) -> Bool {
    if pinClass != other.pinClass { return pinClass < other.pinClass }
    if pinnedAt != other.pinnedAt { return pinnedAt > other.pinnedAt }
    if kindClass != other.kindClass { return kindClass < other.kindClass }
    if priority != other.priority { return priority > other.priority }
    if entryOrder != other.entryOrder { return entryOrder < other.entryOrder }
    if recency != other.recency { return recency < other.recency }
    if area != other.area { return area > other.area }
    return place < other.place
  }
}

extension StreamState {
  func rankKey(_ place: Int, screenShareFirst: Bool) -> RankKey {
    RankKey(self, place: place, screenShareFirst: screenShareFirst)
  }
}

extension VideoSize {
  /// The number of pixels, clamped to `Int.max`.
  var area: Int {
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : product
  }
}
