/// Why a stream is not forwarded.
public enum PauseReason: CaseIterable, Hashable, Sendable {
  /// The bandwidth does not carry it. Such a stream is in `pausedTracks`.
  case bandwidth
  /// Its view is not on screen.
  case notVisible
  /// It lies beyond last-N, is not in the custom layout, or is the subscriber's own stream.
  case notRequested
  /// The publisher has turned it off.
  case publisherMuted
  /// The subscriber has paused it.
  case subscriberPaused
  /// The publisher sends no layer at present.
  case feedDry
  /// Only less than ``VideoDemand/minimumQuality`` could be forwarded: for lack of bandwidth, and then the stream is in
  /// `pausedTracks`, or because the publisher sends nothing better, and then ``StreamDecision/ideal`` is nil.
  case belowMinimumQuality
}

/// The bandwidth that a decision divides, in bits per second.
public struct Budget: Hashable, Sendable {
  /// The bandwidth estimate as the host gave it.
  public var estimate: Int
  /// The part reserved for audio before video gets a bit.
  public var audioReserve: Int
  /// The part reserved for other traffic.
  public var otherReserve: Int
  /// The limit for what may be forwarded at all: the rest, or the smallest pictures of what is shown while their queue
  /// is borne.
  public var keep: Int
  /// The limit up to which more may be sent than now; at most `keep` in effect.
  public var grow: Int
  /// The limit for the smallest pictures of what is shown when one more stream is shown.
  public var pictures: Int

  /// What the estimate leaves for video.
  public var available: Int { max(0, estimate - audioReserve - otherReserve) }

  /// Creates a budget.
  public init(
    estimate: Int, audioReserve: Int, otherReserve: Int = 0, keep: Int, grow: Int, pictures: Int = 0
  ) {
    self.estimate = estimate
    self.audioReserve = audioReserve
    self.otherReserve = otherReserve
    self.keep = keep
    self.grow = grow
    self.pictures = pictures
  }

  /// A budget of 0 bits per second.
  public static let zero = Budget(estimate: 0, audioReserve: 0, keep: 0, grow: 0)
}

/// What happens to a stream.
public enum StreamTarget: Hashable, Sendable {
  /// This layer is forwarded.
  case forward(VideoLayer)
  /// Nothing is forwarded, for this reason.
  case paused(PauseReason)

  /// The cost of the forwarded layer in bits per second; 0 if nothing is forwarded.
  public var bitrate: Int {
    if case .forward(let layer) = self { layer.bitrate } else { 0 }
  }

  /// The forwarded layer, if any.
  public var layer: VideoLayer? {
    if case .forward(let layer) = self { layer } else { nil }
  }

  /// Why nothing is forwarded; nil if something is.
  public var pauseReason: PauseReason? {
    if case .paused(let reason) = self { reason } else { nil }
  }
}

/// The decision for one stream.
public struct StreamDecision: Hashable, Sendable {
  /// The stream.
  public var id: StreamID
  /// What happens to it.
  public var target: StreamTarget
  /// The layer that would be forwarded with unlimited bandwidth; nil if nothing is wanted.
  public var ideal: VideoLayer?
  /// The highest encoding or spatial layer that the publisher has to send for this subscriber, from 0 to 255;
  /// nil if none.
  ///
  /// It is that of the forwarded layer, or the next larger one that could be forwarded while the subscriber gets less
  /// than it wants: a probe for more is then not in vain. Of a stream that is paused for bandwidth it is the smallest
  /// that could be. ``LayerDemand`` gathers the needs of all subscribers.
  public var neededSpatial: Int? {
    get { storedNeed.map { Int($0) } }
    set { storedNeed = newValue.map { UInt8(clamping: $0) } }
  }
  private var storedNeed: UInt8?
  /// The bits per second that the base layer lacks while the stream is paused for bandwidth.
  ///
  /// It is what the base layers of this stream and of what is shown take beyond ``Budget/pictures``, and beyond the
  /// permitted oversending for ``PausePolicy/never``. With ``AllocationStrategy/stage``, the first stream that is
  /// wanted counts with the motion that it has in its smallest size. 0 while the bandwidth is sufficient and only the
  /// resume gate holds the stream back.
  public var required: Int
  /// Whether the forwarder must ask the publisher for a key frame, repeatedly until it calls `layerLocked`.
  public var needsKeyFrame: Bool
  /// The place in the order of importance, from 0.
  public var rank: Int

  /// Creates a stream's decision.
  public init(
    id: StreamID, target: StreamTarget, ideal: VideoLayer? = nil, neededSpatial: Int? = nil,
    required: Int = 0, needsKeyFrame: Bool = false, rank: Int = 0
  ) {
    self.id = id
    self.target = target
    self.ideal = ideal
    self.required = required
    self.needsKeyFrame = needsKeyFrame
    self.rank = rank
    self.neededSpatial = neededSpatial
  }

  /// Whether the stream is not forwarded because the bandwidth does not carry what is wanted of it.
  public var isPausedForBandwidth: Bool {
    switch target {
    case .paused(.bandwidth): true
    case .paused(.belowMinimumQuality): ideal != nil
    default: false
    }
  }
}

/// A bit rate worth probing for, because some stream gets less than is wanted of it.
public struct ProbeGoal: Hashable, Sendable {
  /// The total to reach in bits per second, including what is reserved.
  public var bitrate: Int
  /// The earliest time to probe; probes that find nothing are spaced further and further apart.
  public var notBefore: Timestamp

  /// Creates a goal.
  public init(bitrate: Int, notBefore: Timestamp) {
    self.bitrate = bitrate
    self.notBefore = notBefore
  }
}

/// What one subscriber receives from now on.
public struct AllocationDecision: Hashable, Sendable {
  /// The number of this decision, counted from 1.
  public var generation: UInt64
  /// The bandwidth that was divided.
  public var budget: Budget
  /// How it was divided: as the subscriber set it, or by the priorities of a custom layout.
  public var strategy: AllocationStrategy
  /// The decisions for all streams, the most important first.
  public var streams: [StreamDecision]
  /// The sum of what is forwarded, in bits per second.
  public var targetBitrate: Int
  /// The sum of what would be forwarded with unlimited bandwidth, in bits per second.
  public var idealBitrate: Int
  /// Whether some stream gets less than is wanted of it because the bandwidth does not suffice.
  public var isDeficient: Bool
  /// Whether the forwarded streams exceed the budget because some of them must not be paused.
  public var isOversending: Bool
  /// What a bandwidth prober should try next; nil if there is nothing to gain.
  public var probe: ProbeGoal?
  /// When to decide again if no input arrives first; nil if only an input can change anything.
  public var nextDecisionAt: Timestamp?

  /// Creates a decision; without arguments, the state before the first one.
  public init(
    generation: UInt64 = 0, budget: Budget = .zero, strategy: AllocationStrategy = .grid,
    streams: [StreamDecision] = [],
    targetBitrate: Int = 0, idealBitrate: Int = 0, isDeficient: Bool = false,
    isOversending: Bool = false, probe: ProbeGoal? = nil, nextDecisionAt: Timestamp? = nil
  ) {
    self.generation = generation
    self.budget = budget
    self.strategy = strategy
    self.streams = streams
    self.targetBitrate = targetBitrate
    self.idealBitrate = idealBitrate
    self.isDeficient = isDeficient
    self.isOversending = isOversending
    self.probe = probe
    self.nextDecisionAt = nextDecisionAt
  }
}
