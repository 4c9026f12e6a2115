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
    let (place, isKnown) = streams.search(id)
    if !isKnown && streams.states.count == configuration.maximumStreams {
      throw .tooManyStreams(limit: configuration.maximumStreams)
    }
    try advance(to: time)
    if isKnown {
      update(place, kind: kind, layers: layers, isLocal: isLocal)
    } else {
      let stream = StreamState(
        id: id, kind: kind, layers: layers, isLocal: isLocal,
        resumeLimit: configuration.resumeLimit)
      streams.insert(stream, at: place)
      assignPlaces()
    }
    return true
  }

  private mutating func update(_ place: Int, kind: VideoKind, layers: [VideoLayer], isLocal: Bool) {
    let hadVideo = streams.states[place].hasVideo
    let difference = streams.update(place, kind: kind, layers: layers, isLocal: isLocal)
    network.changeSent(by: difference)
    if streams.states[place].hasVideo != hadVideo { streams.assign(meeting.layout) }
  }

  /// Updates recency and layout after a stream was added or removed.
  private mutating func assignPlaces() {
    streams.assignRecency(meeting.speakers)
    streams.assign(meeting.layout)
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
    let place = try advance(to: time, of: id)
    network.changeSent(by: -streams.remove(at: place))
    assignPlaces()
    return true
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
    let place = try advance(to: time, of: id)
    guard streams.states[place].isPublisherMuted != isMuted else { return isDecisionDue(at: time) }
    streams.change(place) { $0.isPublisherMuted = isMuted }
    streams.assign(meeting.layout)
    return true
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
    let place = try advance(to: time, of: id)
    guard streams.states[place].isSubscriberPaused != isPaused else {
      return isDecisionDue(at: time)
    }
    streams.change(place) { $0.isSubscriberPaused = isPaused }
    return true
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
    let place = try advance(to: time, of: id)
    let old = streams.states[place].demand
    guard old != demand else { return isDecisionDue(at: time) }
    streams.change(place) { $0.take(demand, at: time, grace: timing.hiddenGrace) }
    if old.ranksUnlike(demand) { streams.noteRank(of: place) }
    return true
  }

  /// Reports that the forwarder has the key frame of the requested layer, so that the picture now reaches the
  /// subscriber.
  ///
  /// Throws ``VideoPauseError/unknownStream(_:)``, ``VideoPauseError/timestampWentBackwards(from:to:)``.
  public mutating func layerLocked(_ id: StreamID, at time: Timestamp) throws(VideoPauseError) {
    let place = try advance(to: time, of: id)
    guard streams.states[place].phase.layer != nil else { return }
    streams.lock(place)
    outcome.noteLock(id)
  }

  /// Advances to an input about a stream, and returns the stream's place.
  private mutating func advance(
    to time: Timestamp, of id: StreamID
  ) throws(VideoPauseError) -> Int {
    try checkTime(time)
    let (place, isKnown) = streams.search(id)
    guard isKnown else { throw .unknownStream(id) }
    try advance(to: time)
    return place
  }
}

extension StreamState {
  /// Whether the stream has a picture to forward: published, not the subscriber's own, not muted.
  var hasVideo: Bool {
    !isLocal && !isPublisherMuted && ladder.isSent
  }

  mutating func take(_ new: VideoDemand, at time: Timestamp, grace: Int64) {
    if let pin = new.pin, pin.isLocal, pin != demand.pin { gate.forget() }
    if new.isSeen {
      hiddenGraceEnds = nil
    } else if demand.isSeen && phase.isReportedPaused {
      hiddenGraceEnds = time.advanced(byMicroseconds: grace)
    }
    demand = new
  }
}

extension VideoDemand {
  var isSeen: Bool { isVisible && !(viewSize?.isEmpty ?? false) }

  var fieldOutOfRange: String? {
    if let size = viewSize, size.width < 0 || size.height < 0 || size.isTooLarge {
      return "viewSize"
    }
    if let rate = maximumFramesPerSecond, !(rate > 0) { return "maximumFramesPerSecond" }
    return nil
  }

  func ranksUnlike(_ other: VideoDemand) -> Bool {
    pin != other.pin || priority != other.priority || viewSize?.area != other.viewSize?.area
  }
}
