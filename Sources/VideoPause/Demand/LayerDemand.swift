/// How much of a published stream its subscribers need.
public struct DemandedLayers: Hashable, Sendable {
  /// The stream.
  public var id: StreamID
  /// The highest encoding or spatial layer that any subscriber needs; nil if nobody needs the stream.
  public var highestSpatial: Int?

  /// Creates a demand.
  public init(id: StreamID, highestSpatial: Int?) {
    self.id = id
    self.highestSpatial = highestSpatial
  }
}

/// Which layers of each stream the subscribers of a call need, so that publishers need not send the others.
///
/// What a subscriber needs of a stream is ``StreamDecision/neededSpatial``. The demand for a stream rises at once, and
/// falls when nobody has needed the layer for `holdTime`: an encoder takes time to start, and a key frame costs bits.
/// Layers below the highest one stay, because subscribers fall back to them at once when their path fails.
///
/// Tell the coordinators nothing of it: a layer that rests because nobody needs it stays active in their list, at the
/// rate that it would have. Otherwise nobody would ever want it.
///
/// Threads: this is a value. Several threads may use copies, but only one thread at a time may use each copy.
public struct LayerDemand: Sendable {
  private static let nothing = -1

  private let holdTime: Int64
  private var clock: Timestamp?
  private var streams: [StreamID: Stream] = [:]
  /// The streams of which each subscriber's last decision had a row, in the order of the rows.
  private var rows: [ParticipantID: [StreamID]] = [:]
  /// Whether the demand for a stream differs from what was reported.
  private var hasNews = false
  /// When the demand for a stream may fall next.
  private var nextFall: Timestamp?

  /// The demand for one stream.
  private struct Stream {
    /// The highest spatial layer that each subscriber needs; `nothing` if it needs none.
    private(set) var needs: [ParticipantID: Int] = [:]
    /// How many subscribers need each spatial layer as their highest.
    private var counts: [Int] = []
    /// The layers that were needed until lately, and when they are given up: the highest first, which is also the first
    /// to be given up.
    var fading: [(spatial: Int, until: Timestamp)] = []
    /// What was last reported; nil if nothing was.
    var reported: DemandedLayers?

    var needed: Int { counts.lastIndex { $0 > 0 } ?? nothing }

    func demand(for id: StreamID, at now: Timestamp) -> DemandedLayers {
      let held = fading.first { $0.until > now }?.spatial ?? nothing
      let highest = max(needed, held)
      return DemandedLayers(id: id, highestSpatial: highest == nothing ? nil : highest)
    }

    mutating func give(_ need: Int?, for subscriber: ParticipantID, until end: Timestamp) {
      let before = needed
      count(needs[subscriber], -1)
      count(need, 1)
      needs[subscriber] = need
      let after = needed
      fading.removeAll { $0.spatial <= max(before, after) }
      if before > after { fading.append((before, end)) }
    }

    private mutating func count(_ need: Int?, _ change: Int) {
      guard let need, need != nothing else { return }
      while counts.count <= need { counts.append(0) }
      counts[need] += change
    }
  }

  /// Creates a demand without subscribers.
  ///
  /// `holdTime` is from 0 s to a day. Throws ``VideoPauseError/invalidConfiguration(field:)``.
  public init(holdTime: Duration = .seconds(5)) throws(VideoPauseError) {
    guard VideoPauseLimits.lengths.contains(holdTime) else {
      throw .invalidConfiguration(field: "holdTime")
    }
    self.holdTime = holdTime.wholeMicroseconds
  }

  /// Takes in a subscriber's decision in place of its previous one.
  ///
  /// Throws ``VideoPauseError/timestampWentBackwards(from:to:)``.
  public mutating func update(
    _ decision: AllocationDecision, of subscriber: ParticipantID, at time: Timestamp
  ) throws(VideoPauseError) {
    try advance(to: time)
    let ids = decision.streams.lazy.map { $0.id }
    if !(rows[subscriber] ?? []).elementsEqual(ids) {
      for id in Set(rows[subscriber] ?? []).subtracting(ids) {
        give(nil, of: id, for: subscriber, at: time)
      }
      rows[subscriber] = ids.isEmpty ? nil : Array(ids)
    }
    for row in decision.streams {
      give(row.neededSpatial ?? Self.nothing, of: row.id, for: subscriber, at: time)
    }
  }

  /// Removes a subscriber that has left.
  ///
  /// Throws ``VideoPauseError/timestampWentBackwards(from:to:)``.
  public mutating func remove(
    _ subscriber: ParticipantID, at time: Timestamp
  ) throws(VideoPauseError) {
    try update(AllocationDecision(), of: subscriber, at: time)
  }

  /// Returns the demands that are new or different since the last call, in the order of their streams.
  ///
  /// Call it after each update, and at ``nextChangeAt``. The first demand for a stream is reported at once. Throws
  /// ``VideoPauseError/timestampWentBackwards(from:to:)``.
  public mutating func drainChanges(at time: Timestamp) throws(VideoPauseError) -> [DemandedLayers]
  {
    var changes: [DemandedLayers] = []
    try drainChanges(at: time) {
      changes.append($0)
      return true
    }
    return changes.sorted { $0.id < $1.id }
  }

  /// When to call ``drainChanges(at:)`` if no update comes first; nil if only an update can change anything.
  public var nextChangeAt: Timestamp? { hasNews ? clock : nextFall }

  /// Reports each change once, until `take` returns false: it did not take that one.
  mutating func drainChanges(
    at time: Timestamp, _ take: (DemandedLayers) -> Bool
  ) throws(VideoPauseError) {
    try advance(to: time)
    guard hasNews || nextFall.map({ $0 <= time }) ?? false else { return }
    (hasNews, nextFall) = (false, nil)
    var forgotten: [StreamID] = []
    for place in streams.indices {
      streams.values[place].fading.removeAll { $0.until <= time }
      nextFall = .earliest(nextFall, streams.values[place].fading.first?.until)
      let demand = streams.values[place].demand(for: streams.keys[place], at: time)
      if demand != streams.values[place].reported {
        // After the first that was not taken, none is offered.
        guard !hasNews, take(demand) else {
          hasNews = true
          continue
        }
        streams.values[place].reported = demand
      }
      if streams.values[place].needs.isEmpty, demand.highestSpatial == nil {
        forgotten.append(demand.id)
      }
    }
    for id in forgotten { streams[id] = nil }
  }

  private mutating func advance(to time: Timestamp) throws(VideoPauseError) {
    if let clock, time < clock { throw .timestampWentBackwards(from: clock, to: time) }
    clock = time
  }

  private mutating func give(
    _ need: Int?, of id: StreamID, for subscriber: ParticipantID, at now: Timestamp
  ) {
    if let stream = streams[id], stream.needs[subscriber] == need { return }
    let end = now.advanced(byMicroseconds: holdTime)
    var stream = streams.removeValue(forKey: id) ?? Stream()
    stream.give(need, for: subscriber, until: end)
    if let fall = stream.fading.first?.until { nextFall = .earliest(nextFall, fall) }
    hasNews = hasNews || stream.demand(for: id, at: now) != stream.reported
    streams[id] = stream
  }
}
