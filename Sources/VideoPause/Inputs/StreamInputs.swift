extension VideoPauseCoordinator {
  /// Adds or updates a published stream with every layer that it may have, and returns whether a decision is due.
  ///
  /// Call it again when the layers change. Keep layers that the publisher does not send at present in the list, as
  /// inactive or with a bit rate of 0.
  ///
  /// Throws ``VideoPauseError/notVideo(_:)``, ``VideoPauseError/invalidLayers(_:_:)``,
  /// ``VideoPauseError/tooManyStreams(limit:)``, ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func upsertStream(
    _ id: StreamID, kind: VideoKind, layers: [VideoLayer], isLocal: Bool = false, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    guard id.trackType.isVideo else { throw .notVideo(id) }
    try VideoLayer.validate(layers, of: id)
    try checkTime(time)
    let (place, isKnown) = search(id)
    if !isKnown && streams.count == configuration.maximumStreams {
      throw .tooManyStreams(limit: configuration.maximumStreams)
    }
    advance(to: time)
    if isKnown {
      update(place, kind: kind, layers: layers, isLocal: isLocal)
    } else {
      streams.insert(
        StreamState(
          id: id, kind: kind, layers: layers, isLocal: isLocal,
          resumeLimit: configuration.resumeLimit), at: place)
      if let index = removedWhilePaused.firstIndex(of: id) {
        removedWhilePaused.remove(at: index)
        streams[place].isDrainedAsPaused = true
      }
      streamsChanged()
    }
    return changed(demand: true)
  }

  private mutating func update(_ place: Int, kind: VideoKind, layers: [VideoLayer], isLocal: Bool) {
    let before = streams[place].phase.layer?.bitrate ?? 0
    let hadVideo = streams[place].hasVideo
    if streams[place].kind != kind { noteRank(of: place) }
    streams[place].kind = kind
    streams[place].isLocal = isLocal
    streams[place].update(layers: layers)
    allocated += (streams[place].phase.layer?.bitrate ?? 0) - before
    if streams[place].hasVideo != hadVideo { assignLayout() }
  }

  /// Removes a stream that is no longer published, and returns whether a decision is due.
  ///
  /// The stream leaves `pausedTracks` and `videoStreams`. The participant's other streams are untouched, and a custom
  /// layout keeps its entry.
  ///
  /// Throws ``VideoPauseError/unknownStream(_:)``, ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func removeStream(
    _ id: StreamID, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    let place = try known(id, time)
    advance(to: time)
    allocated -= streams[place].phase.layer?.bitrate ?? 0
    if streams[place].isDrainedAsPaused { removedWhilePaused.append(id) }
    streams.remove(at: place)
    streamsChanged()
    return changed(demand: true)
  }

  /// Reports that the publisher turned its camera or screen share off or on again, and returns whether a decision is
  /// due.
  ///
  /// `pausedTracks` does not include streams that the publisher muted.
  ///
  /// Throws ``VideoPauseError/unknownStream(_:)``, ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func setPublisherMuted(
    _ isMuted: Bool, for id: StreamID, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    let place = try known(id, time)
    guard streams[place].isPublisherMuted != isMuted else { return unchanged(at: time) }
    advance(to: time)
    streams[place].isPublisherMuted = isMuted
    streams[place].isStale = true
    assignLayout()
    return changed(demand: true)
  }

  /// Sets whether the subscriber's application has paused the stream, and returns whether a decision is due.
  ///
  /// The coordinator never overrides this choice.
  ///
  /// Throws ``VideoPauseError/unknownStream(_:)``, ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func setSubscriberPaused(
    _ isPaused: Bool, for id: StreamID, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    let place = try known(id, time)
    guard streams[place].isSubscriberPaused != isPaused else { return unchanged(at: time) }
    advance(to: time)
    streams[place].isSubscriberPaused = isPaused
    streams[place].isStale = true
    return changed(demand: true)
  }

  /// Sets what the subscriber wants of a stream (visibility, size, pin, priority, limits), and returns whether a
  /// decision is due.
  ///
  /// Throws ``VideoPauseError/unknownStream(_:)``, ``VideoPauseError/invalidDemand(_:field:)``,
  /// ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func setDemand(
    _ demand: VideoDemand, for id: StreamID, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    if let field = demand.fieldOutOfRange { throw .invalidDemand(id, field: field) }
    let place = try known(id, time)
    let old = streams[place].demand
    guard old != demand else { return unchanged(at: time) }
    advance(to: time)
    streams[place].take(demand, at: time, grace: timing.hiddenGrace)
    if old.ranksUnlike(demand) { noteRank(of: place) }
    return changed(demand: true)
  }

  /// Reports that the forwarder has the key frame of the requested layer, so that the picture now reaches the
  /// subscriber.
  ///
  /// Throws ``VideoPauseError/unknownStream(_:)``, ``VideoPauseError/timestampWentBackwards(from:to:)``.
  public mutating func layerLocked(_ id: StreamID, at time: Timestamp) throws(VideoPauseError) {
    let place = try known(id, time)
    advance(to: time)
    lock(place)
  }

  // MARK: Looking up

  /// Returns the index of a stream, or the index at which it would be inserted.
  func search(_ id: StreamID) -> (place: Int, isKnown: Bool) {
    let place = streams.indices.bisect { streams[$0].id < id }
    return (place, place < streams.count && streams[place].id == id)
  }

  private func known(_ id: StreamID, _ time: Timestamp) throws(VideoPauseError) -> Int {
    try checkTime(time)
    let (place, isKnown) = search(id)
    guard isKnown else { throw .unknownStream(id) }
    return place
  }

  // MARK: Noting changes

  /// Marks changes that act at once, and returns true because a decision is due.
  mutating func changed(demand: Bool = false, rank: Bool = false) -> Bool {
    changes.demand = changes.demand || demand
    changes.rank = changes.rank || rank
    return true
  }

  mutating func unchanged(at time: Timestamp) -> Bool {
    advance(to: time)
    return isDecisionDue(at: time)
  }

  mutating func noteRank(of place: Int) {
    streams[place].isRankStale = true
    changes.rank = true
  }

  /// Updates recency, layout and ranking after a stream was added or removed.
  private mutating func streamsChanged() {
    assignRecency()
    assignLayout()
    ranking.forget()
    changes.rank = true
  }
}

extension StreamState {
  /// Whether the stream has a picture to forward: published, not the subscriber's own, not muted.
  var hasVideo: Bool {
    !isLocal && !isPublisherMuted && layers.contains { $0.isSent }
  }

  mutating func take(_ new: VideoDemand, at time: Timestamp, grace: Int64) {
    if let pin = new.pin, pin.isLocal, pin != demand.pin { gate.forget() }
    if new.isSeen {
      hiddenGraceEnds = nil
    } else if demand.isSeen && phase.isReportedPaused {
      hiddenGraceEnds = time.advanced(byMicroseconds: grace)
    }
    demand = new
    isStale = true
  }
}

extension VideoDemand {
  var isSeen: Bool { isVisible && !(viewSize?.isEmpty ?? false) }

  var fieldOutOfRange: String? {
    if let size = viewSize, size.width < 0 || size.height < 0 { return "viewSize" }
    if let rate = maximumFramesPerSecond, !(rate > 0) { return "maximumFramesPerSecond" }
    return nil
  }

  func ranksUnlike(_ other: VideoDemand) -> Bool {
    pin != other.pin || priority != other.priority || viewSize?.area != other.viewSize?.area
  }
}
