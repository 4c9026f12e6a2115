/// A view came into sight or went out of it.
public struct VisibilityChange: Hashable, Sendable {
  /// Whose view it is.
  public var stream: StreamID
  /// Enough of the view is on screen.
  public var isVisible: Bool

  /// A change.
  public init(stream: StreamID, isVisible: Bool) {
    self.stream = stream
    self.isVisible = isVisible
  }

  /// What is not visible is not wanted: neither forwarded nor decoded. Changes nothing else.
  public func apply(to demand: inout VideoDemand) { demand.isVisible = isVisible }
}

/// Turns the places of views into demand: which streams are worth their bits.
///
/// Views may come, move and go in any order and number, in any container. For one thread at a time.
public struct VisibilityTracker: Sendable {
  /// Why a view is no longer there.
  public enum Disappearance: Hashable, Sendable, CaseIterable {
    /// Scrolled away, covered, on another page, or closed.
    case leftScreen
    /// The application shows a placeholder in its stead, because the video is paused. The video is still wanted: to
    /// report this as hidden would withdraw the demand, so that nothing would ever resume the stream.
    case replacedWhilePaused
  }

  /// How much of a view has to be seen.
  public let rule: VisibilityRule
  /// What was told of each stream.
  private var told: [StreamID: Bool] = [:]

  /// Nothing is visible.
  public init(rule: VisibilityRule = VisibilityRule()) { self.rule = rule }

  /// The view of a stream, or the placeholder that stands for it, was laid out or scrolled.
  ///
  /// - Returns: what the server should know, or `nil` if it does.
  public mutating func moved(
    _ stream: StreamID, to view: Rectangle, in viewport: Rectangle
  ) -> VisibilityChange? {
    tell(stream, isVisible: rule.isVisible(view, in: viewport))
  }

  /// - Returns: what the server should know, or `nil` if it does.
  public mutating func disappeared(
    _ stream: StreamID, because cause: Disappearance = .leftScreen
  ) -> VisibilityChange? {
    cause == .leftScreen ? tell(stream, isVisible: false) : nil
  }

  /// A stream that was never shown is not visible.
  public func isVisible(_ stream: StreamID) -> Bool { told[stream] ?? false }

  /// The stream is no more.
  public mutating func removed(_ stream: StreamID) { told[stream] = nil }

  private mutating func tell(_ stream: StreamID, isVisible: Bool) -> VisibilityChange? {
    guard told.updateValue(isVisible, forKey: stream) != isVisible else { return nil }
    return VisibilityChange(stream: stream, isVisible: isVisible)
  }
}
