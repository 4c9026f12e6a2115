/// What has been decided about one stream.
enum StreamPhase: Hashable {
  /// Not forwarded, for another reason than bandwidth. `afterPause` says that it was paused for bandwidth before, and has
  /// not been forwarded since.
  case idle(afterPause: Bool)
  /// Paused for bandwidth.
  case paused
  case forwarded(Forwarding)
}

/// A stream that is forwarded.
struct Forwarding: Hashable {
  /// The forwarded layer, at its present cost.
  var layer: VideoLayer
  /// The layer that reaches the subscriber: `layer`, except while waiting for a key frame.
  var received: VideoLayer?
  /// Whether the forwarder has yet to report the key frame of `layer`.
  var needsKeyFrame = true
  /// When the wait for that key frame began; after the time limit the layer counts as locked.
  var lockPendingSince: Timestamp?
  /// Whether a pause for bandwidth still shows, because no picture has arrived since.
  var endsPause: Bool
}

extension StreamPhase {
  var forwarding: Forwarding? {
    if case .forwarded(let forwarding) = self { forwarding } else { nil }
  }

  /// The forwarded layer.
  var layer: VideoLayer? { forwarding?.layer }

  /// Whether the stream was paused for bandwidth and not forwarded since, even if it was hidden or muted meanwhile.
  var isAfterPause: Bool {
    switch self {
    case .idle(let afterPause): afterPause
    case .paused: true
    case .forwarded: false
    }
  }

  /// Whether `pausedTracks` includes the stream.
  var isReportedPaused: Bool {
    switch self {
    case .idle: false
    case .paused: true
    case .forwarded(let forwarding): forwarding.endsPause
    }
  }

  /// Changes what is known of a forwarded stream.
  mutating func update(_ body: (inout Forwarding) -> Void) {
    guard case .forwarded(var forwarding) = self else { return }
    body(&forwarding)
    self = .forwarded(forwarding)
  }

  /// Stops forwarding, for another reason than bandwidth.
  mutating func idle() { self = .idle(afterPause: isAfterPause) }

  mutating func forward(_ layer: VideoLayer, at now: Timestamp) {
    var next = forwarding ?? Forwarding(layer: layer, endsPause: isReportedPaused)
    let isWaitedFor = forwarding?.layer.spatial == layer.spatial
    next.layer = layer
    if next.received?.spatial == layer.spatial {
      // Temporal layers change without a key frame; so does the return to a spatial layer that is still arriving.
      (next.received, next.needsKeyFrame, next.lockPendingSince) = (layer, false, nil)
    } else if !isWaitedFor || next.lockPendingSince == nil {
      (next.needsKeyFrame, next.lockPendingSince) = (true, now)
    }
    self = .forwarded(next)
  }
}

extension Forwarding {
  /// Records that the picture of the forwarded layer has arrived.
  mutating func arrive() { (received, lockPendingSince, endsPause) = (layer, nil, false) }
}
