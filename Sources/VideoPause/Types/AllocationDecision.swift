/// Why a stream is not forwarded.
public enum PauseReason: CaseIterable, Hashable, Sendable {
  /// The bandwidth does not carry it. The only reason that appears in `pausedTracks`.
  case bandwidth
  /// Its view is not on screen.
  case notVisible
  /// Beyond last-N, not in the custom layout, or the subscriber's own stream.
  case notRequested
  /// The publisher has turned it off.
  case publisherMuted
  /// The subscriber has paused it.
  case subscriberPaused
  /// The publisher sends no layer at present.
  case feedDry
}

/// What was divided, in bits per second.
public struct Budget: Hashable, Sendable {
  /// The bandwidth estimate as it was given.
  public var estimate: Int
  /// Taken off it for audio before video gets a bit.
  public var audioReserve: Int
  /// What may be forwarded at all: the rest, or a little more while a shortfall is not yet believed.
  public var keep: Int
  /// What may be reached by sending more than now; at most `keep` in effect.
  public var grow: Int

  /// A division.
  public init(estimate: Int, audioReserve: Int, keep: Int, grow: Int) {
    self.estimate = estimate
    self.audioReserve = audioReserve
    self.keep = keep
    self.grow = grow
  }

  /// Nothing to divide.
  public static let zero = Budget(estimate: 0, audioReserve: 0, keep: 0, grow: 0)
}

/// What happens with a stream.
public enum StreamTarget: Hashable, Sendable {
  /// This layer is forwarded.
  case forward(VideoLayer)
  /// Nothing is forwarded, and why.
  case paused(PauseReason)

  /// Bits per second.
  public var bitrate: Int {
    if case .forward(let layer) = self { layer.bitrate } else { 0 }
  }

  /// The layer that is forwarded, if any.
  public var layer: VideoLayer? {
    if case .forward(let layer) = self { layer } else { nil }
  }

  /// Why nothing is forwarded; `nil` if something is.
  public var pauseReason: PauseReason? {
    if case .paused(let reason) = self { reason } else { nil }
  }
}

/// What is decided for one stream.
public struct StreamDecision: Hashable, Sendable {
  /// Which stream.
  public var id: StreamID
  /// What happens with it.
  public var target: StreamTarget
  /// What would be forwarded were there bandwidth without end; nil if nothing is wanted.
  public var ideal: VideoLayer?
  /// While paused for bandwidth: bits per second that its base layer lacks. 0 while the bandwidth is there and only
  /// the resume gate holds the stream back.
  public var required: Int
  /// The forwarder must ask the publisher for a key frame, again until it tells `layerLocked`.
  public var needsKeyFrame: Bool
  /// Place in the order of importance, from 0.
  public var rank: Int

  /// A decision.
  public init(
    id: StreamID, target: StreamTarget, ideal: VideoLayer? = nil, required: Int = 0,
    needsKeyFrame: Bool = false, rank: Int = 0
  ) {
    self.id = id
    self.target = target
    self.ideal = ideal
    self.required = required
    self.needsKeyFrame = needsKeyFrame
    self.rank = rank
  }
}

/// A bit rate worth probing for, since some stream gets less than is wanted of it.
public struct ProbeGoal: Hashable, Sendable {
  /// Bits per second to reach in all, audio's reserve included.
  public var bitrate: Int
  /// Not before this moment: probes that find nothing are made more and more rarely.
  public var notBefore: Timestamp

  /// A goal.
  public init(bitrate: Int, notBefore: Timestamp) {
    self.bitrate = bitrate
    self.notBefore = notBefore
  }
}

/// What is forwarded to one subscriber from now on.
public struct AllocationDecision: Hashable, Sendable {
  /// Counts decisions from 1; the next one has the next number.
  public var generation: UInt64
  /// What there was to divide.
  public var budget: Budget
  /// Every stream, the most important first.
  public var streams: [StreamDecision]
  /// Σ of what is forwarded, in bits per second.
  public var targetBitrate: Int
  /// Σ of what would be forwarded were there bandwidth without end.
  public var idealBitrate: Int
  /// Some stream gets less than is wanted of it for want of bandwidth.
  public var isDeficient: Bool
  /// More is forwarded than the budget has, for streams that must not be paused.
  public var isOversending: Bool
  /// What a bandwidth prober should try; `nil`: nothing to gain.
  public var probe: ProbeGoal?
  /// When to decide again if no input comes before; nil: only an input can change anything.
  public var nextDecisionAt: Timestamp?

  /// A decision; without arguments, the one before the first.
  public init(
    generation: UInt64 = 0, budget: Budget = .zero, streams: [StreamDecision] = [],
    targetBitrate: Int = 0, idealBitrate: Int = 0, isDeficient: Bool = false,
    isOversending: Bool = false, probe: ProbeGoal? = nil, nextDecisionAt: Timestamp? = nil
  ) {
    self.generation = generation
    self.budget = budget
    self.streams = streams
    self.targetBitrate = targetBitrate
    self.idealBitrate = idealBitrate
    self.isDeficient = isDeficient
    self.isOversending = isOversending
    self.probe = probe
    self.nextDecisionAt = nextDecisionAt
  }
}
