/// How readily a stream is paused when the bandwidth does not carry everything.
public enum PausePolicy: CaseIterable, Hashable, Sendable {
  /// Paused when the bandwidth does not carry it.
  case normal
  /// Paused only after every stream of policy `normal`.
  case lastResort
  /// Keeps its base layer, up to the configured oversending beyond the budget.
  case never
}

/// A stream that someone wants to see first. A pin of the subscriber's own goes before one made for everybody, and
/// among equals the newest goes first.
public struct Pin: Hashable, Sendable {
  /// The subscriber's own, as opposed to one made for everybody.
  public var isLocal: Bool
  /// When it was made.
  public var pinnedAt: Timestamp

  /// A pin.
  public init(isLocal: Bool = true, pinnedAt: Timestamp) {
    self.isLocal = isLocal
    self.pinnedAt = pinnedAt
  }
}

/// What a subscriber wants of one stream. Nothing here promises more than "at most".
public struct VideoDemand: Hashable, Sendable {
  /// Whether the view is on screen. What cannot be seen is neither forwarded nor decoded.
  public var isVisible: Bool
  /// The view in pixels (points × scale); a layer larger than needed to fill it is not sent. nil while it is not
  /// known: no limit. An empty size is not visible.
  public var viewSize: VideoSize?
  /// Set if somebody wants to see it first.
  public var pin: Pin?
  /// nil: none given, which ranks after low.
  public var priority: StreamPriority?
  /// The most that is wanted; nil: no limit.
  public var maximumQuality: StreamQuality?
  /// How readily it is paused.
  public var pausePolicy: PausePolicy
  /// Frames per second, above 0, of the device's thermal policy for instance; nil: no limit.
  public var maximumFramesPerSecond: Double?

  /// A demand; without arguments, for all that there is.
  public init(
    isVisible: Bool = true, viewSize: VideoSize? = nil, pin: Pin? = nil,
    priority: StreamPriority? = nil, maximumQuality: StreamQuality? = nil,
    pausePolicy: PausePolicy = .normal, maximumFramesPerSecond: Double? = nil
  ) {
    self.isVisible = isVisible
    self.viewSize = viewSize
    self.pin = pin
    self.priority = priority
    self.maximumQuality = maximumQuality
    self.pausePolicy = pausePolicy
    self.maximumFramesPerSecond = maximumFramesPerSecond
  }
}
