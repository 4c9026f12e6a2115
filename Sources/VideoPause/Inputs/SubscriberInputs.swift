extension VideoPauseCoordinator {
  /// Who spoke most recently, the dominant speaker first. Participants that are not named come after all of them.
  ///
  /// Throws ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func setSpeakerOrder(
    _ recent: [ParticipantID], at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    try checkTime(time)
    guard recent != speakers else { return unchanged(at: time) }
    advance(to: time)
    speakers = recent
    assignRecency()
    assignLayout()
    return changed(rank: true)
  }

  /// The most streams to forward, the first in rank; nil: no limit. Throws ``VideoPauseError/invalidCount(_:)``,
  /// ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func setLastN(_ count: Int?, at time: Timestamp) throws(VideoPauseError) -> Bool {
    if let count, count < 0 { throw .invalidCount(count) }
    return try set(\.lastN, count, time)
  }

  /// How the bits are shared. While a custom layout gives priorities, these decide instead.
  /// Throws ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func setStrategy(
    _ new: AllocationStrategy, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    try set(\.strategy, new, time)
  }

  /// Whether cameras may be received above 360p; screen shares always may, for they would be unreadable.
  /// Throws ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func set720pVideoReceiveEnabled(
    _ isEnabled: Bool, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    let isOther = isEnabled != is720pEnabled
    let due = try set(\.is720pEnabled, isEnabled, time)
    if isOther { markAllStale() }
    return due
  }

  /// Adds capabilities; those that are there already change nothing. Acts at the next decision, without a rejoin.
  /// Throws ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func enableClientCapabilities(
    _ added: Set<ClientCapability>, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    try set(\.capabilities, capabilities.union(added), time)
  }

  /// Takes capabilities away; without `subscriberVideoPause` no stream is paused for bandwidth: all keep their base layer,
  /// and what that sends too much is told as oversending. Throws ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func disableClientCapabilities(
    _ removed: Set<ClientCapability>, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    try set(\.capabilities, capabilities.subtracting(removed), time)
  }

  /// What the client says that it can: to be sent with every join and rejoin.
  public var clientCapabilities: Set<ClientCapability> { capabilities }

  /// `videoStreams` tells frame and bit rates, or does not.
  public mutating func setDebugMetadataEnabled(_ isEnabled: Bool) {
    isDebugMetadataEnabled = isEnabled
  }

  private mutating func set<Value: Equatable>(
    _ path: WritableKeyPath<Self, Value>, _ value: Value, _ time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    try checkTime(time)
    guard self[keyPath: path] != value else { return unchanged(at: time) }
    advance(to: time)
    self[keyPath: path] = value
    return changed(demand: true)
  }

  mutating func markAllStale() {
    for place in streams.indices { streams[place].isStale = true }
    changes.demand = true
  }

  /// Tells every stream its participant's place among the speakers.
  mutating func assignRecency() {
    recencies.removeAll(keepingCapacity: true)
    recencies.append(contentsOf: repeatElement(.max, count: streams.count))
    for (recency, speaker) in speakers.enumerated() {
      var place = firstPlace(of: speaker)
      while place < streams.count, streams[place].id.participant == speaker {
        recencies[place] = min(recencies[place], recency)
        place += 1
      }
    }
    for place in streams.indices where streams[place].recency != recencies[place] {
      streams[place].recency = recencies[place]
      streams[place].isRankStale = true
    }
  }

  /// The place of the participant's first stream, or where it would go.
  private func firstPlace(of participant: ParticipantID) -> Int {
    var (low, high) = (0, streams.count)
    while low < high {
      let middle = (low + high) / 2
      if streams[middle].id.participant < participant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
