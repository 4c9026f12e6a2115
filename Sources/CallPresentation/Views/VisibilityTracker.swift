public import VideoPause

/// A view's change between visible and hidden.
public struct VisibilityChange: Hashable, Sendable {
  /// The stream that the view shows.
  public var stream: StreamID
  /// Whether enough of the view is on screen.
  public var isVisible: Bool

  /// Creates a change.
  public init(stream: StreamID, isVisible: Bool) {
    self.stream = stream
    self.isVisible = isVisible
  }

  /// Applies the visibility to a demand: a hidden stream is neither forwarded nor decoded. Nothing else changes.
  public func apply(to demand: inout VideoDemand) { demand.isVisible = isVisible }
}

/// Derives demand from the positions of views: which streams are worth their bits.
///
/// Views may appear, move and disappear in any order and number, in any container. Only one thread at a time may use
/// the tracker.
public struct VisibilityTracker: Sendable {
  /// Why a view disappeared.
  public enum Disappearance: Hashable, Sendable, CaseIterable {
    /// It was scrolled away, covered, on another page, or closed.
    case leftScreen
    /// The application shows a placeholder instead, because the video is paused.
    ///
    /// The video is still wanted. Reporting it as hidden would withdraw the demand, so that nothing would ever resume
    /// the stream.
    case replacedWhilePaused
  }

  /// The rule for how much of a view must be visible.
  public let rule: VisibilityRule
  /// The visibility reported last for each stream.
  private var reported: [StreamID: Bool] = [:]

  /// Creates a tracker without visible streams.
  public init(rule: VisibilityRule = VisibilityRule()) { self.rule = rule }

  /// Reports that the view of a stream, or the placeholder in its place, was laid out or scrolled.
  ///
  /// - Returns: the change to report to the server; nil if there is none.
  public mutating func moved(
    _ stream: StreamID, to view: Rectangle, in viewport: Rectangle
  ) -> VisibilityChange? {
    report(stream, isVisible: rule.isVisible(view, in: viewport))
  }

  /// Reports that the view of a stream disappeared.
  ///
  /// - Returns: the change to report to the server; nil if there is none.
  public mutating func disappeared(
    _ stream: StreamID, because cause: Disappearance = .leftScreen
  ) -> VisibilityChange? {
    cause == .leftScreen ? report(stream, isVisible: false) : nil
  }

  /// Returns whether a stream's view is visible. A stream that was never shown is not.
  public func isVisible(_ stream: StreamID) -> Bool { reported[stream] ?? false }

  /// Removes a stream that no longer exists.
  public mutating func removed(_ stream: StreamID) { reported[stream] = nil }

  private mutating func report(_ stream: StreamID, isVisible: Bool) -> VisibilityChange? {
    guard reported.updateValue(isVisible, forKey: stream) != isVisible else { return nil }
    return VisibilityChange(stream: stream, isVisible: isVisible)
  }
}
