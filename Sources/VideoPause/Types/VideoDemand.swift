/// How readily a stream is paused when the bandwidth does not carry everything.
public enum PausePolicy: CaseIterable, Hashable, Sendable {
  /// The stream is paused when the bandwidth does not carry it.
  case normal
  /// The stream is paused only after every stream of policy `normal`.
  case lastResort
  /// The stream keeps its base layer, which may exceed the budget by up to the configured oversending.
  case never
}

/// A request to show a stream first.
///
/// The subscriber's own pin ranks before one made for everybody; among equals, the newest pin ranks first.
public struct Pin: Hashable, Sendable {
  /// Whether the pin is the subscriber's own, as opposed to one made for everybody.
  public var isLocal: Bool
  /// When the pin was made.
  public var pinnedAt: Timestamp

  /// Creates a pin.
  public init(isLocal: Bool = true, pinnedAt: Timestamp) {
    self.isLocal = isLocal
    self.pinnedAt = pinnedAt
  }
}

/// What a subscriber wants of one stream. Every limit except ``minimumQuality`` is an upper limit, not a promise.
public struct VideoDemand: Hashable, Sendable {
  /// Whether the view is on screen. A view that cannot be seen is neither forwarded nor decoded.
  public var isVisible: Bool
  /// The size of the view in pixels (points × scale), each side in 0...``VideoPauseLimits/maximumSide``.
  ///
  /// No layer larger than needed to fill the view is sent. nil means not known, hence no limit; an empty size counts as
  /// not visible.
  public var viewSize: VideoSize?
  /// The pin, if the stream is to be shown first.
  public var pin: Pin?
  /// The priority; nil if none is given, which ranks after `low`.
  public var priority: StreamPriority?
  /// The highest quality that is wanted; nil for no limit.
  public var maximumQuality: StreamQuality?
  /// The least quality that is of use; nil if any is.
  ///
  /// A smaller or slower picture is not forwarded: the stream is paused for ``PauseReason/belowMinimumQuality``
  /// instead. Where an upper limit is lower, it counts as the least. A layer of unknown frame rate counts as fast
  /// enough.
  public var minimumQuality: StreamQuality?
  /// How readily the stream is paused.
  public var pausePolicy: PausePolicy
  /// The highest frame rate in frames per second, above 0, for instance from the device's thermal policy; nil for no
  /// limit.
  public var maximumFramesPerSecond: Double?

  /// Creates a demand; without arguments, one without limits.
  public init(
    isVisible: Bool = true, viewSize: VideoSize? = nil, pin: Pin? = nil,
    priority: StreamPriority? = nil, maximumQuality: StreamQuality? = nil,
    minimumQuality: StreamQuality? = nil, pausePolicy: PausePolicy = .normal,
    maximumFramesPerSecond: Double? = nil
  ) {
    self.isVisible = isVisible
    self.viewSize = viewSize
    self.pin = pin
    self.priority = priority
    self.maximumQuality = maximumQuality
    self.minimumQuality = minimumQuality
    self.pausePolicy = pausePolicy
    self.maximumFramesPerSecond = maximumFramesPerSecond
  }
}
