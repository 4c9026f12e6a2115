/// Everything the coordinator knows about one incoming stream.
struct StreamState {
  let id: StreamID

  // MARK: Inputs
  var kind: VideoKind
  var isLocal: Bool
  var layers: [VideoLayer]
  var demand = VideoDemand()
  var isPublisherMuted = false
  var isSubscriberPaused = false
  /// The participant's place among the recent speakers; `Int.max` if not among them.
  var recency = Int.max
  /// The entry of the custom layout that this stream serves.
  var entry: VideoStreamConfiguration?
  /// The entry's place in the layout, the highest priority first; `Int.max` without an entry.
  var entryOrder = Int.max
  /// The end of the grace during which a stream hidden while paused for bandwidth counts as visible.
  var hiddenGraceEnds: Timestamp?

  // MARK: Derived from the inputs
  /// Whether an input changed since `ladder` and `block` were computed.
  var isStale = true
  var ladder: Ladder
  /// The allocation's view of the stream; rank, policy and the present level are set per round.
  var candidate = Allocation.Candidate()
  /// Whether an input to the rank changed since the streams were ranked.
  var isRankStale = true
  /// The reason not to forward the stream, other than bandwidth and last-N.
  var block: PauseReason?

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
    self.layers = layers
    self.isLocal = isLocal
    ladder = Ladder(layers, kind: kind)
    gate = ResumeGate(resumeLimit: resumeLimit)
  }

  /// The priority in force: the custom layout entry's if it has one, otherwise the demand's.
  var priority: StreamPriority? { entry?.streamPriority ?? demand.priority }

  /// Replaces the layers. A forwarded layer stays forwarded, at its new cost.
  mutating func update(layers new: [VideoLayer]) {
    layers = new
    phase.update(from: new)
    ladder = Ladder(layers, kind: kind)
    isStale = true
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
