extension StreamState {
  /// The limits that apply to all streams of the subscriber.
  struct Bounds {
    /// Whether a custom layout is in force, so that cameras without an entry are not wanted.
    var isCustomLayout = false
    var is720pEnabled = false
    /// The height in pixels that is enough at first.
    var preferredHeight = Int.max
  }

  /// Returns why the stream is not wanted or cannot be had. The subscriber's own choice takes precedence over the
  /// publisher's.
  func blockReason(_ bounds: Bounds, at now: Timestamp) -> PauseReason? {
    if isLocal || isLeftOut(bounds) { return .notRequested }
    if isSubscriberPaused { return .subscriberPaused }
    if !demand.isSeen && !isWantedThoughHidden(at: now) { return .notVisible }
    if isPublisherMuted { return .publisherMuted }
    guard ladder.count == 0 else { return nil }
    return ladder.isRaised ? .belowMinimumQuality : .feedDry
  }

  private func isLeftOut(_ bounds: Bounds) -> Bool {
    bounds.isCustomLayout && id.trackType == .video && entry == nil
  }

  /// Returns whether a hidden stream is still wanted.
  ///
  /// A tile that was hidden because its video is paused must not keep the video paused. A pinned or high-priority
  /// stream stays wanted beyond the grace, until it is forwarded.
  private func isWantedThoughHidden(at now: Timestamp) -> Bool {
    guard let end = hiddenGraceEnds else { return false }
    return now < end || phase.isAfterPause && (demand.pin != nil || priority == .high)
  }

  /// Returns a camera's best level up to the given height, or a screen share's cheapest level at full height, because
  /// it is read.
  func preferredLevel(upTo height: Int, in steps: [Allocation.Step]) -> Level {
    let heights = heights(in: steps)
    let place =
      switch kind {
      case .camera: heights.lastIndex { $0 <= height }
      case .screenShare: heights.firstIndex(of: heights.max() ?? 0)
      }
    return place.map { Level($0) } ?? .base
  }

  func motionLevel(in steps: [Allocation.Step]) -> Level {
    let heights = heights(in: steps)
    return heights.lastIndex { $0 == heights.first }.map { Level($0) } ?? .base
  }

  /// The heights of the levels.
  private func heights(in steps: [Allocation.Step]) -> LazyMapCollection<Range<Int>, Int> {
    (0..<ladder.count).lazy.map { ladder.layer(steps[ladder.first + $0]).size.height }
  }

  func limits(_ bounds: Bounds) -> Ladder.Limits {
    var limits = Ladder.Limits(viewHeight: demand.viewSize?.height)
    if let quality = demand.maximumQuality { limits.lower(to: quality) }
    if let least = demand.minimumQuality {
      limits.leastHeight = least.resolution.height
      limits.leastFramesPerSecond = least.framesPerSecond
    }
    if let quality = entry?.quality { limits.lower(to: quality) }
    if let rate = demand.maximumFramesPerSecond {
      limits.framesPerSecond = min(limits.framesPerSecond, rate)
    }
    if !bounds.is720pEnabled && kind == .camera {
      limits.height = min(limits.height, StreamQuality.r360p_30fps.resolution.height)
    }
    return limits
  }
}

extension Ladder.Limits {
  fileprivate mutating func lower(to quality: StreamQuality) {
    height = min(height, quality.resolution.height)
    framesPerSecond = min(framesPerSecond, quality.framesPerSecond)
  }
}

extension VideoPauseCoordinator {
  /// The limits that apply to all streams.
  var bounds: StreamState.Bounds {
    StreamState.Bounds(
      isCustomLayout: meeting.layout.configured != nil, is720pEnabled: settings.is720pEnabled,
      preferredHeight: configuration.preferredHeight)
  }
}
