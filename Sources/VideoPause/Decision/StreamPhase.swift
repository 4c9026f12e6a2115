/// What has been decided about one stream: a state, and while it is forwarded, what.
struct StreamPhase {
  enum State {
    /// Not forwarded, for another reason than bandwidth. `afterPause` says that it was paused for bandwidth before, and
    /// has not been forwarded since.
    case idle(afterPause: Bool)
    /// Paused for bandwidth.
    case paused
    /// Forwarded. `endsPause` says that a pause for bandwidth still shows, because no picture has arrived since.
    case forwarded(endsPause: Bool)
  }

  private(set) var state = State.idle(afterPause: false)

  // These are set while the stream is forwarded. They are not values of the case `forwarded`, because Swift copies all
  // of them whenever one is read or changed: decisions took a third more instructions.

  /// The forwarded layer, at its present cost.
  private(set) var layer: VideoLayer?
  /// The place of `layer` in the stream's ladder; none if the ladder no longer has it.
  private(set) var level = Level.none
  /// The layer that reaches the subscriber: `layer`, except while waiting for a key frame.
  private(set) var received: VideoLayer?
  /// Whether the forwarder has yet to report the key frame of `layer`.
  private(set) var needsKeyFrame = false
  /// When the wait for that key frame began; after the time limit the layer counts as locked.
  private(set) var lockPendingSince: Timestamp?

  /// Whether the stream was paused for bandwidth and not forwarded since, even if it was hidden or muted meanwhile.
  var isAfterPause: Bool {
    switch state {
    case .idle(let afterPause): afterPause
    case .paused: true
    case .forwarded: false
    }
  }

  /// Whether `pausedTracks` includes the stream.
  var isReportedPaused: Bool {
    switch state {
    case .idle: false
    case .paused: true
    case .forwarded(let endsPause): endsPause
    }
  }
}

extension StreamPhase {
  mutating func pause() {
    state = .paused
    stop()
  }

  /// Stops forwarding, for another reason than bandwidth.
  mutating func idle() {
    state = .idle(afterPause: isAfterPause)
    stop()
  }

  private mutating func stop() {
    (layer, level, received) = (nil, .none, nil)
    (needsKeyFrame, lockPendingSince) = (false, nil)
  }

  mutating func forward(_ next: VideoLayer, _ level: Level, at now: Timestamp) {
    if layer == nil { state = .forwarded(endsPause: isReportedPaused) }
    let isWaitedFor = layer?.spatial == next.spatial
    layer = next
    self.level = level
    if let received,
      received.spatial == next.spatial
        || received.isDecodeTarget && next.isDecodeTarget && received.spatial > next.spatial
    {
      // Temporal layers change without a key frame, and so do decode targets downwards. So does the return to a spatial
      // layer that is still arriving.
      self.received = next
      (needsKeyFrame, lockPendingSince) = (false, nil)
    } else if !isWaitedFor || lockPendingSince == nil {
      // The end of a pause is reported a limited time after the resume, even if the size changes meanwhile.
      lockPendingSince = received == nil ? lockPendingSince ?? now : now
      needsKeyFrame = true
    }
  }

  /// Takes the cost of the forwarded layer from the publisher's new layers, if it is among them.
  mutating func update(from layers: [VideoLayer]) {
    guard let old = layer else { return }
    layer = layers.first { $0.isSameLayer(as: old) } ?? old
  }

  /// Takes the place of the forwarded layer in a new ladder.
  mutating func move(to level: Level) { self.level = level }

  /// Records that the forwarder has reported the key frame of the forwarded layer.
  mutating func lock() {
    needsKeyFrame = false
    arrive()
  }

  /// Records that the picture of the forwarded layer has arrived, or counts as arrived.
  mutating func arrive() {
    guard layer != nil else { return }
    (received, lockPendingSince) = (layer, nil)
    state = .forwarded(endsPause: false)
  }
}
