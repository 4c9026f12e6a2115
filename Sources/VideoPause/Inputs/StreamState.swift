/// All that is known of one incoming stream.
struct StreamState {
  let id: StreamID

  // MARK: As the inputs said
  var kind: VideoKind
  var isLocal: Bool
  var layers: [VideoLayer]
  var demand = VideoDemand()
  var isPublisherMuted = false
  var isSubscriberPaused = false
  /// Place among the recent speakers; `Int.max` if it is none of them.
  var recency = Int.max
  /// The entry of the custom layout that wants this stream.
  var entry: VideoStreamConfiguration?
  /// Its place in the layout, the highest priority first; `Int.max` if there is none.
  var entryOrder = Int.max
  /// A stream that was hidden while paused for bandwidth counts as visible until then.
  var hiddenGraceEnds: Timestamp?

  // MARK: What follows from it
  /// Something above changed since `ladder` and `block` were made.
  var isStale = true
  var ladder: Ladder
  /// What the allocation is told of it, rank and policy apart.
  var candidate = Allocation.Candidate()
  /// Something that decides its rank changed since the streams were ranked.
  var isRankStale = true
  /// Why it is not forwarded, bandwidth and last-N apart.
  var block: PauseReason?

  // MARK: What was decided
  /// The layer that is forwarded, at its present cost.
  var current: VideoLayer?
  /// nil while it is forwarded, and before its first decision.
  var pause: Pause?
  var gate: StreamGate
  /// `pausedTracks` has it.
  var isReportedPaused = false
  /// The forwarder has not told yet that it has the key frame of `current`.
  var needsKeyFrame = false
  /// Since when that is waited for; after the time limit it is taken as told.
  var lockPendingSince: Timestamp?
  /// What arrives at the subscriber: `current`, except while a key frame is waited for.
  var received: VideoLayer?

  init(id: StreamID, kind: VideoKind, layers: [VideoLayer], isLocal: Bool, resumeLimit: Int) {
    self.id = id
    self.kind = kind
    self.layers = layers
    self.isLocal = isLocal
    ladder = Ladder(layers, kind: kind)
    gate = StreamGate(resumeLimit: resumeLimit)
  }

  /// The priority in force: the custom layout's entry says it, else the demand.
  var priority: StreamPriority? { entry?.streamPriority ?? demand.priority }

  /// Takes a new list of layers; what is forwarded keeps being forwarded, at its new cost.
  mutating func update(layers new: [VideoLayer]) {
    layers = new
    if let old = current, let same = new.first(where: { $0.isSameLayer(as: old) }) {
      current = same
    }
    ladder = Ladder(layers, kind: kind)
    isStale = true
  }
}

extension VideoLayer {
  func isSameLayer(as other: VideoLayer) -> Bool {
    spatial == other.spatial && temporal == other.temporal
  }

  /// Throws what is wrong with a list of layers.
  static func validate(_ layers: [VideoLayer], of id: StreamID) throws(VideoPauseError) {
    if layers.count > VideoPauseLimits.maximumLayers {
      throw .invalidLayers(id, .tooMany(limit: VideoPauseLimits.maximumLayers))
    }
    for (place, layer) in layers.enumerated() {
      if let defect = layer.defect { throw .invalidLayers(id, defect) }
      if layers[..<place].contains(where: layer.isSameLayer) {
        throw .invalidLayers(id, .duplicate)
      }
    }
  }

  private var defect: VideoPauseError.LayerDefect? {
    if bitrate < 0 { return .negativeBitrate }
    if bitrate > VideoPauseLimits.maximumBitrate { return .bitrateTooLarge }
    if size.isEmpty { return .emptySize }
    let indices = 0...VideoPauseLimits.maximumLayerIndex
    if !indices.contains(spatial) || !indices.contains(temporal) { return .invalidIndex }
    return framesPerSecond >= 0 && framesPerSecond.isFinite ? nil : .invalidFrameRate
  }
}
