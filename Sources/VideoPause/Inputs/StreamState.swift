/// Everything the coordinator knows about one incoming stream.
struct StreamState {
  /// An entry of a custom layout.
  struct Entry: Equatable {
    var quality: StreamQuality
    var priority: StreamPriority?
    /// The place in the layout, the highest priority first.
    @Narrow<Int32> var order: Int
  }

  /// The place of what has none.
  static let last = Int(Int32.max)

  let id: StreamID

  // MARK: Inputs
  private(set) var kind: VideoKind
  private(set) var isLocal: Bool
  private(set) var ladder: Ladder
  var demand = VideoDemand()
  var isPublisherMuted = false
  var isSubscriberPaused = false
  /// The participant's place among the recent speakers; `last` if not among them.
  @Narrow<Int32> var recency = StreamState.last
  /// The entry of the custom layout that this stream serves.
  var entry: Entry?
  /// The end of the grace during which a stream hidden while paused for bandwidth counts as visible.
  var hiddenGraceEnds: Timestamp?

  // MARK: Derived from the inputs
  /// Whether an input changed since ``refresh(_:in:at:)``.
  var isStale = true
  /// The best level of the smallest size.
  private(set) var motion = Level.base
  /// The level that is enough at first.
  private(set) var preferred = Level.base
  /// The reason not to forward the stream, other than bandwidth and last-N.
  private(set) var block: PauseReason?
  /// Whether an input to the rank changed since the streams were ranked.
  var isRankStale = true
  var rankKey = RankKey()

  // MARK: Decided
  var phase = StreamPhase()
  /// The times of its resumes.
  var gate: ResumeGate
  /// Whether ``VideoPauseCoordinator/drainPausedTracksChanges()`` last reported the stream as paused.
  var isDrainedAsPaused = false
  /// The last ``PauseAction``, if it was a pause.
  var reportedPause: ReportedPause?

  init(id: StreamID, kind: VideoKind, layers: [VideoLayer], isLocal: Bool, resumeLimit: Int) {
    self.id = id
    self.kind = kind
    self.isLocal = isLocal
    ladder = Ladder(layers, kind: kind)
    gate = ResumeGate(resumeLimit: resumeLimit)
  }

  /// The priority in force: the custom layout entry's if it has one, otherwise the demand's.
  var priority: StreamPriority? { entry?.priority ?? demand.priority }

  /// Replaces what the publisher sends. A forwarded layer stays forwarded, at its new cost.
  mutating func update(kind: VideoKind, layers: [VideoLayer], isLocal: Bool) {
    (self.kind, self.isLocal) = (kind, isLocal)
    phase.update(from: layers)
    let first = ladder.first
    ladder = Ladder(layers, kind: kind)
    ladder.move(to: first)
  }

  mutating func moveLadder(to first: Int) { ladder.move(to: first) }

  /// Applies what the inputs changed since the last call.
  mutating func refresh(_ bounds: Bounds, in steps: inout [Allocation.Step], at now: Timestamp) {
    isStale = false
    ladder.limit(to: limits(bounds), in: &steps)
    motion = motionLevel(in: steps)
    preferred = preferredLevel(upTo: bounds.preferredHeight, in: steps)
    phase.move(to: phase.layer.map { ladder.level(of: $0, in: steps) } ?? .none)
    block = blockReason(bounds, at: now)
    if block == .notVisible { hiddenGraceEnds = nil }
  }

  /// Starts the grace of a stream that was resumed behind a hidden tile, so that the interface has time to show it
  /// again.
  mutating func startGraceIfHidden(at now: Timestamp, _ grace: Int64) {
    if !demand.isSeen { hiddenGraceEnds = now.advanced(byMicroseconds: grace) }
  }

  func standing(at now: Timestamp, _ timing: Timing) -> Allocation.Standing {
    if phase.layer != nil { return .shown }
    guard phase.isAfterPause else { return .new }
    if gate.isShut(at: now, timing) { return .shut }
    return gate.isHeld(at: now, timing) ? .held : .paused
  }
}

extension VideoLayer {
  func isSameLayer(as other: VideoLayer) -> Bool {
    spatial == other.spatial && temporal == other.temporal
  }

  /// Throws the first defect of a list of layers.
  static func validate(_ layers: [VideoLayer], of id: StreamID) throws(VideoPauseError) {
    if layers.count > VideoPauseLimits.maximumLayers {
      throw .invalidLayers(id, .tooMany(limit: VideoPauseLimits.maximumLayers))
    }
    for (place, layer) in layers.enumerated() {
      if let defect = layer.defect { throw .invalidLayers(id, defect) }
      for other in layers[..<place] {
        if let defect = layer.conflict(with: other) { throw .invalidLayers(id, defect) }
      }
    }
  }

  private func conflict(with other: VideoLayer) -> VideoPauseError.LayerDefect? {
    if isSameLayer(as: other) { return .duplicate }
    if isDecodeTarget != other.isDecodeTarget { return .mixed }
    return costsLess(thanIts: other) || other.costsLess(thanIts: self) ? .cheaperThanContained : nil
  }

  private func costsLess(thanIts part: VideoLayer) -> Bool {
    isSent && part.isSent && contains(part) && bitrate < part.bitrate
  }

  /// Whether the publisher sends the layer, so that its cost is known.
  var isSent: Bool { isActive && bitrate > 0 }

  /// Whether this is a decode target, and the other one is needed to decode it.
  func contains(_ other: VideoLayer) -> Bool {
    isDecodeTarget && other.isDecodeTarget && other.spatial <= spatial && other.temporal <= temporal
  }

  private var defect: VideoPauseError.LayerDefect? {
    if bitrate < 0 { return .negativeBitrate }
    if bitrate > VideoPauseLimits.maximumBitrate { return .bitrateTooLarge }
    if size.isEmpty { return .emptySize }
    if size.isTooLarge { return .sizeTooLarge }
    let indices = VideoPauseLimits.layerIndices
    if !indices.contains(spatial) || !indices.contains(temporal) { return .invalidIndex }
    if isDecodeTarget,
      spatial > VideoPauseLimits.maximumSpatialID || temporal > VideoPauseLimits.maximumTemporalID
    {
      return .invalidDecodeTarget
    }
    return framesPerSecond >= 0 && framesPerSecond.isFinite ? nil : .invalidFrameRate
  }
}
